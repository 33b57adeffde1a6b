/**
 * Reads an answer: strictly for fields that identify or protect, tolerantly for all others.
 *
 * The usual answer takes one strict pass. Only an answer that fails it is repaired and reported.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import { PayloadError, type PayloadIssue } from "../core/errors.ts";
import { repair } from "./repair.ts";
import type { Shape } from "./shapes.ts";

/** Receives the repaired places of an answer. */
export type Report = (issues: readonly PayloadIssue[]) => void;

/**
 * Reads a whole answer, and reports the repaired places.
 *
 * @param name The name of the answer in an error.
 * @throws {PayloadError} If a required field is missing or can't be read.
 * @internal
 */
export function readAnswer<Model>(
  name: string,
  shape: Shape<Model>,
  payload: unknown,
  report: Report,
): Model {
  const strict = v.safeParse(shape.schema, payload, { abortEarly: true });
  if (strict.success) return strict.output;
  const issues: PayloadIssue[] = [];
  const result = repair(shape, payload, issues);
  if (!result) {
    throw new PayloadError(`${name} is not what the platform documents`, Object.freeze(issues));
  }
  report(Object.freeze(issues));
  return v.parse(shape.schema, result.repaired);
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
