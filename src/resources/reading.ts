/**
 * How an answer is read: strict where a field identifies or protects, tolerant everywhere else.
 *
 * The usual answer takes one strict pass. Only an answer that fails it is repaired, and reported.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import { PayloadError, type PayloadIssue } from "../core/errors.ts";
import { repair } from "./repair.ts";
import type { Shape } from "./shapes.ts";

/** Receives what was repaired in an answer. */
export type Report = (issues: readonly PayloadIssue[]) => void;

/**
 * Reads a whole answer, and reports what was repaired.
 *
 * @throws {PayloadError} When a required field is missing or can't be read.
 * @internal
 */
export function readAnswer<Model>(
  what: string,
  shape: Shape<Model>,
  payload: unknown,
  report: Report,
): Model {
  const strict = v.safeParse(shape.schema, payload, { abortEarly: true });
  if (strict.success) return strict.output;
  const issues: PayloadIssue[] = [];
  const result = repair(shape, payload, issues);
  if (!result) {
    throw new PayloadError(`${what} is not what the platform documents`, Object.freeze(issues));
  }
  report(Object.freeze(issues));
  return v.parse(shape.schema, result.repaired);
}

/** Freezes a value and all it holds, without recursion: a payload may be nested deeper than the stack. */
export function freeze<Value extends object>(value: Value): Value {
  const pending: object[] = [value];
  for (let next = pending.pop(); next; next = pending.pop()) {
    // Before it is frozen, and a list as it is: that is twice as fast.
    for (const inner of Array.isArray(next) ? next : Object.values(next)) {
      if (typeof inner === "object" && inner) pending.push(inner);
    }
    Object.freeze(next);
  }
  return value;
}
