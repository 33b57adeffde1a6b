/**
 * The building blocks of the models' schemas, beside valibot's own. Each is a function, as valibot's are, because nothing runs at import.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";

/** The schema of a model. The compiler compares the schema's output with the model's type. */
export type Schema<Model> = v.GenericSchema<unknown, Model>;

/**
 * An object with these fields. Undocumented fields pass through. Unlike `v.looseObject`, this schema refuses a list.
 *
 * @param title The name of a whole response in errors.
 */
export function looseObject<Model>(
  entries: { readonly [Name in keyof Model]-?: Schema<Model[Name]> },
  title = "",
): Schema<Model> {
  const schema = v.pipe(object(), v.looseObject(ownEntries(entries)), v.title(title));
  return schema as unknown as Schema<Model>;
}

/**
 * An object with these fields alone, for a model that can be changed and written back: Discord's request has no other names.
 *
 * @param title The name of a whole response in errors.
 */
export function exactObject<Model>(
  entries: { readonly [Name in keyof Model]-?: Schema<Model[Name]> },
  title = "",
): Schema<Model> {
  const schema = v.pipe(object(), v.object(ownEntries(entries)), v.title(title));
  return schema as unknown as Schema<Model>;
}

/** Returns the entries without a prototype: valibot would take an enumerable property of Object.prototype for a field. */
function ownEntries<Entries extends object>(entries: Entries): Entries {
  return Object.setPrototypeOf({ ...entries }, null);
}

/** An object with any names. Unlike `v.record`, this schema keeps the name `constructor`, and refuses a list. */
export function record<Value>(value: Schema<Value>): Schema<Record<string, Value>> {
  const schema = v.pipe(
    object(),
    v.rawTransform<Record<string, unknown>, Record<string, Value>>(({ dataset, addIssue }) => {
      const holder = dataset.value;
      const parsed = Object.entries(holder).map(([key, found]) => {
        const { issues, output } = v.safeParse(value, found, { message: expectedValue });
        const item = { type: "object", origin: "value", input: holder, key, value: found } as const;
        for (const { input, message, path } of issues ?? []) {
          addIssue({ input, message, path: path ? [item, ...path] : [item] });
        }
        return [key, output];
      });
      return Object.fromEntries(parsed);
    }),
  );
  // A repair finds the schema of the values where `v.record` has it.
  return Object.assign(schema, { value });
}

function object(): Schema<Record<string, unknown>> {
  const isObject = (value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  return v.custom<Record<string, unknown>>(isObject, "an object");
}

/** A whole response that is a list. `null` stands for an empty list. */
export function list<Entry>(schema: Schema<Entry>, title: string): Schema<readonly Entry[]> {
  return v.pipe(v.nullable(v.array(schema), () => []), v.title(title));
}

/** A field that is `null` if it is missing or can't be read. */
export function orNull<Value>(schema: Schema<Value>): Schema<Value | null> {
  return v.nullish(schema, null);
}

/** Text, or `null` if the text is empty, missing or can't be read. */
export function filledOrNull(): Schema<string | null> {
  return v.pipe(v.nullish(v.string(), null), v.transform((text) => text || null));
}

/** A finite number. JSON may hold numbers such as 1e999, which become `Infinity`. */
export function number(): Schema<number> {
  // In a list of guilds, `v.pipe(v.number(), v.finite())` takes 6 % longer.
  return v.custom<number>(Number.isFinite, "a finite number");
}

/** A snowflake: a decimal string of up to 64 bits. */
export function snowflake(): Schema<string> {
  return text(/^\d{1,20}$/, "a snowflake");
}

/** Text that fits into a header, such as a token. */
export function printable(): Schema<string> {
  return text(/^[!-~]+$/, "printable characters");
}

/** A permission value: a decimal string. A safe integer of 0 or more is converted. */
export function permissions(): Schema<`${bigint}`> {
  return v.pipe(decimal(), convert(fromSafeInteger));
}

/** A decimal string, such as a permission value. */
export function decimal(): Schema<`${bigint}`> {
  return text(/^\d+$/, "a decimal string") as Schema<`${bigint}`>;
}

/** Returns a safe integer of 0 or more as a decimal string, and `undefined` for any other value. */
export function fromSafeInteger(value: unknown): string | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? String(value) : undefined;
}

/** Text that matches a pattern. */
export function text(pattern: RegExp, expected: string): Schema<string> {
  return v.pipe(v.string(expected), v.regex(pattern, expected));
}

/**
 * Converts a wrong value that has a clear meaning, such as a number instead of text; returns `undefined` for any other value.
 *
 * @param holder The object that holds the value.
 */
export type Convert = (value: unknown, holder: object) => unknown;

/** Metadata of a schema: the conversion of wrong values. Unlike a union with `v.transform`, a conversion is reported. */
export function convert<Value>(
  convert: Convert,
): v.MetadataAction<Value, { readonly convert: Convert }> {
  return v.metadata({ convert });
}

/** The expected values, by the type of the schema or the check. Other schemas have their own texts. */
const expectedValues: Readonly<Record<string, string>> = {
  array: "an array",
  boolean: "true or false",
  string: "a string",
};

/** Names the expected value of an issue. */
export function expectedValue({ type }: v.BaseIssue<unknown>): string {
  return expectedValues[type] ?? type;
}
