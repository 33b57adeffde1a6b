/**
 * Repairs a response that differs from the documentation, so that a small difference does not break a login.
 *
 * A field that can't be read becomes `null`. An entry of a list or a table that can't be read is left out. An object is
 * unreadable only if a required field is.
 *
 * @module
 */

import type { PayloadIssue } from "../core/errors.ts";
import { type AnyShape, type Field, fieldsOf, isObject, matches } from "./shapes.ts";

/** Stands for a part that can't be read, since `undefined` stands for a missing field. */
const unreadable = Symbol("unreadable");

/** The maximum number of issues to report for one response. */
const maxIssues = 100;

/**
 * Returns a repaired copy of a response, or `null` if a required field of the response itself can't be read.
 *
 * @param issues Receives the issues.
 */
export function repair(
  shape: AnyShape,
  payload: unknown,
  issues: PayloadIssue[],
): { readonly repaired: unknown } | null {
  const repaired = repairPart(shape, payload, "", {}, issues);
  return repaired === unreadable ? null : { repaired };
}

/**
 * Repairs a part of a response.
 *
 * @param parent The object that holds the part.
 */
function repairPart(
  shape: AnyShape,
  found: unknown,
  path: string,
  parent: Readonly<Record<string, unknown>>,
  issues: PayloadIssue[],
): unknown {
  const { entry, values } = shape;
  if (entry && Array.isArray(found)) {
    return found
      .map((part, index) => repairPart(entry, part, joinPath(path, index), {}, issues))
      .filter(isReadable);
  }
  if (values && isObject(found)) {
    // The path has the entry's position in place of its name: an issue never shows text from the platform.
    const entries = Object.entries(found).map(([name, part], index) =>
      [name, repairPart(values, part, joinPath(path, index), found, issues)] as const
    );
    return Object.fromEntries(entries.filter(([, part]) => isReadable(part)));
  }
  const isModel = !shape.createSchema && !entry;
  if (isModel && isObject(found)) return repairObject(fieldsOf(shape), found, path, issues);
  if (matches(shape, found)) return found;
  if (issues.length < maxIssues) {
    const expected = shape.expected ?? (entry ? "an array" : "an object");
    // Never shows the value, which may be a secret.
    const message = `expected ${expected}, received ${kindOf(found)}`;
    issues.push(Object.freeze({ path, message }));
  }
  const coerced = shape.coerce?.(found, parent);
  return coerced === undefined ? unreadable : coerced;
}

function repairObject(
  fields: readonly Field[],
  found: Readonly<Record<string, unknown>>,
  path: string,
  issues: PayloadIssue[],
): unknown {
  const copy: Record<string, unknown> = { ...found };
  for (const { name, shape, fallback } of fields) {
    if (fallback === undefined) {
      copy[name] = repairPart(shape, found[name], joinPath(path, name), found, issues);
    }
  }
  // Issues of other fields in this object would only hide the reason.
  if (!Object.values(copy).every(isReadable)) return unreadable;
  for (const { name, shape, fallback } of fields) {
    if (fallback === undefined || found[name] === undefined || found[name] === null) continue;
    const repaired = repairPart(shape, found[name], joinPath(path, name), found, issues);
    copy[name] = isReadable(repaired) ? repaired : fallback;
  }
  return copy;
}

function isReadable(part: unknown): boolean {
  return part !== unreadable;
}

function joinPath(path: string, name: string | number): string {
  return path === "" ? String(name) : `${path}.${name}`;
}

function kindOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "an array" : typeof value;
}
