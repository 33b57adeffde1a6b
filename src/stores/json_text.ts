/**
 * Writes the JSON of a stored value.
 *
 * @module
 */

/**
 * Writes a value as JSON.
 *
 * @throws {TypeError} If it is not a JSON value, such as `undefined` or a function: it could not be loaded again.
 */
export function jsonText(value: unknown): string {
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) {
    throw new TypeError(`value must be a JSON value, received ${typeof value}`);
  }
  return text;
}
