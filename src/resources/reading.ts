/**
 * Reads responses. Fields that identify or protect are required; other fields may be wrong or missing.
 *
 * A correct response is checked, completed in place and frozen, without a copy. Any other response is repaired and reported.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import { PayloadError, type PayloadIssue } from "../core/errors.ts";
import { freeze } from "../core/freeze.ts";
import { repair } from "./repair.ts";
import type { Field, Shape } from "./shapes.ts";

/** Receives the repaired issues of a response. */
export type Report = (issues: readonly PayloadIssue[]) => void;

/**
 * Turns a whole response into a model, and reports the repaired issues.
 *
 * @param name The name of the response in error messages, as in `The member`.
 * @param payload The parsed JSON. The function changes and freezes this value, so no other code may use it.
 * @param cdnUrl The base URL of images, for a model with image URLs.
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

/** Adds the missing fields to a valid part, and freezes the part. It may recurse, since shapes are not deep. */
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
    // These names would change the model's prototype or methods.
    if (name === "__proto__" || name === "constructor" || name === "prototype") delete model[name];
    // Only documented parts are frozen already.
    else if (
      typeof part === "object" && part !== null && !Object.isFrozen(part) &&
      Object.hasOwn(model, name)
    ) freeze(part);
  }
}
