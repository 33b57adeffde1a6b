/**
 * Describes the shapes of responses and their parts. A shape is plain data: nothing runs at import, and its valibot schema is created at
 * the first use, so that a login creates only the schemas of a token and a user.
 *
 * The schemas only check: they never copy or change a value.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";

/** The shape of a part of a response: an object with fields, a list, a table, or a value without parts. */
export interface AnyShape {
  /** The name of a whole response in errors, as in `The member`. */
  readonly name?: string;
  /** The fields of an object that make it unreadable if they can't be read. */
  readonly required?: Fields;
  /** The fields of an object that are `null` if they are missing or can't be read. */
  readonly optional?: Fields;
  /** Adds the derived fields of an object, which the platform does not send. */
  readonly derive?: (model: never, cdnUrl: string) => void;
  /** The shape of a list's entries. An entry that can't be read is left out. */
  readonly entry?: AnyShape | undefined;
  /** The shape of the values of a table, which is an object with any names. An entry that can't be read is left out. */
  readonly values?: AnyShape | undefined;
  /** The name of an expected value without parts in an issue, for example `a snowflake`. */
  readonly expected?: string;
  /** Creates the schema that checks a value without parts. */
  readonly createSchema?: CreateSchema;
  /**
   * Converts a value that does not match the shape but has a clear meaning, such as a number in place of a decimal string; returns `undefined` for any other value.
   *
   * @param parent The object that holds the value.
   */
  readonly coerce?: (found: unknown, parent: Readonly<Record<string, unknown>>) => unknown;
}

/** Creates a schema. */
type CreateSchema = () => v.GenericSchema;

/** The key of a property in types only. */
declare const value: unique symbol;

/** A shape with the type of its values, whose parts the compiler does not check. */
export interface TypedShape<Value> extends AnyShape {
  /** Used only in types. */
  readonly [value]?: Value;
}

/** The shape of a value of a type. */
export interface Shape<Value> extends TypedShape<Value> {
  readonly entry?: Value extends readonly (infer Entry)[] ? Shape<Entry> : undefined;
  readonly values?: string extends keyof Value ? Shape<Value[string]> : undefined;
  readonly createSchema?: () => v.GenericSchema<unknown, Value>;
}

/** The shape of a value without parts. */
export interface ValueShape<Value> extends Shape<Value> {
  readonly expected: string;
  readonly createSchema: () => v.GenericSchema<unknown, Value>;
}

/** The shape of a model. A field of a response that the model does not have is kept unchecked. */
export type ObjectShape<Model extends object, Derived extends keyof Model = never> =
  & Shape<Model>
  & { readonly derive?: (model: Mutable<Model>, cdnUrl: string) => void }
  & Group<"required", RequiredFields<Omit<Model, Derived>>>
  & Group<"optional", OptionalFields<Omit<Model, Derived>>>;

/** A property with the shapes of fields, which is left out if there are none. */
type Group<Name extends string, Shapes> = keyof Shapes extends never ? unknown
  : { readonly [Key in Name]: Shapes };

/** The shape of a list. */
export type ListShape<Entry> = Shape<readonly Entry[]>;

/** The shapes of fields, by name. */
type Fields = Readonly<Record<string, AnyShape | FieldShape>>;

/** The shape of a field, with a default of its own. */
interface FieldShape<Value = unknown> {
  readonly shape: TypedShape<Value>;
  /** The default for a field that is missing or can't be read; `undefined` for a required field. */
  readonly fallback: Value | undefined;
}

/** The fields of a model that are never `null`. If such a field is missing and has no default value, the object is unreadable. */
type RequiredFields<Model> = {
  readonly [Name in keyof Model as null extends Model[Name] ? never : Name]-?:
    | Shape<Model[Name]>
    | FieldShape<Model[Name]>;
};

/** The fields of a model that are `null` if they are missing or can't be read, unless they have a default of their own. */
type OptionalFields<Model> = {
  readonly [Name in keyof Model as null extends Model[Name] ? Name : never]-?:
    | Shape<NonNullable<Model[Name]>>
    | FieldShape<Model[Name]>;
};

/** A model that is not frozen yet. */
export type Mutable<Model> = { -readonly [Name in keyof Model]: Model[Name] };

/** Text. */
export const string: ValueShape<string> = { expected: "a string", createSchema: v.string };

/** A finite number. JSON may hold numbers such as 1e999, which become `Infinity`. */
export const number: ValueShape<number> = {
  expected: "a finite number",
  createSchema: () => v.custom<number>(Number.isFinite),
};

/** `true` or `false`. */
export const boolean: ValueShape<boolean> = { expected: "true or false", createSchema: v.boolean };

/** A snowflake: a decimal string of up to 64 bits. */
export const snowflake: ValueShape<string> = {
  expected: "a snowflake",
  createSchema: () => text(/^\d{1,20}$/),
};

/** Text that fits into a header, such as a token. */
export const printable: ValueShape<string> = {
  expected: "printable characters",
  createSchema: () => text(/^[!-~]+$/),
};

/** The form of a permission value. */
export const decimal = /^\d+$/;

/** A permission value: a decimal string. A safe integer of 0 or more is converted. */
export const permissions: ValueShape<`${bigint}`> = {
  expected: "a decimal string",
  createSchema: () => text(decimal),
  coerce: (found) => Number.isSafeInteger(found) && Number(found) >= 0 ? String(found) : undefined,
};

/** Creates the schema of text that matches a pattern. */
export function text<Text extends string>(pattern: RegExp): v.GenericSchema<unknown, Text> {
  return v.custom<Text>((found) => typeof found === "string" && pattern.test(found));
}

/** A field of an object. */
export interface Field {
  readonly name: string;
  /** The shape of the field's value. */
  readonly shape: AnyShape;
  /** The default for a field that is missing or can't be read; `undefined` for a required field. */
  readonly fallback: unknown;
  /** The schema of a value without parts. */
  readonly schema: v.GenericSchema | null;
}

/** The schemas of values without parts, by the functions that create them. */
const schemas = new WeakMap<CreateSchema, v.GenericSchema>();

/** The fields of objects. */
const fields = new WeakMap<AnyShape, readonly Field[]>();

/** Returns true if a value matches a shape without parts. */
export function matches(
  { createSchema }: { readonly createSchema: CreateSchema },
  value: unknown,
): boolean {
  return v.is(schemaOf(createSchema), value);
}

/** Returns a schema, which is created at the first use. */
export function schemaOf(createSchema: CreateSchema): v.GenericSchema {
  const schema = schemas.get(createSchema) ?? createSchema();
  schemas.set(createSchema, schema);
  return schema;
}

/** Returns the fields of an object's shape. Required fields come first. */
export function fieldsOf(shape: AnyShape): readonly Field[] {
  let found = fields.get(shape);
  if (!found) {
    found = [...toFields(shape.required, undefined), ...toFields(shape.optional, null)];
    fields.set(shape, found);
  }
  return found;
}

function toFields(given: Fields = {}, fallback: null | undefined): Field[] {
  return Object.entries(given).map(([name, given]) => {
    const field = "shape" in given ? given : { shape: given, fallback };
    const { createSchema } = field.shape;
    return { name, ...field, schema: createSchema ? schemaOf(createSchema) : null };
  });
}

/** Returns true if a value is an object and not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
