/**
 * The shapes of the parts of an answer: valibot schemas, with the data that a repair needs.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";

/** The shape of a part of an answer. */
export interface Shape<Value> {
  /** The name of the expected value in an issue, for example `a snowflake`. */
  readonly expected: string;
  /** The schema that checks and copies the part. */
  readonly schema: v.GenericSchema<unknown, Value>;
  /** The fields of an object. */
  readonly fields?: Readonly<Record<string, Field>>;
  /** The shape of a list's entries. */
  readonly entry?: Shape<unknown>;
  /** The shape of the values of a table. */
  readonly value?: Shape<unknown>;
  /**
   * Converts a value that does not fit but has a clear meaning; returns `undefined` for any other value.
   *
   * @param parent The object that holds the value.
   */
  readonly coerce?: (found: unknown, parent: Readonly<Record<string, unknown>>) => unknown;
}

/** A field of an object. */
export interface Field<Value = unknown> {
  /** The shape of the field's value. */
  readonly shape: Shape<Value>;
  /** The value of a field that is missing or can't be read. A required field has none. */
  readonly fallback?: Value | null;
}

/** The fields of a model. The shape of each fits its type: it is nullable if, and only if, the type is. */
export type FieldsOf<Model> = {
  readonly [Name in keyof Model]-?: null extends Model[Name]
    ? NullableField<NonNullable<Model[Name]>>
    : { readonly shape: Shape<Model[Name]>; readonly fallback?: Model[Name] };
};

type NullableField<Value> =
  | { readonly shape: Shape<Value>; readonly fallback: null }
  | { readonly shape: NullableShape<Value> };

interface NullableShape<Value> extends Shape<Value | null> {
  readonly isNullable: true;
}

/** A field that is `null` if it is missing or can't be read. */
export function optional<Value>(
  shape: Shape<Value>,
): { readonly shape: Shape<Value>; readonly fallback: null } {
  return { shape, fallback: null };
}

/** A field without which the object can't be read. */
export function required<Any extends Shape<unknown>>(shape: Any): { readonly shape: Any } {
  return { shape };
}

/** A field with a default value if it is missing or can't be read. */
export function withDefault<Value>(
  shape: Shape<Value>,
  fallback: Value,
): { readonly shape: Shape<Value>; readonly fallback: Value } {
  return { shape, fallback };
}

/** Text. */
export const string: Shape<string> = { expected: "a string", schema: v.string() };

/** A finite number. JSON may hold numbers such as 1e999, which become `Infinity`. */
export const number: Shape<number> = {
  expected: "a finite number",
  schema: v.pipe(v.number(), v.finite()),
};

/** `true` or `false`. */
export const boolean: Shape<boolean> = { expected: "true or false", schema: v.boolean() };

/** A snowflake: a decimal string of up to 64 bits. */
export const snowflake: Shape<string> = {
  expected: "a snowflake",
  schema: v.pipe(v.string(), v.regex(/^\d{1,20}$/)),
};

/** Text that fits into a header, such as a token. */
export const printable: Shape<string> = {
  expected: "printable characters",
  schema: v.pipe(v.string(), v.regex(/^[!-~]+$/)),
};

/** A permission value: a decimal string. A whole number that has lost no digits is converted. */
export const permissions: Shape<`${bigint}`> = {
  expected: "a decimal string",
  schema: v.pipe(
    v.string(),
    v.regex(/^\d+$/),
    v.transform((value) => value as `${bigint}`),
  ),
  coerce: (found) => Number.isSafeInteger(found) && Number(found) >= 0 ? String(found) : undefined,
};

/** A value that may be `null` and must not be missing. */
export function nullable<Value>(shape: Shape<Value>): NullableShape<Value> {
  return { ...shape, schema: v.nullable(shape.schema), isNullable: true };
}

/** A list. An entry that can't be read is left out. */
export function list<Value>(entry: Shape<Value>): Shape<readonly Value[]> {
  return { expected: "an array", schema: v.array(entry.schema), entry };
}

/** A table: an object with any names. An entry that can't be read is left out. */
export function table<Value>(value: Shape<Value>): Shape<Readonly<Record<string, Value>>> {
  // valibot's record leaves out some names, such as "constructor".
  const schema = v.pipe(
    v.custom<Record<string, unknown>>(isObject),
    v.transform((found) => Object.entries(found)),
    v.array(v.strictTuple([v.string(), value.schema])),
    v.transform((entries) => Object.fromEntries(entries)),
  );
  return { expected: "an object", schema, value };
}

/** An object with the given fields. Other fields pass through unchecked. */
export function object<Model extends object>(fields: FieldsOf<Model>): Shape<Model> {
  const entries = Object.entries<Field>(fields).map(([name, { shape, fallback }]) => [
    name,
    fallback === undefined ? shape.schema : v.nullish(shape.schema, fallback),
  ]);
  // The custom check is needed since valibot takes a list for an object.
  const schema = v.pipe(v.custom(isObject), v.looseObject(Object.fromEntries(entries)));
  // The type of the fields says that the output is a model.
  return {
    expected: "an object",
    schema: schema as unknown as v.GenericSchema<unknown, Model>,
    fields,
  };
}

/** Returns true if a value is an object and not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
