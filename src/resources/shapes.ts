/**
 * Describes the shapes of responses and their parts, as valibot schemas with what is needed to repair a wrong response.
 *
 * The schemas only check: they never copy or change a value. Calls that create shapes are marked as pure, so a bundle contains
 * only the used shapes.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";

/** The shape of a part of a response. */
export interface Shape<Value> {
  /** The name of the expected value in an issue, for example `a snowflake`. */
  readonly expected: string;
  /** The schema that checks the part. */
  readonly schema: v.GenericSchema<unknown, Value>;
  /** The fields of an object. */
  readonly fields?: readonly Field[];
  /** Adds the derived fields of an object, which the platform does not send. */
  readonly derive?: ((model: object, cdnUrl: string) => void) | undefined;
  /** The shape of a list's entries. */
  readonly entry?: Shape<unknown>;
  /** The shape of the values of a table. */
  readonly value?: Shape<unknown>;
  /**
   * Converts a value that does not match the shape but has a clear meaning, such as a number in place of a decimal string; returns `undefined` for any other value.
   *
   * @param parent The object that holds the value.
   */
  readonly coerce?: (found: unknown, parent: Readonly<Record<string, unknown>>) => unknown;
}

/** A field of an object. */
export interface Field {
  readonly name: string;
  /** The shape of the field's value. */
  readonly shape: Shape<unknown>;
  /** The default for a field that is missing or can't be read; `undefined` for a required field. */
  readonly fallback: unknown;
}

/** The fields of a model that are never `null`. If such a field is missing and has no default value, the object is unreadable. */
export type RequiredFields<Model> = {
  readonly [Name in keyof Model as null extends Model[Name] ? never : Name]-?:
    | Shape<Model[Name]>
    | { readonly shape: Shape<Model[Name]>; readonly fallback: Model[Name] };
};

/** The fields of a model that are `null` if they are missing or can't be read. A `nullable` field must not be missing. */
export type OptionalFields<Model> = {
  readonly [Name in keyof Model as null extends Model[Name] ? Name : never]-?:
    | Shape<NonNullable<Model[Name]>>
    | { readonly shape: Shape<Model[Name]>; readonly fallback: undefined };
};

/** A model that is not frozen yet. */
export type Mutable<Model> = { -readonly [Name in keyof Model]: Model[Name] };

/** A required field that may be `null`. */
export function nullable<Value>(
  shape: Shape<Value>,
): { readonly shape: Shape<Value | null>; readonly fallback: undefined } {
  return { shape: { ...shape, schema: v.nullable(shape.schema) }, fallback: undefined };
}

/** Text. */
export const string: Shape<string> = {
  expected: "a string",
  schema: /* @__PURE__ */ v.string(),
};

/** A finite number. JSON may hold numbers such as 1e999, which become `Infinity`. */
export const number: Shape<number> = {
  expected: "a finite number",
  schema: /* @__PURE__ */ v.pipe(/* @__PURE__ */ v.number(), /* @__PURE__ */ v.finite()),
};

/** `true` or `false`. */
export const boolean: Shape<boolean> = {
  expected: "true or false",
  schema: /* @__PURE__ */ v.boolean(),
};

/** A snowflake: a decimal string of up to 64 bits. */
export const snowflake: Shape<string> = /* @__PURE__ */ text("a snowflake", /^\d{1,20}$/);

/** Text that fits into a header, such as a token. */
export const printable: Shape<string> = /* @__PURE__ */ text("printable characters", /^[!-~]+$/);

/** A permission value: a decimal string. A safe integer of 0 or more is converted. */
export const permissions: Shape<`${bigint}`> = /* @__PURE__ */ coerced(
  /* @__PURE__ */ text("a decimal string", /^\d+$/),
  (found) => Number.isSafeInteger(found) && Number(found) >= 0 ? String(found) : undefined,
);

/** Text that matches a pattern. */
export function text<Text extends string>(expected: string, pattern: RegExp): Shape<Text> {
  return {
    expected,
    schema: v.custom<Text>((found) => typeof found === "string" && pattern.test(found)),
  };
}

/** A shape that converts some wrong values. */
export function coerced<Value>(
  shape: Shape<Value>,
  coerce: NonNullable<Shape<Value>["coerce"]>,
): Shape<Value> {
  return { ...shape, coerce };
}

/** A list. An entry that can't be read is left out. */
export function list<Value>(entry: Shape<Value>): Shape<readonly Value[]> {
  const schema = v.custom<readonly Value[]>((found) => {
    if (!Array.isArray(found)) return false;
    for (const part of found) {
      if (!v.is(entry.schema, part)) return false;
    }
    return true;
  });
  return { expected: "an array", schema, entry };
}

/** A table: an object with any names. An entry that can't be read is left out. */
export function table<Value>(value: Shape<Value>): Shape<Readonly<Record<string, Value>>> {
  const schema = v.custom<Readonly<Record<string, Value>>>((found) =>
    isObject(found) && Object.values(found).every((part) => v.is(value.schema, part))
  );
  return { expected: "an object", schema, value };
}

/**
 * An object with the given fields. Other fields are kept unchecked.
 *
 * @param derive Adds the derived fields, which the platform does not send.
 */
export function object<Model extends object, Derived extends keyof Model = never>(
  required: RequiredFields<Omit<Model, Derived>>,
  optional: OptionalFields<Omit<Model, Derived>>,
  derive?: (model: Mutable<Model>, cdnUrl: string) => void,
): Shape<Model> {
  const fields = [...toFields(required, undefined), ...toFields(optional, null)];
  const schema = v.custom<Model>((found) => {
    if (!isObject(found)) return false;
    for (const { name, shape, fallback } of fields) {
      const part = found[name];
      const isMissing = part == null && fallback !== undefined;
      if (!isMissing && !v.is(shape.schema, part)) return false;
    }
    return true;
  });
  return {
    expected: "an object",
    schema,
    fields,
    derive: derive as Shape<Model>["derive"],
  };
}

function toFields(
  given: Readonly<Record<string, Shape<unknown> | Omit<Field, "name">>>,
  fallback: null | undefined,
): Field[] {
  return Object.entries(given).map(([name, field]) => ({
    name,
    ...("shape" in field ? field : { shape: field, fallback }),
  }));
}

/** Returns true if a value is an object and not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
