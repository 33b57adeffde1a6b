/**
 * Converts the arguments for linked roles to request bodies.
 *
 * @module
 */

import { checkTextLength, throwBadArgument } from "../core/arguments.ts";
import {
  bodyOf,
  checkCount,
  checked,
  checkObject,
  type Convert,
  kind,
  list,
  optional,
  text,
} from "./body.ts";

/** The data of a user for linked roles. The platform replaces all of it at once. A `RoleConnectionObj` fits, too. */
export interface RoleConnectionParams {
  /** The name of the application's service, up to 50 characters. */
  readonly platform_name?: string | null | undefined;
  /** The user's name on the application's service, up to 100 characters. */
  readonly platform_username?: string | null | undefined;
  /** Up to 5 values, by the keys of the application's records. */
  readonly metadata?:
    | Readonly<Record<string, RoleConnectionValue | null | undefined>>
    | null
    | undefined;
}

/**
 * A value of a user for linked roles: a whole number, `true` or `false`, a date, or the platform's text for such a value, up to 100
 * characters.
 */
export type RoleConnectionValue = number | boolean | Date | string;

/**
 * The comparison of a user's value with the value that a guild demands: the platform's name or number. A date is compared with
 * a number of days before today.
 *
 * @see {@link https://docs.discord.com/developers/resources/application-role-connection-metadata#application-role-connection-metadata-object-application-role-connection-metadata-type | Metadata types in the platform's documentation}
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

/** A record of the metadata that an application may set for linked roles. */
export interface RoleConnectionMetadataParams {
  /** The comparison of a user's value with the value that a guild demands. */
  readonly type: RoleConnectionMetadataType;
  /** The key of the value in a role connection: 1 to 50 of the characters `a-z`, `0-9` and `_`. */
  readonly key: string;
  /** The displayed name, 1 to 100 characters. */
  readonly name: string;
  /** The name by locale, for example `de`. */
  readonly name_localizations?: Readonly<Record<string, string>> | null | undefined;
  /** The displayed description, 1 to 200 characters. */
  readonly description: string;
  /** The description by locale. */
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
 * @throws {TypeError} If a field has a wrong type, or a name is unknown. The message names the field.
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

/** Returns the text that the platform expects for a value. */
function valueText(argument: string, value: unknown): string {
  if (typeof value === "boolean") return value ? "1" : "0";
  if (typeof value === "number") {
    if (Number.isSafeInteger(value)) return String(value);
    throw new RangeError(`${argument} must be a whole number, received ${value}`);
  }
  if (value instanceof Date) {
    if (!Number.isNaN(value.getTime())) return value.toISOString();
    throw new RangeError(`${argument} must be a valid date, received an invalid one`);
  }
  if (typeof value !== "string") {
    throwBadArgument(argument, "a whole number, true or false, a Date, or text", value);
  }
  checkTextLength(argument, value, { min: 1, max: 100 });
  return value;
}

/**
 * Returns the body of the request that sets the records of an application.
 *
 * @throws {TypeError} If a field has a wrong type, or a name is unknown. The message names the field.
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
    for (const each of Object.values(given)) convert(`a text of ${argument}`, each);
    return { ...given };
  };
}

function checkKey(argument: string, key: unknown): void {
  if (typeof key !== "string" || !/^[a-z0-9_]{1,50}$/.test(key)) {
    throwBadArgument(argument, "1 to 50 of the characters a-z, 0-9 and _", key);
  }
}
