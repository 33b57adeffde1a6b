/**
 * What a `TokenSource` keeps in its store: a token, and who is refreshing it.
 *
 * @module
 */

import { fromStoredToken, toStoredToken } from "./stored_token.ts";
import type { TokenObj } from "../resources/token.ts";

/** What the store has under the key of one person. All times are in milliseconds since the epoch. */
export interface TokenRecord {
  readonly token: TokenObj;
  /** Who is refreshing the token, or was, when its process ended or the answer was lost. */
  readonly lease: Lease | null;
  /** Whether the platform has refused the refresh token, for good. */
  readonly refused: boolean;
  /** Until when the platform is not asked again, since it could not process a refresh. */
  readonly pause: Pause | null;
  /** When the token was refreshed because the platform had answered its predecessor with 401. */
  readonly renewedAt: number | null;
  /** From 0 to 1, by chance: spreads out when the tokens of one moment are refreshed. */
  readonly spread: number;
}

/** The right to send the refresh token: only one process has it at a time. */
export interface Lease {
  readonly id: string;
  /** How long it lasts, in milliseconds, for those who measure it themselves. */
  readonly duration: number;
  /** When it runs out, by the clock of its holder. */
  readonly until: number;
}

/** A time of which nobody sends the refresh token. */
export interface Pause {
  readonly until: number;
  /** Whether the platform has demanded it (429): then it holds even when the token has expired. */
  readonly isLimit: boolean;
}

/** By how much the clocks of two processes may differ, in milliseconds. */
export const clockDifference = 60_000;

/** How long a token that can't be refreshed is kept after its end, in milliseconds, so that callers are told why. */
const keptAfterEnd = 24 * 60 * 60_000;

/** The record of a token that has just come. */
export function recordOf(token: TokenObj, renewedAt: number | null = null): TokenRecord {
  return {
    // With a list of its own, since that of the caller is not to be frozen.
    token: fromStoredToken({ ...toStoredToken(token), scopes: [...token.scopes] }),
    lease: null,
    refused: false,
    pause: null,
    renewedAt,
    spread: Math.random(),
  };
}

/**
 * Reads a record back; `null` when it is none, such as a sealed one whose key is gone. Only the token must be there: another
 * version of this library may know less about it, or more.
 */
export function readRecord(value: unknown): TokenRecord | null {
  const { token, lease, refused, pause, renewedAt, spread } = Object(value) as TokenRecord;
  if (!isToken(token)) return null;
  return {
    token: fromStoredToken(token),
    lease: isNumber(lease?.until) && isNumber(lease.duration) ? lease : null,
    refused: refused === true,
    pause: isNumber(pause?.until) ? pause : null,
    renewedAt: isNumber(renewedAt) ? renewedAt : null,
    spread: isNumber(spread) ? spread : 0,
  };
}

/** Whether a value is a token with all that is looked at here. */
export function isToken(value: unknown): value is TokenObj {
  const token = Object(value) as TokenObj;
  return typeof token.access_token === "string" && Array.isArray(token.scopes) &&
    (token.refresh_token === null || typeof token.refresh_token === "string") &&
    (token.expires_at === null || isNumber(token.expires_at));
}

/** When the store may forget a record; never as long as its token works or can be refreshed, as far as is known. */
export function forgetAt({ token, refused }: TokenRecord): number | undefined {
  const canBeRefreshed = token.refresh_token !== null && !refused;
  return canBeRefreshed || token.expires_at === null ? undefined : token.expires_at + keptAfterEnd;
}

/**
 * Whether a token works for some milliseconds more, by this process's clock. A token that lives only minutes is not asked for
 * more than a quarter of its life, or it would be refreshed all the time.
 */
export function worksFor({ expires_at, expires_in }: TokenObj, milliseconds: number): boolean {
  if (expires_at === null) return true;
  const margin = Math.min(milliseconds, (expires_in ?? Infinity) * 250);
  return Date.now() + margin < expires_at;
}

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}
