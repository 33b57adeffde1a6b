/**
 * Converts the arguments for linked roles to request bodies.
 *
 * @module
 */

import { checkTextLength, throwBadArgument, throwBadObject } from "../core/arguments.ts";

/** The data of a user for linked roles. The platform replaces all of it at once. */
export interface RoleConnectionParams {
  /** The name of the application's service, up to 50 characters. */
  readonly platformName?: string | null | undefined;
  /** The user's name on the application's service, up to 100 characters. */
  readonly platformUsername?: string | null | undefined;
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
  readonly nameLocalizations?: Readonly<Record<string, string>> | null | undefined;
  /** The displayed description, 1 to 200 characters. */
  readonly description: string;
  /** The description by locale. */
  readonly descriptionLocalizations?: Readonly<Record<string, string>> | null | undefined;
}

/** The body of a request for a role connection. */
export interface RoleConnectionBody {
  readonly platform_name?: string;
  readonly platform_username?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly [name: string]: unknown;
}

/** The maximum number of values of a role connection, and of records of an application. */
const maxRecords = 5;

/** The maximum lengths of a value, a name and a description of a record, in characters. */
const maxValueLength = 100;
const maxNameLength = 100;
const maxDescriptionLength = 200;

/** The types in the order of their numbers, which begin with 1. */
const metadataTypes: readonly RoleConnectionMetadataType[] = [
  "integer_less_than_or_equal",
  "integer_greater_than_or_equal",
  "integer_equal",
  "integer_not_equal",
  "datetime_less_than_or_equal",
  "datetime_greater_than_or_equal",
  "boolean_equal",
  "boolean_not_equal",
];

/**
 * Returns the body of the request that sets a role connection.
 *
 * @throws {TypeError} If a field has a wrong type. The message names the field.
 * @throws {RangeError} If a text is too long, there are too many values, or a number is not whole.
 */
export function roleConnectionBody(connection: RoleConnectionParams): RoleConnectionBody {
  checkObject("connection", connection);
  const { platformName, platformUsername, metadata } = connection;
  if (platformName != null) checkTextLength("platformName", platformName, { max: 50 });
  if (platformUsername != null) {
    checkTextLength("platformUsername", platformUsername, { max: 100 });
  }
  return {
    ...(platformName != null && { platform_name: platformName }),
    ...(platformUsername != null && { platform_username: platformUsername }),
    ...(metadata != null && { metadata: metadataBody(metadata) }),
  };
}

function metadataBody(
  metadata: NonNullable<RoleConnectionParams["metadata"]>,
): Record<string, string> {
  checkObject("metadata", metadata);
  const entries = Object.entries(metadata).flatMap(([key, value]) =>
    value == null ? [] : [[key, value] as const]
  );
  checkCount("metadata", entries.length, "values");
  return Object.fromEntries(entries.map(([key, value]) => {
    checkKey("a key of metadata", key);
    return [key, valueText(`metadata.${key}`, value)];
  }));
}

/** Returns the text that the platform expects for a value. */
function valueText(argument: string, value: RoleConnectionValue): string {
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
  checkTextLength(argument, value, { min: 1, max: maxValueLength });
  return value;
}

/**
 * Returns the body of the request that sets the records of an application.
 *
 * @throws {TypeError} If a field has a wrong type. The message names the field.
 * @throws {RangeError} If a text is too short or too long, or there are too many records.
 */
export function metadataRecordsBody(
  records: readonly RoleConnectionMetadataParams[],
): Record<string, unknown>[] {
  if (!Array.isArray(records)) throwBadObject("records", "a list", records);
  checkCount("records", records.length, "entries");
  return records.map((record, index) => metadataRecordBody(record, `records[${index}]`));
}

function metadataRecordBody(
  record: RoleConnectionMetadataParams,
  place: string,
): Record<string, unknown> {
  checkObject(place, record);
  const { type, key, name, nameLocalizations, description, descriptionLocalizations } = record;
  const number = typeof type === "number" ? type : metadataTypes.indexOf(type) + 1;
  if (!metadataTypes[number - 1]) {
    throwBadArgument(`${place}.type`, `a number from 1 to 8, or ${metadataTypes.join(", ")}`, type);
  }
  checkKey(`${place}.key`, key);
  const nameLengths = { min: 1, max: maxNameLength };
  const descriptionLengths = { min: 1, max: maxDescriptionLength };
  checkTextLength(`${place}.name`, name, nameLengths);
  checkTextLength(`${place}.description`, description, descriptionLengths);
  checkTexts(`${place}.nameLocalizations`, nameLocalizations, nameLengths);
  checkTexts(`${place}.descriptionLocalizations`, descriptionLocalizations, descriptionLengths);
  return {
    type: number,
    key,
    name,
    description,
    // Copies, as the request may be sent later.
    ...(nameLocalizations != null && { name_localizations: { ...nameLocalizations } }),
    ...(descriptionLocalizations != null && {
      description_localizations: { ...descriptionLocalizations },
    }),
  };
}

/** Checks localized texts. */
function checkTexts(
  argument: string,
  texts: Readonly<Record<string, string>> | null | undefined,
  lengths: Parameters<typeof checkTextLength>[2],
): void {
  if (texts == null) return;
  checkObject(argument, texts);
  // The message does not name the locale, which is text of the caller's.
  for (const text of Object.values(texts)) checkTextLength(`a text of ${argument}`, text, lengths);
}

function checkKey(argument: string, key: unknown): asserts key is string {
  if (typeof key !== "string" || !/^[a-z0-9_]{1,50}$/.test(key)) {
    throwBadArgument(argument, "1 to 50 of the characters a-z, 0-9 and _", key);
  }
}

function checkCount(argument: string, count: number, what: string): void {
  if (count > maxRecords) {
    throw new RangeError(`${argument} must have at most ${maxRecords} ${what}, received ${count}`);
  }
}

function checkObject(argument: string, value: unknown): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throwBadObject(argument, "an object", value);
  }
}
