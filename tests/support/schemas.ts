/**
 * Lists the parts of a model's schema.
 *
 * @module
 */

import * as v from "valibot";
import { expectedValue } from "../../src/resources/schemas.ts";

/** A schema of valibot, with the properties that lead to the schemas of its parts. */
export interface AnySchema extends v.GenericSchema {
  readonly wrapped?: AnySchema;
  readonly getter?: () => AnySchema;
  readonly pipe?: readonly AnySchema[];
  readonly entries?: Readonly<Record<string, AnySchema>>;
  readonly item?: AnySchema;
  readonly value?: AnySchema;
  readonly default?: unknown;
}

/** A field of an object. */
export interface Field {
  readonly name: string;
  readonly schema: AnySchema;
  /** The value of a field that can't be read; `undefined` for a required field. */
  readonly fallback: unknown;
}

/** Returns the fields of an object's schema, and none for another schema. */
export function fieldsOf(schema: AnySchema): Field[] {
  return Object.entries(innermost(schema).entries ?? {}).map(([name, schema]) => ({
    name,
    schema,
    fallback: schema.type === "nullish" ? schema.default : undefined,
  }));
}

/** Returns the schema of a list's entries or of a record's values. */
export function entryOf(schema: AnySchema): AnySchema | undefined {
  const { item, value } = innermost(schema);
  return item ?? value;
}

/** Returns true for the schema of a list. */
export function isList(schema: AnySchema): boolean {
  return innermost(schema).item !== undefined;
}

/** Returns the expected value, as an issue names it. */
export function expectedOf(schema: AnySchema): string {
  const { issues } = v.safeParse(schema, Symbol(), { message: expectedValue });
  return issues?.[0].message ?? "anything";
}

function innermost(schema: AnySchema): AnySchema {
  if (schema.value) return schema;
  const inner = schema.wrapped ?? schema.getter?.() ??
    schema.pipe?.findLast(({ kind }) => kind === "schema");
  return inner ? innermost(inner) : schema;
}
