/**
 * Values that are JSON: a check before a value is stored or sent, and the types with which the compiler rejects the same values, and a
 * `Date` too, since a session would have its text.
 *
 * @module
 */

import { isName, tagOf } from "../../core/arguments.ts";

/** The advice for some kinds of values that are not JSON. */
const advice: Readonly<Record<string, string>> = {
  bigint: ": use a string",
  Promise: ": await it",
};

/**
 * Throws if the JSON of a value would lose a part of it. Accepts `undefined` in properties and lists, and values with `toJSON`, such as a
 * `Date`.
 *
 * @param subject The start of the message, as in `sessionUser must return`.
 * @param path The names of the properties that contain the value, as in `friends.0`.
 * @param parents The objects and lists that contain the value.
 * @throws {TypeError} If the value is not a JSON value. The message has the kind and the path of the wrong part, and does not show it.
 */
export function checkJson(
  subject: string,
  value: unknown,
  path = "",
  parents: readonly unknown[] = [],
): void {
  const given: unknown = typeof Object(value).toJSON === "function"
    ? Object(value).toJSON()
    : value;
  const tag = parents.includes(given) ? "a circle" : tagOf(given);
  if (/^(Null|String|Boolean)$/.test(tag) || Number.isFinite(given)) return;
  if (!/^(Object|Array)$/.test(tag)) {
    const kind = typeof given === "object" ? tag : typeof given;
    throw new TypeError(
      `${subject} a JSON value, received ${kind}${path && ` at ${path}`}${advice[kind] ?? ""}`,
    );
  }
  for (const [name, item] of Object.entries(Object(given))) {
    // The name may be a value of the application, even a secret.
    const shown = tag === "Array" || isName(name) ? name : "…";
    const place = path ? `${path}.${shown}` : shown;
    if (item !== undefined) checkJson(subject, item, place, [...parents, given]);
  }
}

/**
 * Requires JSON from the function of an option: `unknown` if it returns JSON, or a text for the compiler to show at the option.
 *
 * @typeParam Value The type that the function returns.
 * @typeParam Name The name of the option.
 */
export type ReturnsJson<Value, Name extends string> = [Value] extends [JsonOf<Value>] ? unknown
  : { readonly [Key in Name]?: JsonProblem<Value> };

/** The value, with `never` where it is not JSON. A property may be `undefined`: JSON leaves it out. */
type JsonOf<Value> = unknown extends Value ? Value
  : Value extends string | number | boolean | null ? Value
  : Value extends readonly unknown[] ? readonly (JsonOf<Value[number]> | undefined)[]
  : Value extends NotJson ? never
  : {
    [Key in keyof Value]: Key extends symbol ? Value[Key] : JsonOf<Value[Key]> | undefined;
  };

/** Values that JSON refuses, leaves out or changes. Other classes have methods, which are functions. */
type NotJson =
  | bigint
  | symbol
  | void
  | ((...args: never) => unknown)
  | { readonly toJSON: unknown }
  | { readonly forEach: unknown };

/** The text about a value that is not JSON. It names the properties that are not. */
type JsonProblem<Value> = Value extends NotJson | readonly unknown[] ? "must return JSON"
  : {
    [Key in keyof Value & string]: Value[Key] extends JsonOf<Value[Key]> | undefined ? never
      : `must return JSON, but \`${Key}\` is not`;
  }[keyof Value & string];
