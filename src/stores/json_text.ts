/**
 * Writes the JSON of a stored value.
 *
 * @module
 */

/**
 * Writes a value as JSON.
 *
 * @throws {TypeError} If the value is not a JSON value, such as `undefined` or a function. A store could not load it again.
 */
export function jsonText(value: unknown): string {
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) {
    throw new TypeError(`value must be a JSON value, received ${typeof value}`);
  }
  return text;
}
