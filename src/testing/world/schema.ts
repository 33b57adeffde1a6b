/**
 * Describes the fields of objects in the options: the check and the default value of each field.
 *
 * Tables of fields import this module as `f`.
 *
 * The checks are for JavaScript and the config file of `guildpass fake`, since the compiler checks neither.
 *
 * @module
 */

import { checkOptionNames } from "../../core/options.ts";
import { isPermissions } from "./permissions.ts";
import { isSnowflake } from "./snowflake.ts";

/** The fields of an API object, all optional. `undefined` counts as absent. */
export type FakeFields<Payload> = {
  readonly [Key in keyof Payload]?: Payload[Key] | undefined;
};

/** A check, which throws a `TypeError` with the path if the value is not allowed. */
export type Check = (value: unknown, path: string) => void;

/** One field of an object. */
export interface Field<T> {
  readonly check: Check;
  readonly required: boolean;
  /** The value of an absent field. `undefined` keeps the field absent. */
  readonly defaultValue: T | undefined;
}

/** All fields of an object. The compiler rejects an incomplete list. */
export type Fields<T> = { readonly [Key in keyof T]-?: Field<T[Key]> };

/** Creates a required field. */
export function required<T>(check: Check): Field<T> {
  return { check, required: true, defaultValue: undefined };
}

/** Creates an optional field without a default value. */
export function optional<T>(check: Check): Field<T> {
  return { check, required: false, defaultValue: undefined };
}

/** Creates an optional field with a default value. */
export function withDefault<T>(check: Check, defaultValue: T): Field<T> {
  return { check, required: false, defaultValue };
}

/** Returns the object with the default values of absent fields. */
export function applyDefaults<T>(fields: Fields<T>, given: FakeFields<T>): T {
  const values: Readonly<Record<string, unknown>> = { ...given };
  return Object.fromEntries(
    Object.entries<Field<unknown>>(fields)
      .map((
        [name, field],
      ) => [name, values[name] === undefined ? field.defaultValue : values[name]])
      .filter(([, value]) => value !== undefined),
  );
}

export function string(value: unknown, path: string): void {
  throwUnless(typeof value === "string", "a string", value, path);
}

export function nonEmptyString(value: unknown, path: string): void {
  throwUnless(typeof value === "string" && value !== "", "a non-empty string", value, path);
}

/** Checks a non-empty secret string. Error messages never show the secret, not even inside a list or an object. */
export function secretString(value: unknown, path: string): void {
  if (typeof value === "string" && value !== "") return;
  const kind = value === "" ? "an empty string" : describeType(value);
  throw new TypeError(`${path} must be a non-empty string, received ${kind}`);
}

export function boolean(value: unknown, path: string): void {
  throwUnless(typeof value === "boolean", "true or false", value, path);
}

export function integer(value: unknown, path: string): void {
  throwUnless(Number.isSafeInteger(value), "an integer", value, path);
}

export function positiveNumber(value: unknown, path: string): void {
  throwUnless(isPositive(value), "a positive number", value, path);
}

export function positiveInteger(value: unknown, path: string): void {
  throwUnless(Number.isInteger(value) && isPositive(value), "a positive integer", value, path);
}

export function positiveIntegerOrInfinity(value: unknown, path: string): void {
  const holds = value === Infinity || Number.isInteger(value) && isPositive(value);
  throwUnless(holds, "a positive integer or Infinity", value, path);
}

/** Checks a positive number of seconds. */
export function seconds(value: unknown, path: string): void {
  throwUnless(isPositive(value), "a positive number of seconds", value, path);
}

export function nullOnly(value: unknown, path: string): void {
  throwUnless(value === null, "null", value, path);
}

export function anyFunction(value: unknown, path: string): void {
  throwUnless(typeof value === "function", "a function", value, path);
}

/** Checks an id. An error message shows only digits, since any other text may be a misplaced secret. */
export function snowflake(value: unknown, path: string): void {
  const isText = typeof value === "string" && /\D/.test(value);
  const shown = isText ? "a string with more than digits" : formatValue(value);
  if (!isSnowflake(value)) {
    throw new TypeError(`${path} must be a snowflake, a decimal string, received ${shown}`);
  }
}

export function permissions(value: unknown, path: string): void {
  throwUnless(isPermissions(value), "a decimal string", value, path);
}

/** Accepts every value. */
export function anyValue(): void {}

export function nullable(check: Check): Check {
  return (value, path) => {
    if (value !== null) check(value, path);
  };
}

export function listOf(check: Check): Check {
  return (value, path) => {
    if (!Array.isArray(value)) return throwWrongType("a list", value, path);
    value.forEach((item, at) => check(item, `${path}[${at}]`));
  };
}

/**
 * Creates the check for an object whose keys are data, such as ids.
 *
 * @param keys The allowed keys; by default, all keys.
 */
export function recordOf(check: Check, keys?: readonly string[]): Check {
  return (value, path) => {
    requireObject(value, path);
    if (keys !== undefined) checkOptionNames(path, value, keys);
    for (const [key, entry] of Object.entries(value)) check(entry, `${path}[${formatValue(key)}]`);
  };
}

/** Creates the check for an object with these fields and no others. */
export function objectOf<T>(fields: Fields<T>): Check {
  const all = Object.entries<Field<unknown>>(fields);
  return (value, path) => {
    requireObject(value, path);
    checkOptionNames(path === "" ? "options" : path, value, Object.keys(fields));
    const values: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(value));
    for (const [name, { check, required }] of all) {
      if (!required && values[name] === undefined) continue;
      check(values[name], path === "" ? name : `${path}.${name}`);
    }
  };
}

/**
 * Returns the options of a method.
 *
 * @throws {TypeError} If a name is unknown or a value has the wrong type. The message names the method.
 */
export function checkedOptions<Options>(
  method: string,
  fields: Fields<Options>,
  options: Options,
): Options {
  namingMethod(method, () => objectOf(fields)(options, ""));
  return options;
}

/** Adds the name of the method to errors about its options. */
export function namingMethod<Result>(method: string, check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    throw new TypeError(`${method}: ${(error as Error).message}`);
  }
}

/** Throws the error for a wrong value. */
export function throwUnless(
  holds: boolean,
  expected: string,
  value: unknown,
  path: string,
): asserts holds {
  if (!holds) throw new TypeError(`${path} must be ${expected}, received ${formatValue(value)}`);
}

/** Formats a value for an error message: short, and on one line. */
export function formatValue(value: unknown): string {
  if (typeof value === "string" && value.length > 80) return `${value.length} characters`;
  if (typeof value === "string") return JSON.stringify(value);
  const isPlain = value === null || !["object", "function"].includes(typeof value);
  return isPlain ? String(value) : describeType(value);
}

/**
 * Finds an entry by id.
 *
 * @throws {TypeError} If the entry is unknown. The message has the path.
 */
export function requireEntry<Entry>(
  entries: ReadonlyMap<string, Entry>,
  id: string,
  path: string,
  kind: "guilds" | "users" | "applications",
): Entry {
  return entries.get(id) ?? throwUnknown(id, path, `the ids of ${kind}`);
}

export function throwUnknown(name: string, path: string, expected: string): never {
  throw new TypeError(
    `${path} must use ${expected} of the platform, received ${formatValue(name)}`,
  );
}

/** Throws the error for a value of the wrong type. The message does not show the value, which may be a misplaced secret. */
export function throwWrongType(expected: string, value: unknown, path: string): never {
  throw new TypeError(`${path} must be ${expected}, received ${describeType(value)}`);
}

/** Returns the kind of a value, as in `an object`. */
export function describeType(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function requireObject(value: unknown, path: string): asserts value is object {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject) throwWrongType("an object", value, path === "" ? "options" : path);
}

function isPositive(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value > 0;
}
