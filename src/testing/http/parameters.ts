/**
 * What clients write into paths, queries and bodies: read as the platform reads it, or refused with its form errors.
 *
 * @module
 */

import { isSnowflake } from "../world/snowflake.ts";
import type { Call } from "./responses.ts";
import { formError, Refusal } from "./responses.ts";

export function readParam(call: Call, name: string): string {
  const value = call.params[name];
  if (!isSnowflake(value)) {
    throw new Refusal(
      formError(name, "NUMBER_TYPE_COERCE", `Value "${value}" is not snowflake.`),
    );
  }
  return value;
}

export function readSnowflake(query: URLSearchParams, name: string): bigint | null {
  const value = query.get(name);
  if (value === null) return null;
  if (isSnowflake(value)) return BigInt(value);
  throw new Refusal(formError(name, "NUMBER_TYPE_COERCE", `Value "${value}" is not snowflake.`));
}

export function readLimit(value: string | null): number {
  if (value === null) return 200;
  if (!/^-?\d+$/.test(value)) {
    throw new Refusal(formError("limit", "NUMBER_TYPE_COERCE", `Value "${value}" is not int.`));
  }
  if (Number(value) < 1) {
    throw new Refusal(
      formError("limit", "NUMBER_TYPE_MIN", "int value should be greater than or equal to 1."),
    );
  }
  if (Number(value) > 200) {
    throw new Refusal(
      formError("limit", "NUMBER_TYPE_MAX", "int value should be less than or equal to 200."),
    );
  }
  return Number(value);
}

export function readBoolean(query: URLSearchParams, name: string): boolean {
  const value = query.get(name)?.toLowerCase();
  if (value === undefined || value === "false" || value === "0") return false;
  if (value === "true" || value === "1") return true;
  throw new Refusal(formError(name, "BOOLEAN_TYPE_CONVERT", "Must be either true or false."));
}

/** A text of at most so many characters. An emoji is one. */
export function readText(
  field: string | readonly string[],
  value: unknown,
  { shortest = 0, longest }: { readonly shortest?: number; readonly longest: number },
): string {
  if (typeof value !== "string") {
    throw new Refusal(
      formError(field, "STRING_TYPE_CONVERT", "Could not interpret value as string."),
    );
  }
  const length = [...value].length;
  if (length > longest) {
    throw new Refusal(
      formError(field, "BASE_TYPE_MAX_LENGTH", `Must be ${longest} or fewer in length.`),
    );
  }
  if (length < shortest) {
    throw new Refusal(
      formError(field, "BASE_TYPE_MIN_LENGTH", `Must be ${shortest} or more in length.`),
    );
  }
  return value;
}

/** An object whose names are not those of fields. */
export function readTable(
  field: string | readonly string[],
  value: unknown,
): [name: string, value: unknown][] {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return Object.entries(value);
  }
  throw new Refusal(formError(field, "DICT_TYPE_CONVERT", "Only dictionaries may be used."));
}
