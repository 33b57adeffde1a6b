/**
 * What the parts of an answer should be: valibot schemas, with what is needed to repair an answer that does not fit.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";

/** A part of an answer. */
export interface Shape<Value> {
  /** What an issue says was expected, for example `a snowflake`. */
  readonly expected: string;
  /** Checks the part, and gives a copy of it. */
  readonly schema: v.GenericSchema<unknown, Value>;
  /** The fields of an object. */
  readonly fields?: Readonly<Record<string, Field>>;
  /** The shape of a list's entries. */
  readonly entry?: Shape<unknown>;
  /** The shape of the values of an object whose names are not those of fields. */
  readonly value?: Shape<unknown>;
  /**
   * Makes what fits out of a single value that does not, where the meaning is clear; `undefined` where it is not.
   *
   * @param holder The object that has the value.
   */
  readonly mend?: (found: unknown, holder: Readonly<Record<string, unknown>>) => unknown;
}

/** A field of an object. */
export interface Field<Value = unknown> {
  /** What the field holds. */
  readonly shape: Shape<Value>;
  /** What stands for a field that is missing or can't be read; a required field has nothing. */
  readonly otherwise?: Value | null;
}

/** The fields of a model, each with a shape that fits its type: nullable where the type is, and nowhere else. */
export type FieldsOf<Model> = {
  readonly [Name in keyof Model]-?: null extends Model[Name]
    ? NullableField<NonNullable<Model[Name]>>
    : { readonly shape: Shape<Model[Name]>; readonly otherwise?: Model[Name] };
};

type NullableField<Value> =
  | { readonly shape: Shape<Value>; readonly otherwise: null }
  | { readonly shape: NullableShape<Value> };

interface NullableShape<Value> extends Shape<Value | null> {
  readonly isNullable: true;
}

/** A field that may be missing: `null` then. */
export function optional<Value>(
  shape: Shape<Value>,
): { readonly shape: Shape<Value>; readonly otherwise: null } {
  return { shape, otherwise: null };
}

/** A field without which the object can't be read. */
export function required<Any extends Shape<unknown>>(shape: Any): { readonly shape: Any } {
  return { shape };
}

/** A field that may be missing and has a value of its own then. */
export function withDefault<Value>(
  shape: Shape<Value>,
  otherwise: Value,
): { readonly shape: Shape<Value>; readonly otherwise: Value } {
  return { shape, otherwise };
}

/** Text. */
export const string: Shape<string> = { expected: "a string", schema: v.string() };

/** A number. JSON may have some, such as 1e999, that become `Infinity`: they can't be read. */
export const number: Shape<number> = {
  expected: "a finite number",
  schema: v.pipe(v.number(), v.finite()),
};

/** `true` or `false`. */
export const boolean: Shape<boolean> = { expected: "true or false", schema: v.boolean() };

/** An id: a decimal string of up to 64 bits. */
export const snowflake: Shape<string> = {
  expected: "a snowflake",
  schema: v.pipe(v.string(), v.regex(/^\d{1,20}$/)),
};

/** Text that fits into a header, such as a token. */
export const printable: Shape<string> = {
  expected: "printable characters",
  schema: v.pipe(v.string(), v.regex(/^[!-~]+$/)),
};

/** A permission value: a decimal string. A whole number that has lost no digits becomes one. */
export const permissions: Shape<`${bigint}`> = {
  expected: "a decimal string",
  schema: v.pipe(
    v.string(),
    v.regex(/^\d+$/),
    v.transform((value) => value as `${bigint}`),
  ),
  mend: (found) => Number.isSafeInteger(found) && Number(found) >= 0 ? String(found) : undefined,
};

/** A value that may be `null` and must not be missing. */
export function nullable<Value>(shape: Shape<Value>): NullableShape<Value> {
  return { ...shape, schema: v.nullable(shape.schema), isNullable: true };
}

/** A list; an entry that can't be read is left out. */
export function list<Value>(entry: Shape<Value>): Shape<readonly Value[]> {
  return { expected: "an array", schema: v.array(entry.schema), entry };
}

/** An object whose names are not those of fields; a value that can't be read is left out. */
export function table<Value>(value: Shape<Value>): Shape<Readonly<Record<string, Value>>> {
  // Not valibot's record, which leaves out some names, such as "constructor".
  const schema = v.pipe(
    v.custom<Record<string, unknown>>(isObject),
    v.transform((found) => Object.entries(found)),
    v.array(v.strictTuple([v.string(), value.schema])),
    v.transform((entries) => Object.fromEntries(entries)),
  );
  return { expected: "an object", schema, value };
}

/** An object with these fields; others pass through as they came. */
export function object<Model extends object>(fields: FieldsOf<Model>): Shape<Model> {
  const entries = Object.entries<Field>(fields).map(([name, { shape, otherwise }]) => [
    name,
    otherwise === undefined ? shape.schema : v.nullish(shape.schema, otherwise),
  ]);
  // To valibot, a list is an object too.
  const schema = v.pipe(v.custom(isObject), v.looseObject(Object.fromEntries(entries)));
  // The type of the fields says that the output is a model.
  return {
    expected: "an object",
    schema: schema as unknown as v.GenericSchema<unknown, Model>,
    fields,
  };
}

/** Whether a value is an object, and not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
