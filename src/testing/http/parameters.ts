/**
 * Reads parameters from the path, the query and the body. A wrong value throws the platform's form error.
 *
 * @module
 */

import { isSnowflake } from "../world/snowflake.ts";
import type { Call } from "./call.ts";
import { apiError, type FieldPath, formError } from "./responses.ts";

/** Reads an id from the path. */
export function readPathId(call: Call, name: string): string {
  const value = call.params[name];
  if (isSnowflake(value)) return value;
  throw snowflakeError(name, value);
}

/** Reads an id from the query; `null` without this parameter. */
export function readQueryId(query: URLSearchParams, name: string): bigint | null {
  const value = query.get(name);
  if (value === null) return null;
  if (isSnowflake(value)) return BigInt(value);
  throw snowflakeError(name, value);
}

/** Reads the maximum number of entries of a page, from 1 to `max`. */
export function readLimit(
  query: URLSearchParams,
  { max = 200, defaultLimit = max }: { readonly max?: number; readonly defaultLimit?: number } = {},
): number {
  const value = query.get("limit");
  if (value === null) return defaultLimit;
  if (!/^-?\d+$/.test(value)) {
    throw formError("limit", "NUMBER_TYPE_COERCE", `Value "${value}" is not int.`);
  }
  if (Number(value) < 1) {
    const message = "int value should be greater than or equal to 1.";
    throw formError("limit", "NUMBER_TYPE_MIN", message);
  }
  if (Number(value) > max) {
    const message = `int value should be less than or equal to ${max}.`;
    throw formError("limit", "NUMBER_TYPE_MAX", message);
  }
  return Number(value);
}

export function readBoolean(query: URLSearchParams, name: string, defaultValue = false): boolean {
  const value = query.get(name)?.toLowerCase();
  if (value === undefined) return defaultValue;
  if (value === "false" || value === "0") return false;
  if (value === "true" || value === "1") return true;
  throw formError(name, "BOOLEAN_TYPE_CONVERT", "Must be either true or false.");
}

/** The bounds of a text's length, in characters. */
export interface TextLength {
  /** @default 0 */
  readonly min?: number;
  readonly max: number;
}

/** Checks a text of the body. An emoji counts as one character. */
export function readText(field: FieldPath, value: unknown, { min = 0, max }: TextLength): string {
  if (typeof value !== "string") {
    throw formError(field, "STRING_TYPE_CONVERT", "Could not interpret value as string.");
  }
  const length = [...value].length;
  if (length > max) throw maxLengthError(field, max);
  if (length < min) {
    throw formError(field, "BASE_TYPE_MIN_LENGTH", `Must be ${min} or more in length.`);
  }
  return value;
}

/** Reads the entries of an object with arbitrary keys. */
export function readDictionary(field: FieldPath, value: unknown): [key: string, value: unknown][] {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return Object.entries(value);
  }
  throw formError(field, "DICT_TYPE_CONVERT", "Only dictionaries may be used.");
}

export function maxLengthError(field: FieldPath, max: number): Response {
  return formError(field, "BASE_TYPE_MAX_LENGTH", `Must be ${max} or fewer in length.`);
}

function snowflakeError(name: string, value: string | undefined): Response {
  return formError(name, "NUMBER_TYPE_COERCE", `Value "${value}" is not snowflake.`);
}

/** Reads the JSON object in the body; an absent body counts as an empty object. */
export function readJson(call: Call): Record<string, unknown> {
  const value = call.body === "" ? {} : parseJson(call.body);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw invalidJsonError();
}

/** Reads the JSON list in the body; `null` counts as an empty list. */
export function readJsonList(call: Call): readonly unknown[] {
  const value = parseJson(call.body) ?? [];
  if (Array.isArray(value)) return value;
  throw invalidJsonError();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidJsonError();
  }
}

function invalidJsonError(): Response {
  return apiError(400, 50109, "The request body contains invalid JSON.");
}

/** Returns an own property by a name from the client. It ignores inherited properties such as `constructor`. */
export function ownProperty<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Reads the form in the body. A body of another media type counts as an empty form, as on the platform. */
export function readForm({ headers, body }: Call): URLSearchParams {
  return new URLSearchParams(
    hasMediaType(headers, "application/x-www-form-urlencoded") ? body : "",
  );
}

/** Returns true if the headers declare a body of a media type. */
export function hasMediaType(headers: Headers, type: string): boolean {
  return (headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() === type;
}
