/**
 * Repairs a response that does not match its schema, so that it can be parsed again: converts its wrong parts or leaves them out.
 *
 * A wrong entry of a list or a record is left out, and so is a wrong field with the schema `v.nullish` or `v.optional`. Any other field is
 * required: without it, the object with the field is wrong itself.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import type { PayloadIssue } from "../core/errors.ts";
import type { Convert, Schema } from "./schemas.ts";

/** The maximum number of issues to report for one response. */
export const maxIssues = 100;

/** A part of a response. */
interface Part {
  /** The object or the list that holds the part. */
  readonly holder: object;
  /** The name or the position in the holder. */
  readonly key: string | number;
  readonly value: unknown;
  readonly schema: AnySchema;
  /** True for an entry of a list or a record, false for a field. */
  readonly isEntry: boolean;
}

/** The properties of valibot's schemas that lead to the schemas of parts. */
interface AnySchema extends v.GenericSchema {
  /** The schema in `v.nullish` and the like. */
  readonly wrapped?: AnySchema;
  readonly pipe?: readonly AnySchema[];
  /** The schemas of an object's fields. */
  readonly entries?: Readonly<Record<string | number, AnySchema>>;
  /** The schema of a list's entries. */
  readonly item?: AnySchema;
  /** The schema of a record's values. */
  readonly value?: AnySchema;
}

/** A mismatch, and the change that repairs it. */
interface Mismatch {
  readonly issue: v.BaseIssue<unknown>;
  /** The parts from the response down to the wrong one. */
  readonly parts: readonly Part[];
  /** The part to change; `undefined` if nothing repairs the response. */
  readonly changed: Part | undefined;
  /** The new value; `undefined` to leave the part out. */
  readonly value: unknown;
}

/**
 * Repairs a response in place.
 *
 * @returns The issues to report, and false if the response still can't be read.
 */
export function repair(
  schema: Schema<unknown>,
  found: readonly v.BaseIssue<unknown>[],
): { readonly isReadable: boolean; readonly issues: readonly PayloadIssue[] } {
  const mismatches = found.map((issue) => toMismatch(schema, issue));
  // Read before the changes, which move the entries of lists.
  const issues = Object.freeze(toIssues(mismatches));
  const isReadable = mismatches.every(({ changed }) => changed);
  if (isReadable) change(mismatches);
  return { isReadable, issues };
}

function toMismatch(schema: AnySchema, issue: v.BaseIssue<unknown>): Mismatch {
  const parts = partsTo(schema, issue);
  const wrong = parts.at(-1);
  const value = wrong && convertedValue(wrong);
  const changed = value === undefined ? parts.findLast(canBeLeftOut) : wrong;
  return { issue, parts, changed, value };
}

function partsTo(schema: AnySchema, { path }: v.BaseIssue<unknown>): Part[] {
  let holderSchema = innermost(schema);
  return (path ?? []).map(({ input, key, value }) => {
    const { entries, item, value: valueSchema } = holderSchema;
    const name = key as string | number;
    const schema = (entries?.[name] ?? item ?? valueSchema) as AnySchema;
    holderSchema = innermost(schema);
    return { holder: input as object, key: name, value, schema, isEntry: !entries };
  });
}

/** Returns the schema of the object, list or record inside `v.nullish`, `v.pipe` and the like. */
function innermost(schema: AnySchema): AnySchema {
  const inner = schema.wrapped ?? schema.pipe?.findLast(({ kind }) => kind === "schema");
  return inner ? innermost(inner) : schema;
}

function convertedValue({ schema, value, holder }: Part): unknown {
  const { convert }: { readonly convert?: Convert } = {
    ...v.getMetadata(schema),
    ...schema.wrapped && v.getMetadata(schema.wrapped),
  };
  return convert?.(value, holder);
}

function canBeLeftOut({ isEntry, schema: { type } }: Part): boolean {
  return isEntry || type === "nullish" || type === "optional";
}

/** Returns the first issues. */
function toIssues(mismatches: readonly Mismatch[]): PayloadIssue[] {
  const unreadable = new Set<unknown>();
  for (const { parts, changed } of mismatches) {
    const required = changed ? parts.slice(parts.indexOf(changed) + 1) : parts;
    for (const { holder } of required) unreadable.add(holder);
  }
  // Issues of the other fields of an unreadable object would only hide the reason.
  const isShown = (part: Part) => !(unreadable.has(part.holder) && canBeLeftOut(part));
  const namesOf = new Map<unknown, readonly string[]>();
  return mismatches.filter(({ parts }) => parts.every(isShown)).slice(0, maxIssues)
    .map(({ issue, parts }) => {
      const path = parts.map(({ holder, key, isEntry }) => {
        if (!isEntry || Array.isArray(holder)) return key;
        // The position of a record's entry, since an issue never shows text from the platform.
        const names = namesOf.get(holder) ?? Object.keys(holder);
        namesOf.set(holder, names);
        return names.indexOf(String(key));
      });
      return issueAt(path.join("."), expectedAt(issue, parts), issue.input);
    });
}

function change(mismatches: readonly Mismatch[]): void {
  const lists = new Set<unknown[]>();
  for (const { changed, value } of mismatches) {
    if (!changed) continue;
    const { holder, key } = changed;
    if (Array.isArray(holder)) lists.add(holder);
    if (value === undefined && !Array.isArray(holder)) Reflect.deleteProperty(holder, key);
    else Reflect.set(holder, key, value);
  }
  for (const list of lists) removeMissing(list);
}

/** Removes the entries that are `undefined`, which JSON does not have. */
function removeMissing(list: unknown[]): void {
  let length = 0;
  for (const entry of list) {
    if (entry !== undefined) list[length++] = entry;
  }
  list.length = length;
}

/** The expected values, by the type of the schema or the check. Other schemas have texts of their own. */
const expectedValues: Readonly<Record<string, string>> = {
  array: "an array",
  boolean: "true or false",
  finite: "a finite number",
  loose_object: "an object",
  number: "a finite number",
  record: "an object",
  string: "a string",
};

/** Names the expected value of an issue. */
export function expectedValue({ type }: v.BaseIssue<unknown>): string {
  return expectedValues[type] ?? type;
}

/** Names the expected value of the last part. The text of valibot for a missing part describes the object instead. */
function expectedAt({ message, path }: v.BaseIssue<unknown>, parts: readonly Part[]): string {
  const missing = path?.at(-1)?.origin === "key" ? parts.at(-1) : undefined;
  const result = missing && v.safeParse(missing.schema, undefined, { message: expectedValue });
  return result?.issues?.[0].message ?? message;
}

/** Creates an issue. It names the kind of the found value, and never shows the value, which may be a secret. */
export function issueAt(path: string, expected: string, found: unknown): PayloadIssue {
  const kind = found === null ? "null" : Array.isArray(found) ? "an array" : typeof found;
  return Object.freeze({ path, message: `expected ${expected}, received ${kind}` });
}
