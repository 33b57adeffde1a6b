/**
 * Reads a token as the token endpoint sends it, or as another library stores it.
 *
 * @module
 */

import { checkSecret, throwBadArgument, throwBadObject } from "../core/arguments.ts";
import { expiresAtFor, maxLifetimeSeconds } from "../core/lifetime.ts";
import type { GrantedScopes } from "../resources/granted_scopes.ts";
import type { TokenObj } from "../resources/token.ts";

/**
 * A time: seconds or milliseconds since the epoch, as a number or as digits; a `Date`; or ISO 8601 text with its time zone.
 *
 * A number below 10^11 counts seconds, and any other number counts milliseconds: 10^11 milliseconds end in 1973, and 10^11 seconds in
 * the year 5138.
 */
export type ForeignTime = number | bigint | string | Date;

/**
 * A token as the token endpoint sends it, or as another library stores it. Each value has several names, and the first one that is
 * not `null` counts. Other fields are ignored, so a whole row of a table fits.
 *
 * @example A row of a table
 * ```ts
 * import type { ForeignToken } from "@guildpass/sdk";
 *
 * const row = {
 *   id: 1,
 *   accessToken: "an access token",
 *   refreshToken: "a refresh token",
 *   accessTokenExpiresAt: new Date("2027-01-31T12:00:00Z"),
 *   scope: "identify,guilds",
 * };
 * const token: ForeignToken = row;
 * ```
 */
export interface ForeignToken extends GrantedScopes<unknown> {
  /** The access token. One of its names is required, but a nullable column compiles. */
  readonly access_token?: string | null | undefined;
  /** The access token. */
  readonly accessToken?: string | null | undefined;
  /** The access token in a session of Supabase. The session's other tokens and times belong to Supabase, and are ignored. */
  readonly provider_token?: string | null | undefined;
  /** The refresh token. Without it, the token works until it expires. */
  readonly refresh_token?: string | null | undefined;
  /** The refresh token. */
  readonly refreshToken?: string | null | undefined;
  /** The refresh token in a session of Supabase. */
  readonly provider_refresh_token?: string | null | undefined;
  /** The end of the access token. If it is not known, the token is used until the platform rejects it. */
  readonly expires_at?: ForeignTime | null | undefined;
  /** The end of the access token. */
  readonly expiresAt?: ForeignTime | null | undefined;
  /** The end of the access token. */
  readonly accessTokenExpiresAt?: ForeignTime | null | undefined;
  /** The lifetime of the access token, in seconds. It begins now if the end is not given. */
  readonly expires_in?: number | string | null | undefined;
  /** The lifetime of the access token, in seconds. */
  readonly expiresIn?: number | string | null | undefined;
  /** The granted scopes: a list, or text with spaces or commas. If they are not known, the next refresh brings them. */
  readonly scope?: string | readonly string[] | null | undefined;
  /** The granted scopes. */
  readonly scopes?: string | readonly string[] | null | undefined;
}

/** The tokens that `arctic` returns. Only their `data` is read, since their methods throw for a missing value. */
export interface ArcticTokens {
  /** The response of the token endpoint. */
  readonly data: object;
  /** Not called. */
  accessToken(): string;
}

/** The names of each value. */
const fieldNames = {
  accessToken: ["access_token", "accessToken"],
  refreshToken: ["refresh_token", "refreshToken"],
  expiresAt: ["expires_at", "expiresAt", "accessTokenExpiresAt"],
  expiresIn: ["expires_in", "expiresIn"],
  scope: ["scope", "scopes"],
};

/** The names in a session of Supabase. */
const supabaseNames: typeof fieldNames = {
  accessToken: ["provider_token"],
  refreshToken: ["provider_refresh_token"],
  expiresAt: [],
  expiresIn: [],
  scope: fieldNames.scope,
};

/** The smallest number that counts milliseconds. A smaller number counts seconds. */
const minMilliseconds = 1e11;

/** The smallest number that counts microseconds. No field does: read as milliseconds, its token would live for ever. */
const minMicroseconds = 1e14;

/**
 * Returns a foreign token as a `TokenObj`.
 *
 * @throws {TypeError} If there is no access token, or a value can't be read. The message names the field, without its value.
 */
export function fromForeignToken(given: unknown): TokenObj {
  if (typeof given !== "object" || given === null) {
    throwBadObject("token", "a TokenObj, a token response or a stored token", given);
  }
  const row = isArctic(given) ? given.data : given;
  const names = isSupabaseSession(row) ? supabaseNames : fieldNames;
  const accessToken = readField(row, names.accessToken, readSecret);
  if (accessToken === null) {
    throw new TypeError(`token has no access token: ${names.accessToken.join(" or ")} must be set`);
  }
  const scopes = readField(row, names.scope, readScopes) ?? [];
  const expiresIn = readField(row, names.expiresIn, readLifetime);
  return {
    access_token: accessToken,
    refresh_token: readField(row, names.refreshToken, readSecret),
    token_type: "Bearer",
    scope: scopes.join(" "),
    scopes,
    expires_in: expiresIn,
    expires_at: readField(row, names.expiresAt, readTime) ??
      (expiresIn === null ? null : expiresAtFor(expiresIn)),
    guild: null,
    webhook: null,
    id_token: null,
  };
}

function isArctic(given: object): given is ArcticTokens {
  const { accessToken, data } = given as Partial<ArcticTokens>;
  return typeof accessToken === "function" && typeof data === "object" && data !== null;
}

/** Returns true for a session of Supabase, even if Supabase has removed the platform's tokens from it. */
function isSupabaseSession(row: object): boolean {
  return "provider_token" in row || "app_metadata" in Object(Reflect.get(row, "user"));
}

/** Reads the first field that has a value. Returns `null` if none has. */
function readField<Value>(
  row: object,
  names: readonly string[],
  read: (argument: string, value: unknown) => Value,
): Value | null {
  const name = names.find((one) => hasValue(Reflect.get(row, one), one));
  return name === undefined ? null : read(`token.${name}`, Reflect.get(row, name));
}

/** Returns false for a missing value. The platform's refresh token counts as missing also if it is empty. */
function hasValue(value: unknown, name: string): boolean {
  return value != null && !(name === "refresh_token" && value === "");
}

function readSecret(argument: string, value: unknown): string {
  checkSecret(argument, value);
  return value;
}

function readScopes(argument: string, value: unknown): string[] {
  const scopes: unknown = typeof value === "string" ? value.split(/[\s,]+/).filter(Boolean) : value;
  if (!isTextList(scopes)) throwBadArgument(argument, "text or a list of texts", value);
  return scopes;
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}

function readLifetime(argument: string, value: unknown): number {
  const seconds = readNumber(value);
  if (!(seconds <= maxLifetimeSeconds)) throwBadArgument(argument, "a number of seconds", value);
  return seconds;
}

/** Returns a time in milliseconds since the epoch. */
function readTime(argument: string, value: unknown): number {
  const number = readNumber(value);
  const time = Number.isNaN(number) ? readDate(value) : toMilliseconds(number);
  // The largest time of a Date. JSON has no infinite number.
  if (!(time <= 8.64e15)) {
    throwBadArgument(
      argument,
      "a time in seconds or milliseconds, a Date, or ISO text with its time zone",
      value,
    );
  }
  return time;
}

/** Reads a positive number, or its digits. Returns `NaN` for any other value. */
function readNumber(value: unknown): number {
  return /^(number|bigint|string)$/.test(typeof value) && /^\d+(\.\d+)?$/.test(String(value))
    ? Number(value)
    : NaN;
}

/** Returns the time of a `Date` or of ISO text, or `NaN`. Text without a time zone would count as local time. */
function readDate(value: unknown): number {
  if (value instanceof Date) return value.getTime();
  const isIso = typeof value === "string" &&
    /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(value);
  return isIso ? Date.parse(value) : NaN;
}

function toMilliseconds(number: number): number {
  if (number >= minMicroseconds) return NaN;
  return number < minMilliseconds ? number * 1000 : number;
}
