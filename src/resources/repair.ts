/**
 * Repairs an answer that differs from the documentation, so that a detail never costs a login.
 *
 * A field that can't be read becomes `null`, an entry of a list or of a table that can't be read is left out, and only a required field makes
 * what it belongs to unreadable.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import type { PayloadIssue } from "../core/errors.ts";
import { isObject, type Shape } from "./shapes.ts";

/** What stands for a part that can't be read; `undefined` stands for a field that may be missing. */
const unreadable = Symbol("unreadable");

/** More issues than this are not kept, however much of an answer is wrong. */
const mostIssues = 100;

/**
 * Gives a copy of an answer that fits its shape, or `null` when a required field of the answer itself can't be read.
 *
 * @param issues Receives the places that do not fit.
 */
export function repair(
  shape: Shape<unknown>,
  payload: unknown,
  issues: PayloadIssue[],
): { readonly repaired: unknown } | null {
  const repaired = repairPart({ shape, found: payload, path: "", holder: {} }, issues);
  return repaired === unreadable ? null : { repaired };
}

/** A part of an answer, and where it is. */
interface Part {
  readonly shape: Shape<unknown>;
  readonly found: unknown;
  readonly path: string;
  readonly holder: Readonly<Record<string, unknown>>;
}

function repairPart(part: Part, issues: PayloadIssue[]): unknown {
  const { shape, found, path, holder } = part;
  if (shape.entry && Array.isArray(found)) return repairList(shape.entry, found, path, issues);
  if (shape.value && isObject(found)) return repairTable(shape.value, found, path, issues);
  if (shape.fields && isObject(found)) return repairObject(shape.fields, found, path, issues);
  if (v.is(shape.schema, found)) return found;
  if (issues.length < mostIssues) {
    // Never the value itself, which may be a secret.
    const message = `expected ${shape.expected}, received ${kindOf(found)}`;
    issues.push(Object.freeze({ path, message }));
  }
  const mended = shape.mend?.(found, holder);
  return mended === undefined ? unreadable : mended;
}

function repairList(
  shape: Shape<unknown>,
  list: readonly unknown[],
  path: string,
  issues: PayloadIssue[],
): unknown[] {
  return list
    .map((found, index) =>
      repairPart({ shape, found, path: joined(path, String(index)), holder: {} }, issues)
    )
    .filter((entry) => entry !== unreadable);
}

function repairTable(
  shape: Shape<unknown>,
  holder: Readonly<Record<string, unknown>>,
  path: string,
  issues: PayloadIssue[],
): unknown {
  const entries = Object.entries(holder)
    .map(([name, found], index) =>
      // By its position: the name is the platform's own text, which an issue never shows.
      [
        name,
        repairPart({ shape, found, path: joined(path, String(index)), holder }, issues),
      ] as const
    )
    .filter(([, value]) => value !== unreadable);
  return Object.fromEntries(entries);
}

function repairObject(
  fields: NonNullable<Shape<unknown>["fields"]>,
  holder: Readonly<Record<string, unknown>>,
  path: string,
  issues: PayloadIssue[],
): unknown {
  const copy: Record<string, unknown> = { ...holder };
  const repairField = (name: string, shape: Shape<unknown>) =>
    repairPart({ shape, found: holder[name], path: joined(path, name), holder }, issues);
  const all = Object.entries(fields);
  let isReadable = true;
  for (const [name, { shape }] of all.filter(([, field]) => field.otherwise === undefined)) {
    copy[name] = repairField(name, shape);
    if (copy[name] === unreadable) isReadable = false;
  }
  // Its other fields would only hide why it can't be read.
  if (!isReadable) return unreadable;
  for (const [name, { shape, otherwise }] of all) {
    const isMissing = holder[name] === undefined || holder[name] === null;
    if (otherwise === undefined || isMissing) continue;
    const repaired = repairField(name, shape);
    copy[name] = repaired === unreadable ? otherwise : repaired;
  }
  return copy;
}

function joined(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function kindOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "an array" : typeof value;
}
