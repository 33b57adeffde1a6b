/**
 * Text from outside, fit for a terminal.
 *
 * @module
 */

/** Anybody can give a guild a name with characters that move the cursor or reverse the text after them. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "�");
}
