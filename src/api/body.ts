/**
 * The bodies of the requests of a `User`: checks the arguments, and converts them to what Discord expects.
 *
 * @module
 */

import {
  checkBoolean,
  checkSnowflake,
  checkTextLength,
  throwBadArgument,
  throwBadObject,
} from "../core/arguments.ts";
import { checkOptionNames } from "../core/options.ts";
import type { TokenObj } from "../resources/token.ts";
import { isBotToken, readAccessToken, requireScope } from "./access_token.ts";

/** The permission of a role, a user or a channel for a command. An entry from a response also works. */
export interface CommandPermissionParams {
  /** The id. The guild's id means `@everyone`. The guild's id minus 1 means all channels. */
  readonly id: string;
  /** The kind of the id, as a name or Discord's number: 1 for a role, 2 for a user, 3 for a channel. */
  readonly type: CommandPermissionType | number;
  /** True to allow the command, false to disallow it. */
  readonly permission: boolean;
}

/** The kind of an id in the permissions of a command. */
export type CommandPermissionType = "role" | "user" | "channel";

/** The maximum number of permissions of a command. */
const maxPermissions = 100;

/**
 * Returns the body of the request that replaces the permissions of a command.
 *
 * @throws {TypeError} If a field is wrong, or a name is unknown.
 * @throws {RangeError} If there are more than 100 permissions.
 */
export function commandPermissionsBody(
  permissions: readonly CommandPermissionParams[],
): Record<string, unknown> {
  const toPermission = (place: string, entry: unknown) =>
    bodyOf(place, entry, `${place}.`, {
      id: checked(checkSnowflake),
      type: kind(["role", "user", "channel"], "role, user, channel or a number from 1 to 3"),
      permission: checked(checkBoolean),
    });
  return { permissions: list(maxPermissions, toPermission)("permissions", permissions) };
}

/** A user to add to a guild. */
export interface NewMemberParams {
  /**
   * The user's access token with the scope `guilds.join`, or the whole `TokenObj`. It must have been issued to the bot's application.
   */
  readonly access_token: string | TokenObj<"guilds.join">;
  /** The nickname in this guild, up to 32 characters. The bot needs the permission `manage_nicknames`. */
  readonly nick?: string | null | undefined;
  /**
   * Ids of roles, up to 250. The bot needs the permission `manage_roles`. With roles, the user skips the membership screening
   * and the verification level of the guild.
   */
  readonly roles?: readonly string[] | null | undefined;
  /** True to mute the member in voice channels. The bot needs the permission `mute_members`. */
  readonly mute?: boolean | null | undefined;
  /** True to deafen the member in voice channels. The bot needs the permission `deafen_members`. */
  readonly deaf?: boolean | null | undefined;
}

/** The body of the request. */
export interface NewMemberBody {
  readonly access_token: string;
  readonly [name: string]: unknown;
}

/** The maximum length of a nickname, in characters. */
const maxNickLength = 32;

const maxRoles = 250;

/**
 * Returns the body of the request that adds a member.
 *
 * @throws {TypeError} If a field has a wrong type, or a name is unknown. The message names the field, and never shows the token.
 * @throws {RangeError} If `nick` is too long, or there are too many roles.
 * @throws {MissingScopeError} If the token is known to lack the scope `guilds.join`.
 */
export function newMemberBody(member: NewMemberParams): NewMemberBody {
  checkObject("member", member, "an object like { access_token }");
  const body = bodyOf("member", member, "", {
    access_token: tokenOfPerson,
    nick: optional(text(0, maxNickLength)),
    roles: optional(list(maxRoles, checked(checkSnowflake))),
    mute: optional(checked(checkBoolean)),
    deaf: optional(checked(checkBoolean)),
  });
  return { ...body, access_token: String(body.access_token) };
}

function tokenOfPerson(argument: string, given: unknown): string {
  const token = readAccessToken(given, "Bearer", argument);
  if (isBotToken(token.token)) {
    throw new TypeError(
      `${argument} looks like a bot token: pass the token of the user to add`,
    );
  }
  requireScope(token, "addGuildMember()", "guilds.join");
  return token.token;
}

/** The maximum length of a reason in an audit log, in characters. */
const maxReasonLength = 512;

/**
 * Checks the reason of a change, which Discord shows in the audit log of the guild.
 *
 * @throws {TypeError} If the reason is not text, or has half a character, which no header can hold.
 * @throws {RangeError} If the reason is empty or too long.
 */
export function checkedReason(reason: string | null | undefined): string | undefined {
  if (reason == null) return undefined;
  checkTextLength("reason", reason, { min: 1, max: maxReasonLength });
  if (/\p{Cs}/u.test(reason)) throw new TypeError("reason must not have a lone surrogate");
  return reason;
}

/** The data of a user for linked roles. Discord replaces all of it at once. You can also pass a `RoleConnectionObj`. */
export interface RoleConnectionParams {
  /** The name of the application's service, up to 50 characters. */
  readonly platform_name?: string | null | undefined;
  /** The user's name on the application's service, up to 100 characters. */
  readonly platform_username?: string | null | undefined;
  /** Up to 5 values, keyed by the `key` of the application's records. */
  readonly metadata?:
    | Readonly<Record<string, RoleConnectionValue | null | undefined>>
    | null
    | undefined;
}

/**
 * A user's value for linked roles: a whole number, `true` or `false`, a date, or Discord's text for one of these, up to 100
 * characters.
 */
export type RoleConnectionValue = number | boolean | Date | string;

/**
 * The comparison of a user's value with a guild's required value, by Discord's name or number. A date is compared with a number of
 * days ago.
 *
 * @see {@link https://docs.discord.com/developers/resources/application-role-connection-metadata#application-role-connection-metadata-object-application-role-connection-metadata-type | Discord: Metadata types}
 */
export type RoleConnectionMetadataType =
  | "integer_less_than_or_equal"
  | "integer_greater_than_or_equal"
  | "integer_equal"
  | "integer_not_equal"
  | "datetime_less_than_or_equal"
  | "datetime_greater_than_or_equal"
  | "boolean_equal"
  | "boolean_not_equal"
  | 1
  | 2
  | 3
  | 4
  | 5
  | 6
  | 7
  | 8;

/** A metadata record that an application sets for linked roles. */
export interface RoleConnectionMetadataParams {
  /** The comparison of a user's value with a guild's required value. */
  readonly type: RoleConnectionMetadataType;
  /** The key of the value in a role connection: 1 to 50 of the characters `a-z`, `0-9` and `_`. */
  readonly key: string;
  /** The displayed name, 1 to 100 characters. */
  readonly name: string;
  /** The names, keyed by locale, for example `de`. */
  readonly name_localizations?: Readonly<Record<string, string>> | null | undefined;
  /** The displayed description, 1 to 200 characters. */
  readonly description: string;
  /** The descriptions, keyed by locale. */
  readonly description_localizations?: Readonly<Record<string, string>> | null | undefined;
}

/** The maximum number of values of a role connection, and of records of an application. */
const maxRecords = 5;

/** The types in the order of their numbers, which begin with 1. */
const metadataTypes = [
  "integer_less_than_or_equal",
  "integer_greater_than_or_equal",
  "integer_equal",
  "integer_not_equal",
  "datetime_less_than_or_equal",
  "datetime_greater_than_or_equal",
  "boolean_equal",
  "boolean_not_equal",
] as const satisfies readonly RoleConnectionMetadataType[];

/**
 * Returns the body of the request that sets a role connection.
 *
 * @throws {TypeError} If a field has a wrong type, or a name is unknown.
 * @throws {RangeError} If a text is too long, there are too many values, or a number is not whole.
 */
export function roleConnectionBody(connection: RoleConnectionParams): Record<string, unknown> {
  return bodyOf("connection", connection, "", {
    platform_name: optional(text(0, 50)),
    platform_username: optional(text(0, 100)),
    metadata: optional(metadataTexts),
  });
}

function metadataTexts(argument: string, metadata: unknown): Record<string, string> {
  checkObject(argument, metadata);
  const entries = Object.entries(metadata).filter(([, value]) => value != null);
  checkCount(argument, entries.length, maxRecords, "values");
  return Object.fromEntries(entries.map(([key, value]) => {
    checkKey(`a key of ${argument}`, key);
    return [key, valueText(`${argument}.${key}`, value)];
  }));
}

/** Returns the text that Discord expects for a value. */
function valueText(argument: string, value: unknown): string {
  if (typeof value === "boolean") return value ? "1" : "0";
  if (typeof value === "number") {
    if (Number.isSafeInteger(value)) return String(value);
    throw new RangeError(`${argument} must be a whole number, received ${value}`);
  }
  if (value instanceof Date) {
    if (!Number.isNaN(value.getTime())) return value.toISOString();
    throw new RangeError(`${argument} must be a valid date, received Invalid Date`);
  }
  if (typeof value !== "string") {
    throwBadArgument(argument, "a whole number, a boolean, a Date or a string", value);
  }
  checkTextLength(argument, value, { min: 1, max: 100 });
  return value;
}

/**
 * Returns the body of the request that sets the records of an application.
 *
 * @throws {TypeError} If a field has a wrong type, or a name is unknown.
 * @throws {RangeError} If a text is too short or too long, or there are too many records.
 */
export function metadataRecordsBody(
  records: readonly RoleConnectionMetadataParams[],
): Record<string, unknown>[] {
  const name = text(1, 100);
  const description = text(1, 200);
  return list(maxRecords, (place, record) =>
    bodyOf(place, record, `${place}.`, {
      type: kind(metadataTypes, `a number from 1 to 8, or ${metadataTypes.join(", ")}`),
      key: checked(checkKey),
      name,
      description,
      name_localizations: optional(texts(name)),
      description_localizations: optional(texts(description)),
    }))("records", records);
}

/** Localized texts. They are copied, as the request may be sent later. */
function texts(convert: Convert): Convert {
  return (argument, given) => {
    checkObject(argument, given);
    // The message does not name the locale, which is text of the caller's.
    for (const each of Object.values(given)) convert(`a value of ${argument}`, each);
    return { ...given };
  };
}

function checkKey(argument: string, key: unknown): void {
  if (typeof key !== "string" || !/^[a-z0-9_]{1,50}$/.test(key)) {
    throwBadArgument(argument, "1 to 50 characters from a-z, 0-9 and _", key);
  }
}

/**
 * Checks a value, and returns what is sent for it; `undefined` if nothing is sent.
 *
 * @param argument The name of the value in errors.
 */
type Convert<Sent = unknown> = (argument: string, value: unknown) => Sent;

/**
 * Returns the fields of an object as they are sent.
 *
 * @param prefix The text before the name of a field in errors.
 * @throws {TypeError} If the value is not an object, a name is unknown, or a field has a wrong type.
 * @throws {RangeError} If a text or a list is too long.
 */
function bodyOf(
  argument: string,
  given: unknown,
  prefix: string,
  fields: Readonly<Record<string, Convert>>,
): Record<string, unknown> {
  checkObject(argument, given);
  checkOptionNames(argument, given, Object.keys(fields));
  const body: Record<string, unknown> = {};
  for (const [name, convert] of Object.entries(fields)) {
    const sent = convert(prefix + name, given[name]);
    if (sent !== undefined) body[name] = sent;
  }
  return body;
}

/** A value that may be left out. */
function optional(convert: Convert): Convert {
  return (argument, value) => value == null ? undefined : convert(argument, value);
}

/** A value that is sent as it is. */
function checked(check: (argument: string, value: unknown) => void): Convert {
  return (argument, value) => {
    check(argument, value);
    return value;
  };
}

/** Text of a length in characters. */
function text(min: number, max: number): Convert {
  return checked((argument, value) => checkTextLength(argument, value, { min, max }));
}

/** One of Discord's kinds, as a name or as its number. The numbers begin with 1. */
function kind(names: readonly string[], expected: string): Convert<number> {
  return (argument, value) => {
    const number = typeof value === "number" ? value : names.findIndex((it) => it === value) + 1;
    if (names[number - 1] === undefined) throwBadArgument(argument, expected, value);
    return number;
  };
}

/** A list. It is copied, as the request may be sent later. */
function list<Sent>(max: number, convert: Convert<Sent>): Convert<Sent[]> {
  return (argument, value) => {
    if (!Array.isArray(value)) throwBadObject(argument, "a list", value);
    checkCount(argument, value.length, max, "entries");
    return value.map((entry, index) => convert(`${argument}[${index}]`, entry));
  };
}

/** Checks the number of parts of a value. */
function checkCount(argument: string, count: number, max: number, what: string): void {
  if (count > max) {
    throw new RangeError(`${argument} must have at most ${max} ${what}, received ${count}`);
  }
}

/** Checks that a value is an object and not a list. */
function checkObject(
  argument: string,
  value: unknown,
  expected = "an object",
): asserts value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throwBadObject(argument, expected, value);
  }
}
