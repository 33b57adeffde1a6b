/**
 * Checks settings: texts from the environment or a file, which may have unwanted characters.
 *
 * @module
 */

/**
 * The first unwanted character of a text: white space at an end, an invisible character, a comment, quotes around the text, or a variable
 * or command that was not replaced with its value.
 */
const unwanted =
  /^\s|\s$|\s#|\p{Default_Ignorable_Code_Point}|^(?:"(?=.*"$)|'(?=.*'$)|`(?=.*`$))|\$\{(?=\w.*\})|^(?:\$\(|\$(?=[A-Z\d_]+$)|%(?=[A-Z\d_]+%$))/su;

/**
 * Throws if a text has an unwanted character. An editor or a shell may hide it: two servers would have different secrets, although both look
 * right.
 *
 * @throws {TypeError} The message has the character and its place, and never the text.
 */
export function checkSetting(argument: string, value: unknown): void {
  // Nearly all values stay here, and V8 takes long to compile the properties of Unicode.
  if (typeof value !== "string" || /^[\w.~+/:=-]*$/.test(value)) return;
  const found = unwanted.exec(value);
  if (!found) return;
  const [text] = found;
  const shown = /^[ -~]+$/.test(text) && text.trim() ||
    `U+${Number(text.codePointAt(0)).toString(16).padStart(4, "0")}`;
  throw new TypeError(
    `${argument} must be the value alone, received ${shown} as character ${
      found.index + 1
    } of ${value.length}`,
  );
}
