/**
 * The body of an answer as JSON.
 *
 * @module
 */

/**
 * How many values a text may hold. The largest answers of the platform have a few ten thousand; in 8 MiB there is room for
 * millions of empty lists, which take hundreds of megabytes and seconds.
 */
const mostValues = 500_000;

/** The codes of a comma, and of the brackets that begin a list or an object. */
const marks: ReadonlySet<number> = /* @__PURE__ */ new Set([0x2c, 0x5b, 0x7b]);

/** The value of a JSON text; `undefined` when it is not one, there is no text, or it holds more values than any answer. */
export function parseJson(text: string | null): unknown {
  if (text === null || hasTooManyValues(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a text holds more values than any answer. Counts what begins or separates them, also within strings. */
export function hasTooManyValues(text: string): boolean {
  let count = 0;
  // The rest is soon too short to exceed the limit: with the usual answer, at once.
  for (let i = 0; i < text.length && text.length - i > mostValues - count; i++) {
    if (marks.has(text.charCodeAt(i)) && ++count > mostValues) return true;
  }
  return false;
}
