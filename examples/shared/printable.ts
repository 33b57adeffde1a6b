/**
 * Makes text from outside safe to print in a terminal.
 *
 * @module
 */

/** Removes characters that move the cursor or reverse the text: the name of a guild may contain them. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "�");
}
