/**
 * Checks settings: texts from the environment or a file, which may have unwanted characters.
 *
 * @module
 */

/** The additions to a text, each with its form. */
const additions: readonly (readonly [form: RegExp, flaw: string])[] = [
  [/^(["'`]).*\1$|^[“”].*[“”]$/s, "quotes around it"],
  [/\$\{\w[^}]*\}|^\$(\(.+\)|[A-Z\d_]+)$|^%[A-Z\d_]+%$/s, "a variable in it that is not filled in"],
  [/\s#/, "a comment behind it"],
];

/**
 * Throws if a text has unwanted characters. An editor or a shell may hide them: two servers would have different secrets, although both look
 * right.
 *
 * @throws {TypeError} If there is such a character. The message has its place, and never the text.
 */
export function checkSetting(argument: string, value: unknown): void {
  // Nearly all values stay here, and V8 takes long to compile the properties of Unicode.
  if (typeof value !== "string" || /^[\w.~+/:=-]*$/.test(value)) return;
  const flaw = invisibleCharacter(value) ?? additions.find(([form]) => form.test(value))?.[1];
  if (flaw) throw new TypeError(`${argument} has ${flaw}: correct it where it is set`);
}

/** Describes white space at an end, or an invisible character anywhere. */
function invisibleCharacter(text: string): string | undefined {
  const found = /^[\s\p{Cc}]|[\s\p{Cc}]$|\p{Default_Ignorable_Code_Point}/u.exec(text);
  if (!found) return undefined;
  const [character] = found;
  const code = character.codePointAt(0)?.toString(16);
  const name = /[\r\n]/.test(character) ? "a line break" : "an invisible character";
  return `${name} (0x${code}) as character ${found.index + 1} of ${text.length}`;
}
