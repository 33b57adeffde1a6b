/**
 * Reads a response: strictly for fields that identify or protect, tolerantly for all others.
 *
 * The usual response is checked, completed in place and frozen, without a copy. Only a response that fails the check is repaired and
 * reported.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import { PayloadError, type PayloadIssue } from "../core/errors.ts";
import { repair } from "./repair.ts";
import type { Field, Shape } from "./shapes.ts";

/** Receives the repaired places of a response. */
export type Report = (issues: readonly PayloadIssue[]) => void;

/**
 * Turns a whole response into a model, and reports the repaired places.
 *
 * @param name The name of the response in an error.
 * @param payload The value of a JSON text, without other users: it becomes the model, and is frozen.
 * @param cdnUrl The base of the addresses of images, for a model that has some.
 * @throws {PayloadError} If a required field is missing or can't be read.
 * @internal
 */
export function readPayload<Model>(
  name: string,
  shape: Shape<Model>,
  payload: unknown,
  report: Report,
  cdnUrl = "",
): Model {
  let found = payload;
  if (!v.is(shape.schema, payload)) {
    const issues: PayloadIssue[] = [];
    const result = repair(shape, payload, issues);
    Object.freeze(issues);
    if (!result) throw new PayloadError(`${name} is not what the platform documents`, { issues });
    report(issues);
    found = result.repaired;
  }
  return complete(shape, found, cdnUrl) as Model;
}

/** Adds the missing fields to a part that fits its shape, and freezes it. Shapes are not deep, so this may recurse. */
function complete(shape: Shape<unknown>, part: unknown, cdnUrl: string): unknown {
  if (typeof part !== "object" || part === null) return part;
  const { fields, entry, value, derive } = shape;
  if (fields) {
    completeObject(fields, part as Record<string, unknown>, cdnUrl);
    derive?.(part, cdnUrl);
  } else if (entry?.fields) {
    for (const inner of part as unknown[]) complete(entry, inner, cdnUrl);
  } else if (value) {
    for (const inner of Object.values(part)) complete(value, inner, cdnUrl);
  } else {
    return freeze(part);
  }
  return Object.freeze(part);
}

function completeObject(
  fields: readonly Field[],
  model: Record<string, unknown>,
  cdnUrl: string,
): void {
  for (const { name, shape, fallback } of fields) {
    const part = model[name];
    if (part == null) {
      if (fallback !== undefined && fallback !== part) model[name] = fallback;
    } else complete(shape, part, cdnUrl);
  }
  for (const name in model) {
    const part = model[name];
    // These names would change what the model is, or seems to be.
    if (name === "__proto__" || name === "constructor" || name === "prototype") delete model[name];
    // Only documented parts are frozen already.
    else if (
      typeof part === "object" && part !== null && !Object.isFrozen(part) &&
      Object.hasOwn(model, name)
    ) freeze(part);
  }
}

/** Freezes a value and everything in it. It does not recurse, since a payload may be nested deeper than the stack. */
export function freeze<Value extends object>(value: Value): Value {
  const pending: object[] = [value];
  for (let next = pending.pop(); next; next = pending.pop()) {
    // Reading the values before the freeze, and a list directly, is twice as fast.
    for (const inner of Array.isArray(next) ? next : Object.values(next)) {
      if (typeof inner === "object" && inner) pending.push(inner);
    }
    Object.freeze(next);
  }
  return value;
}
