/**
 * Reads responses. Fields that identify or protect are required; other fields may be wrong or missing.
 *
 * A correct response is checked, completed in place and frozen, without a copy. Any other response is repaired and reported.
 *
 * @module
 */

import { PayloadError, type PayloadIssue } from "../core/errors.ts";
import { freeze } from "../core/freeze.ts";
import { repair } from "./repair.ts";
import { type AnyShape, type Field, fieldsOf, matches, type TypedShape } from "./shapes.ts";

/** Receives the repaired issues of a response. */
export type Report = (issues: readonly PayloadIssue[]) => void;

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
  let found = payload === null && shape.entry ? [] : payload;
  if (!matches(shape, found)) {
    const issues: PayloadIssue[] = [];
    const result = repair(shape, found, issues);
    Object.freeze(issues);
    if (!result) throw new PayloadError(`${name} is not what the platform documents`, { issues });
    report(issues);
    found = result.repaired;
  }
  return complete(shape, found, cdnUrl) as Model;
}

/** Adds the missing fields to a valid part, and freezes the part. It may recurse, since shapes are not deep. */
function complete(shape: AnyShape, part: unknown, cdnUrl: string): unknown {
  if (typeof part !== "object" || part === null) return part;
  const inner = shape.entry ?? shape.values;
  if (inner) {
    for (const each of Object.values(part)) complete(inner, each, cdnUrl);
  } else if (shape.createSchema) {
    return freeze(part);
  } else {
    completeObject(fieldsOf(shape), part as Record<string, unknown>, cdnUrl);
    shape.derive?.(part as never, cdnUrl);
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
