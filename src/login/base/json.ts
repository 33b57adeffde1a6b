/**
 * The types of JSON values, so that the compiler rejects user data with a `Date` or a promise.
 *
 * @module
 */

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
