/**
 * Repairs an answer that differs from the documentation, so that a detail never costs a login.
 *
 * A field that can't be read becomes `null`. An entry of a list or a table that can't be read is left out. Only a required field
 * makes its object unreadable.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import type { PayloadIssue } from "../core/errors.ts";
import { isObject, type Shape } from "./shapes.ts";

/** Stands for a part that can't be read. `undefined` is a value of its own: a missing field. */
const unreadable = Symbol("unreadable");

/** The most issues that are kept of one answer. */
const maxIssues = 100;

/**
 * Returns a copy of an answer that fits its shape, or `null` if a required field of the answer itself can't be read.
 *
 * @param issues Receives the places that do not fit.
 */
export function repair(
  shape: Shape<unknown>,
  payload: unknown,
  issues: PayloadIssue[],
): { readonly repaired: unknown } | null {
  const repaired = repairPart({ shape, found: payload, path: "", parent: {} }, issues);
  return repaired === unreadable ? null : { repaired };
}

/** A part of an answer with its path and the object that holds it. */
interface Part {
  readonly shape: Shape<unknown>;
  readonly found: unknown;
  readonly path: string;
  readonly parent: Readonly<Record<string, unknown>>;
}

function repairPart(part: Part, issues: PayloadIssue[]): unknown {
  const { shape, found, path, parent } = part;
  if (shape.entry && Array.isArray(found)) return repairList(shape.entry, found, path, issues);
  if (shape.value && isObject(found)) return repairTable(shape.value, found, path, issues);
  if (shape.fields && isObject(found)) return repairObject(shape.fields, found, path, issues);
  if (v.is(shape.schema, found)) return found;
  if (issues.length < maxIssues) {
    // Never shows the value, which may be a secret.
    const message = `expected ${shape.expected}, received ${kindOf(found)}`;
    issues.push(Object.freeze({ path, message }));
  }
  const coerced = shape.coerce?.(found, parent);
  return coerced === undefined ? unreadable : coerced;
}

function repairList(
  shape: Shape<unknown>,
  list: readonly unknown[],
  path: string,
  issues: PayloadIssue[],
): unknown[] {
  return list
    .map((found, index) =>
      repairPart({ shape, found, path: joinPath(path, String(index)), parent: {} }, issues)
    )
    .filter((entry) => entry !== unreadable);
}

function repairTable(
  shape: Shape<unknown>,
  parent: Readonly<Record<string, unknown>>,
  path: string,
  issues: PayloadIssue[],
): unknown {
  const entries = Object.entries(parent)
    .map(([name, found], index) =>
      // The path has the position of the entry: its name is the platform's own text, which an issue never shows.
      [
        name,
        repairPart({ shape, found, path: joinPath(path, String(index)), parent }, issues),
      ] as const
    )
    .filter(([, value]) => value !== unreadable);
  return Object.fromEntries(entries);
}

function repairObject(
  fields: NonNullable<Shape<unknown>["fields"]>,
  parent: Readonly<Record<string, unknown>>,
  path: string,
  issues: PayloadIssue[],
): unknown {
  const copy: Record<string, unknown> = { ...parent };
  const repairField = (name: string, shape: Shape<unknown>) =>
    repairPart({ shape, found: parent[name], path: joinPath(path, name), parent }, issues);
  const all = Object.entries(fields);
  let isReadable = true;
  for (const [name, { shape }] of all.filter(([, field]) => field.fallback === undefined)) {
    copy[name] = repairField(name, shape);
    if (copy[name] === unreadable) isReadable = false;
  }
  // Issues of its other fields would only hide the reason.
  if (!isReadable) return unreadable;
  for (const [name, { shape, fallback }] of all) {
    const isMissing = parent[name] === undefined || parent[name] === null;
    if (fallback === undefined || isMissing) continue;
    const repaired = repairField(name, shape);
    copy[name] = repaired === unreadable ? fallback : repaired;
  }
  return copy;
}

function joinPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function kindOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "an array" : typeof value;
}
