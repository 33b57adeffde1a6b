/**
 * What a `TokenSource` keeps in its store: a token, and who is refreshing it.
 *
 * @module
 */

import { hideToken } from "../hidden.ts";
import { freeze } from "./resources/reading.ts";
import type { TokenObj } from "./resources/token.ts";

/** What the store has under the key of one person. All times are in milliseconds since the epoch. */
export interface TokenRecord {
  readonly token: TokenObj;
  /** Who is refreshing the token, or was, when its process ended or the answer was lost. */
  readonly lease: Lease | null;
  /** Whether the platform has refused the refresh token, for good. */
  readonly refused: boolean;
  /** Before this time the token is not refreshed if it still works, since the platform has asked to wait. */
  readonly retryAt: number | null;
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

/** By how much the clocks of two processes may differ, in milliseconds. */
export const clockDifference = 60_000;

/** How long a token that can't be refreshed is kept after its end, in milliseconds, so that callers are told why. */
const keptAfterEnd = 24 * 60 * 60_000;

/**
 * The record of a token that has just come. What came with a login is left out: a guild may be megabytes, the secret of a
 * webhook is not needed to refresh, and none of it comes again with the next token.
 */
export function recordOf(token: TokenObj, renewedAt: number | null = null): TokenRecord {
  const scopes = [...token.scopes];
  const kept = { ...token, scopes, guild: null, webhook: null, id_token: null };
  return {
    token: freeze(hideToken(kept)),
    lease: null,
    refused: false,
    retryAt: null,
    renewedAt,
    spread: Math.random(),
  };
}

/** Reads a record back; `null` when it is none, such as a sealed one whose key is gone. */
export function readRecord(value: unknown): TokenRecord | null {
  const record = Object(value) as TokenRecord;
  if (!isToken(record.token) || record.lease === undefined) return null;
  return { ...record, token: freeze(hideToken(record.token)) };
}

/** Whether a value is a token with all that is looked at here. */
export function isToken(value: unknown): value is TokenObj {
  const token = Object(value) as TokenObj;
  return typeof token.access_token === "string" && Array.isArray(token.scopes) &&
    isTextOrNull(token.refresh_token) && isNumberOrNull(token.expires_at);
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

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === "string";
}

function isNumberOrNull(value: unknown): boolean {
  return value === null || typeof value === "number";
}
