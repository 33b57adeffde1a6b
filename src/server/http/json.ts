/**
 * The body of an answer as JSON.
 *
 * @module
 */

/** The value of a JSON text; `undefined` when it is not one, or there is no text. */
export function parseJson(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
