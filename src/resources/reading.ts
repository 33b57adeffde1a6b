/**
 * Reads responses with the schemas of the models. Fields that identify or protect are required; other fields may be wrong or missing, so
 * that a small difference from the documentation does not break a login.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import { PayloadError, type PayloadIssue } from "../core/response_errors.ts";
import { freeze } from "../core/freeze.ts";
import { type Convert, expectedValue, type Schema } from "./schemas.ts";

/** Receives the repaired issues of a response. */
export type Report = (issues: readonly PayloadIssue[]) => void;

/** Creates the schema of a model. Image URLs need their base URL. @internal */
export type CreateSchema<Model extends object> = (cdnUrl: string) => Schema<Model>;

/**
 * Turns a whole response into a model, and reports the repaired issues.
 *
 * @param createSchema The function that creates the model's schema. The schema's title names the response in errors.
 * @param payload The parsed JSON. The function may change and freeze this value, so no other code may use it.
 * @param cdnUrl The base URL of images, for a model with image URLs.
 * @throws {PayloadError} If a required field is missing or can't be read.
 * @internal
 */
export function readPayload<Model extends object>(
  createSchema: CreateSchema<Model>,
  payload: unknown,
  report: Report,
  cdnUrl = "",
): Model {
  return freeze(parsePayload(createSchema, payload, report, cdnUrl));
}

/**
 * Turns a whole response into a model as `readPayload` does, and does not freeze it.
 *
 * @param name The name of the response in errors.
 * @throws {PayloadError} If a required field is missing or can't be read.
 * @internal
 */
export function parsePayload<Model extends object>(
  createSchema: CreateSchema<Model>,
  payload: unknown,
  report: Report,
  cdnUrl = "",
  name?: string,
): Model {
  const schema = schemaFor(createSchema, cdnUrl);
  const result = v.safeParse(schema, payload, { message: expectedValue });
  if (result.success) return result.output;
  const { isReadable, issues } = repair(schema, result.issues);
  if (!isReadable) {
    const what = name ?? v.getTitle(schema);
    throw new PayloadError(`${what} is not as documented`, { issues });
  }
  const model = v.parse(schema, payload);
  report(issues);
  return model;
}

/** The latest schema of each function. */
const schemas = new WeakMap<CreateSchema<object>, { cdnUrl: string; schema: Schema<object> }>();

/** Creates a schema at its first use, and again for the images of another platform. */
function schemaFor<Model extends object>(
  createSchema: CreateSchema<Model>,
  cdnUrl: string,
): Schema<Model> {
  const latest = schemas.get(createSchema);
  if (latest?.cdnUrl === cdnUrl) return latest.schema as Schema<Model>;
  const schema = createSchema(cdnUrl);
  schemas.set(createSchema, { cdnUrl, schema });
  return schema;
}

/** Returns the schema of a part that most responses lack. The schema is created when a response has the part. @internal */
export function lazily<Model extends object>(
  createSchema: CreateSchema<Model>,
  cdnUrl: string,
): Schema<Model> {
  return v.lazy(() => schemaFor(createSchema, cdnUrl));
}

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

/** The properties of valibot's schemas that hold the schemas of parts. */
interface AnySchema extends v.GenericSchema {
  /** The schema in `v.nullish` and the like. */
  readonly wrapped?: AnySchema;
  readonly pipe?: readonly AnySchema[];
  /** Returns the schema in `v.lazy`. */
  readonly getter?: () => AnySchema;
  /** The schemas of an object's fields. */
  readonly entries?: Readonly<Record<string | number, AnySchema>>;
  /** The schema of a list's entries. */
  readonly item?: AnySchema;
  /** The schema of a record's values. */
  readonly value?: AnySchema;
}

/**
 * Repairs a response in place, so that it can be parsed again: converts its wrong parts or leaves them out. A wrong entry of a list or a
 * record is left out, and so is a wrong field with the schema `v.nullish` or `v.optional`. Any other field is required: if it is wrong, its
 * whole object is wrong.
 *
 * @returns The issues to report, and false if the response still can't be read.
 * @internal
 */
export function repair(
  schema: Schema<unknown>,
  found: readonly v.BaseIssue<unknown>[],
): { readonly isReadable: boolean; readonly issues: readonly PayloadIssue[] } {
  let isReadable = true;
  const unreadable = new Set<object>();
  const changedLists = new Set<object>();
  for (const issue of found) {
    const parts = partsTo(schema, issue);
    const converted = convertedValue(parts.at(-1));
    const index = converted === undefined ? parts.findLastIndex(canBeLeftOut) : parts.length - 1;
    const changed = parts[index];
    if (changed) Reflect.set(changed.holder, changed.key, converted);
    else isReadable = false;
    if (changed?.isEntry) changedLists.add(changed.holder);
    for (const { holder } of parts.slice(index + 1)) unreadable.add(holder);
  }
  const issues = toIssues(schema, found, unreadable);
  for (const list of changedLists) removeMissing(list);
  return { isReadable, issues };
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
  if (schema.value) return schema;
  const inner = schema.wrapped ?? schema.getter?.() ??
    schema.pipe?.findLast(({ kind }) => kind === "schema");
  return inner ? innermost(inner) : schema;
}

function convertedValue(part: Part | undefined): unknown {
  if (!part) return undefined;
  const { schema, value, holder } = part;
  const { convert }: { readonly convert?: Convert } = {
    ...v.getMetadata(schema),
    ...schema.wrapped && v.getMetadata(schema.wrapped),
  };
  return convert?.(value, holder);
}

function canBeLeftOut({ isEntry, schema: { type } }: Part): boolean {
  return isEntry || type === "nullish" || type === "optional";
}

/** Creates the issues to report. The other issues of an unreadable object would only hide the reason. */
function toIssues(
  schema: AnySchema,
  found: readonly v.BaseIssue<unknown>[],
  unreadable: ReadonlySet<object>,
): readonly PayloadIssue[] {
  const isShown = (part: Part) => !(unreadable.has(part.holder) && canBeLeftOut(part));
  const namesOf = new Map<object, readonly string[]>();
  const toName = ({ holder, key, isEntry }: Part) => {
    if (!isEntry || Array.isArray(holder)) return key;
    // The position of a record's entry, since an issue never shows text from Discord.
    const names = namesOf.get(holder) ?? Object.keys(holder);
    namesOf.set(holder, names);
    return names.indexOf(String(key));
  };
  const issues: PayloadIssue[] = [];
  for (const issue of found) {
    if (issues.length === maxIssues) break;
    const parts = partsTo(schema, issue);
    if (!parts.every(isShown)) continue;
    const path = parts.map(toName).join(".");
    issues.push(issueAt(path, expectedAt(issue, parts.at(-1)), issue.input));
  }
  return Object.freeze(issues);
}

/** Removes the entries of a list or a record whose value is `undefined`. JSON has no such value. */
function removeMissing(list: object): void {
  if (Array.isArray(list)) {
    let length = 0;
    for (const entry of list) if (entry !== undefined) list[length++] = entry;
    list.length = length;
    return;
  }
  for (const [name, value] of Object.entries(list)) {
    if (value === undefined) Reflect.deleteProperty(list, name);
  }
}

/** Names the expected value of a part. For a missing part, valibot's text describes the object instead. */
function expectedAt({ message, path }: v.BaseIssue<unknown>, part: Part | undefined): string {
  if (!part || path?.at(-1)?.origin !== "key") return message;
  const result = v.safeParse(part.schema, undefined, { message: expectedValue });
  // A required part does not accept `undefined`.
  const [issue] = result.issues as [v.BaseIssue<unknown>];
  return issue.message;
}

/** Creates an issue. It names the kind of the found value, and never shows the value, which may be a secret. */
export function issueAt(path: string, expected: string, found: unknown): PayloadIssue {
  const kind = found === null ? "null" : Array.isArray(found) ? "an array" : typeof found;
  return Object.freeze({ path, message: `expected ${expected}, received ${kind}` });
}
