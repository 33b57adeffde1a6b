/**
 * Checks the arguments for the body of a request, and converts them to what the platform expects.
 *
 * @module
 */

import { checkTextLength, throwBadArgument, throwBadObject } from "../core/arguments.ts";
import { checkOptionNames } from "../core/options.ts";

/**
 * Checks a value, and returns what is sent for it; `undefined` if nothing is sent.
 *
 * @param argument The name of the value in errors.
 */
export type Convert<Sent = unknown> = (argument: string, value: unknown) => Sent;

/**
 * Returns the fields of an object as they are sent.
 *
 * @param prefix The text before the name of a field in errors.
 * @throws {TypeError} If the value is not an object, a name is unknown, or a field has a wrong type. The message names the field.
 * @throws {RangeError} If a text or a list is too long.
 */
export function bodyOf(
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
export function optional(convert: Convert): Convert {
  return (argument, value) => value == null ? undefined : convert(argument, value);
}

/** A value that is sent as it is. */
export function checked(check: (argument: string, value: unknown) => void): Convert {
  return (argument, value) => {
    check(argument, value);
    return value;
  };
}

/** Text of a length in characters. */
export function text(min: number, max: number): Convert {
  return checked((argument, value) => checkTextLength(argument, value, { min, max }));
}

/** One of the platform's kinds, as a name or as its number. The numbers begin with 1. */
export function kind(names: readonly string[], expected: string): Convert<number> {
  return (argument, value) => {
    const number = typeof value === "number" ? value : names.findIndex((it) => it === value) + 1;
    if (names[number - 1] === undefined) throwBadArgument(argument, expected, value);
    return number;
  };
}

/** A list. It is copied, as the request may be sent later. */
export function list<Sent>(max: number, convert: Convert<Sent>): Convert<Sent[]> {
  return (argument, value) => {
    if (!Array.isArray(value)) throwBadObject(argument, "a list", value);
    checkCount(argument, value.length, max, "entries");
    return value.map((entry, index) => convert(`${argument}[${index}]`, entry));
  };
}

/** Checks the number of parts of a value. */
export function checkCount(argument: string, count: number, max: number, what: string): void {
  if (count > max) {
    throw new RangeError(`${argument} must have at most ${max} ${what}, received ${count}`);
  }
}

/** Checks that a value is an object and not a list. */
export function checkObject(
  argument: string,
  value: unknown,
  expected = "an object",
): asserts value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throwBadObject(argument, expected, value);
  }
}
