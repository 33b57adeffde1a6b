/**
 * What a caller may configure: which fields there are, what each must be, and what it is when it is not given.
 *
 * The same checks serve code, where the types help, and JSON files, which have no types.
 *
 * @module
 */

import { misspelledName } from "../../core/did_you_mean.ts";
import { isPermissions } from "./permissions.ts";
import { isSnowflake } from "./snowflake.ts";

/** Throws a `TypeError` that names the path when a value is not what it must be. */
export type Check = (value: unknown, path: string) => void;

/** One field of an object. */
export interface Field<T> {
  readonly check: Check;
  readonly required: boolean;
  /** Its value when it is not given; `undefined` leaves the field out. */
  readonly defaultValue: T | undefined;
}

/** The fields of an object, all of them: a field that is missing here does not compile. */
export type Fields<T> = { readonly [Key in keyof T]-?: Field<T[Key]> };

/** A field that must be given. */
export function required<T>(check: Check): Field<T> {
  return { check, required: true, defaultValue: undefined };
}

/** A field that is absent unless given. */
export function optional<T>(check: Check): Field<T> {
  return { check, required: false, defaultValue: undefined };
}

/** A field that has a usual value. */
export function withDefault<T>(check: Check, usual: T): Field<T> {
  return { check, required: false, defaultValue: usual };
}

/** The whole object, with the usual values where none are given. An `undefined` counts as not given. */
export function applyDefaults<T>(fields: Fields<T>, given: Partial<T>): T {
  const values: Readonly<Record<string, unknown>> = { ...given };
  return Object.fromEntries(
    Object.entries<Field<unknown>>(fields)
      .map((
        [name, { defaultValue: usual }],
      ) => [name, values[name] === undefined ? usual : values[name]])
      .filter(([, value]) => value !== undefined),
  );
}

export function string(value: unknown, path: string): void {
  throwUnless(typeof value === "string", "a string", value, path);
}

export function nonEmptyString(value: unknown, path: string): void {
  const isFilled = typeof value === "string" && value !== "";
  throwUnless(isFilled, "a string with characters in it", value, path);
}

/** Text that no message may repeat. */
export function secretString(value: unknown, path: string): void {
  if (typeof value === "string" && value !== "") return;
  const found = value === "" ? "an empty one" : describeType(value);
  throw new TypeError(`${path} must be a string with characters in it: found ${found}`);
}

export function boolean(value: unknown, path: string): void {
  throwUnless(typeof value === "boolean", "true or false", value, path);
}

export function integer(value: unknown, path: string): void {
  throwUnless(Number.isSafeInteger(value), "an integer", value, path);
}

export function nullOnly(value: unknown, path: string): void {
  throwUnless(value === null, "null", value, path);
}

export function anyFunction(value: unknown, path: string): void {
  throwUnless(typeof value === "function", "a function", value, path);
}

export function snowflake(value: unknown, path: string): void {
  throwUnless(isSnowflake(value), "a snowflake, a decimal string", value, path);
}

export function permissions(value: unknown, path: string): void {
  throwUnless(isPermissions(value), "a decimal string", value, path);
}

/** Accepts any value. */
export function anyValue(): void {}

/** Says what a value must be, unless it is. */
export function throwUnless(holds: boolean, wanted: string, value: unknown, path: string): void {
  if (!holds) throw new TypeError(`${path} must be ${wanted}: found ${formatValue(value)}`);
}

export function nullable(check: Check): Check {
  return (value, path) => {
    if (value !== null) check(value, path);
  };
}

export function listOf(check: Check): Check {
  return (value, path) => {
    if (!Array.isArray(value)) return throwUnless(false, "a list", value, path);
    value.forEach((item, at) => check(item, `${path}[${at}]`));
  };
}

/**
 * An object with names that are not those of fields.
 *
 * @param known The names it may have; any unless given.
 */
export function recordOf(check: Check, known?: readonly string[]): Check {
  return (value, path) => {
    for (const [key, entry] of entriesOf(value, path)) {
      const where = `${path}[${formatValue(key)}]`;
      if (known !== undefined && !known.includes(key)) {
        throw new TypeError(`${where} is unknown: ${spellingHint(key, known)}`);
      }
      check(entry, where);
    }
  };
}

/** An object with these fields and no others. */
export function objectOf<T>(fields: Fields<T>): Check {
  const known: Readonly<Record<string, Field<unknown>>> = fields;
  return (value, path) => {
    const entries = entriesOf(value, path);
    for (const [name] of entries) {
      if (!Object.hasOwn(known, name)) throw unknownFieldError(path, name, Object.keys(known));
    }
    const given: Readonly<Record<string, unknown>> = Object.fromEntries(entries);
    for (const [name, { check, required }] of Object.entries(known)) {
      if (required || given[name] !== undefined) check(given[name], joinPath(path, name));
    }
  };
}

/** A value as a message may show it: short, and on one line. */
export function formatValue(value: unknown): string {
  if (typeof value === "string" && value.length > 80) return `${value.length} characters`;
  if (typeof value === "string") return JSON.stringify(value);
  return typeof value === "object" && value !== null || typeof value === "function"
    ? describeType(value)
    : String(value);
}

function describeType(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function entriesOf(value: unknown, path: string): [string, unknown][] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new TypeError(
      `${path === "" ? "the options" : path} must be an object: found ${formatValue(value)}`,
    );
  }
  return Object.entries(value);
}

function unknownFieldError(path: string, name: string, known: readonly string[]): TypeError {
  // Other names are not repeated: they may be values in the wrong place, even secrets.
  if (!/^\w{1,40}$/.test(name)) {
    const where = path === "" ? "the options have" : `${path} has`;
    return new TypeError(`${where} an unknown field, with a name of ${name.length} characters`);
  }
  return new TypeError(`${joinPath(path, name)} is unknown: ${spellingHint(name, known)}`);
}

function spellingHint(name: string, known: readonly string[]): string {
  const meant = misspelledName(name, known);
  return meant === undefined ? `known are ${known.join(", ")}` : `did you mean ${meant}?`;
}

function joinPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

export function isPositive(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value > 0;
}
