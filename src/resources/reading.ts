/**
 * Reads responses. Fields that identify or protect are required; other fields may be wrong or missing, so that a small difference from
 * the documentation does not break a login.
 *
 * A response is checked, repaired, completed and frozen in place. A field that can't be read becomes `null`. An entry of a list or a table
 * that can't be read is left out. An object is unreadable only if a required field is.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import { PayloadError, type PayloadIssue } from "../core/errors.ts";
import { freeze } from "../core/freeze.ts";
import { type AnyShape, fieldsOf, isObject, schemaOf, type TypedShape } from "./shapes.ts";

/** Receives the repaired issues of a response. */
export type Report = (issues: readonly PayloadIssue[]) => void;

/** Stands for a part that can't be read, since `undefined` stands for a missing field. */
const unreadable = Symbol("unreadable");

/** The maximum number of issues to report for one response. */
export const maxIssues = 100;

/** The reading of a response. */
interface Reading {
  readonly cdnUrl: string;
  readonly issues: PayloadIssue[];
}

/** The place of a part in a response. */
interface Place {
  /** The part that holds this part; `null` for the response itself. */
  readonly holder: Place | null;
  /** The name or the position in the holder. */
  readonly name: string | number;
}

/**
 * Turns a whole response into a model, and reports the repaired issues. `null` in place of a list is an empty list.
 *
 * @param payload The parsed JSON. The function changes and freezes this value, so no other code may use it.
 * @param cdnUrl The base URL of images, for a model with image URLs.
 * @param name The name of the response in error messages.
 * @throws {PayloadError} If a required field is missing or can't be read.
 * @internal
 */
export function readPayload<Model>(
  shape: TypedShape<Model>,
  payload: unknown,
  report: Report,
  cdnUrl = "",
  name: string | undefined = shape.name,
): Model {
  const found = payload === null && shape.entry ? [] : payload;
  const issues: PayloadIssue[] = [];
  const model = readPart(shape, found, { holder: null, name: "" }, { cdnUrl, issues });
  Object.freeze(issues);
  if (model === unreadable) {
    throw new PayloadError(`${name} is not what the platform documents`, { issues });
  }
  if (issues.length > 0) report(issues);
  return model as Model;
}

/**
 * Reads a part of a response. It may recurse, since shapes are not deep.
 *
 * @param holder The object that holds the part.
 */
function readPart(
  shape: AnyShape,
  found: unknown,
  place: Place,
  reading: Reading,
  holder?: Readonly<Record<string, unknown>>,
): unknown {
  const { createSchema, entry, values } = shape;
  if (createSchema) {
    if (v.is(schemaOf(createSchema), found)) {
      return typeof found === "object" && found ? freeze(found) : found;
    }
  } else if (entry) {
    if (Array.isArray(found)) return readList(entry, found, place, reading);
  } else if (isObject(found)) {
    if (values) readTable(values, found, place, reading);
    else if (!readFields(shape, found, place, reading)) return unreadable;
    return Object.freeze(found);
  }
  return repaired(shape, found, place, reading, holder);
}

function readList(
  entry: AnyShape,
  found: readonly unknown[],
  place: Place,
  reading: Reading,
): readonly unknown[] {
  const parts = found.map((part, index) =>
    readPart(entry, part, { holder: place, name: index }, reading)
  );
  const isRight = parts.every((part, index) => part === found[index]);
  return Object.freeze(isRight ? found : parts.filter((part) => part !== unreadable));
}

function readTable(
  values: AnyShape,
  table: Record<string, unknown>,
  place: Place,
  reading: Reading,
): void {
  for (const [index, [name, found]] of Object.entries(table).entries()) {
    // The path has the entry's position in place of its name: an issue never shows text from the platform.
    const part = readPart(values, found, { holder: place, name: index }, reading, table);
    if (part === unreadable) delete table[name];
    else if (part !== found) table[name] = part;
  }
}

/** Reads the fields of an object, and adds the missing ones. Returns false if a required field can't be read. */
function readFields(
  shape: AnyShape,
  model: Record<string, unknown>,
  place: Place,
  reading: Reading,
): boolean {
  let isReadable = true;
  for (const { name, shape: shapeOfField, fallback, schema } of fieldsOf(shape)) {
    const isRequired = fallback === undefined;
    // Issues of other fields would only hide the reason.
    if (!isRequired && !isReadable) break;
    const found = model[name];
    if (!isRequired && found == null) {
      if (found !== fallback) model[name] = fallback;
      continue;
    }
    // The usual case. It needs no place.
    if (schema && typeof found !== "object" && v.is(schema, found)) continue;
    const part = readPart(shapeOfField, found, { holder: place, name }, reading, model);
    if (part === unreadable && isRequired) isReadable = false;
    else if (part !== found) model[name] = part === unreadable ? fallback : part;
  }
  if (!isReadable) return false;
  shape.derive?.(model as never, reading.cdnUrl);
  for (const name in model) {
    const part = model[name];
    // These names would change the model's prototype or methods.
    if (name === "__proto__" || name === "constructor" || name === "prototype") delete model[name];
    // Only documented parts are frozen already.
    else if (
      typeof part === "object" && part !== null && !Object.isFrozen(part) &&
      Object.hasOwn(model, name)
    ) freeze(part);
  }
  return true;
}

/** Reports a part that does not match its shape. Returns its clear meaning, if it has one. */
function repaired(
  { expected, entry, coerce }: AnyShape,
  found: unknown,
  place: Place,
  { issues }: Reading,
  holder: Readonly<Record<string, unknown>> = {},
): unknown {
  if (issues.length < maxIssues) {
    const what = expected ?? (entry ? "an array" : "an object");
    issues.push(issueAt(pathOf(place), what, found));
  }
  const coerced = coerce?.(found, holder);
  return coerced === undefined ? unreadable : coerced;
}

/** Returns the names down to a part, with dots between them. */
function pathOf({ holder, name }: Place): string {
  return holder?.holder ? `${pathOf(holder)}.${name}` : String(name);
}

/** Creates an issue. It names the kind of the found value, and never shows the value, which may be a secret. */
export function issueAt(path: string, expected: string, found: unknown): PayloadIssue {
  const kind = found === null ? "null" : Array.isArray(found) ? "an array" : typeof found;
  return Object.freeze({ path, message: `expected ${expected}, received ${kind}` });
}
