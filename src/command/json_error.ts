/**
 * Finds where a text stops being JSON. `JSON.parse` says so in other words on every runtime, often without the
 * place, and repeats parts of the text, which may be secret.
 *
 * @module
 */

/** Where a text stops being JSON. Lines and columns begin at 1. */
export interface JsonError {
  readonly line: number;
  readonly column: number;
  /** The kind of what is there: the end, a comment, or a character that tells nothing about its neighbors. */
  readonly found: string;
}

/** `null` for a text that is JSON (RFC 8259). */
export function findJsonError(text: string): JsonError | null {
  const at = errorOffset(text);
  if (at === null) return null;
  const before = text.slice(0, at);
  return {
    line: before.split("\n").length,
    column: before.length - before.lastIndexOf("\n"),
    found: describe(text.slice(at)),
  };
}

function describe(rest: string): string {
  if (rest === "") return "the end of the file";
  if (/^\/[/*]/.test(rest)) return "a comment";
  if (rest.startsWith("'")) return `' where a string has "`;
  if (rest.startsWith("\\")) return "a \\ that begins no escape of JSON";
  const [character = ""] = rest;
  // Punctuation only: letters and digits may be part of a secret that lacks its quotes.
  if (/[[\]{}:,"]/.test(character)) return character;
  return /\s/.test(character) ? "the end of the line in a string" : "text that is not in quotes";
}

function errorOffset(text: string): number | null {
  let at = 0;

  /** Goes over what the pattern matches here, and says whether it did. */
  function take(pattern: RegExp): boolean {
    pattern.lastIndex = at;
    const found = pattern.test(text);
    if (found) at = pattern.lastIndex;
    return found;
  }

  /** Goes over a list up to its closing bracket, and says whether it is complete. */
  function takeList(close: RegExp, takeEntry: () => boolean): boolean {
    take(SPACE);
    if (take(close)) return true;
    do {
      take(SPACE);
      if (!takeEntry()) return false;
      take(SPACE);
    } while (take(COMMA));
    return take(close);
  }

  function takeMember(): boolean {
    if (!takeString()) return false;
    take(SPACE);
    return take(COLON) && takeValue();
  }

  /** Stops at the character that no string may have. */
  function takeString(): boolean {
    return take(QUOTE) && (take(CHARACTERS), take(QUOTE));
  }

  function takeValue(): boolean {
    take(SPACE);
    if (take(OPEN_OBJECT)) return takeList(CLOSE_OBJECT, takeMember);
    if (take(OPEN_ARRAY)) return takeList(CLOSE_ARRAY, takeValue);
    return text[at] === '"' ? takeString() : take(LITERAL);
  }

  if (!takeValue()) return at;
  take(SPACE);
  return at === text.length ? null : at;
}

const SPACE = /[ \t\n\r]*/y;
const COMMA = /,/y;
const COLON = /:/y;
const QUOTE = /"/y;
const OPEN_OBJECT = /\{/y;
const CLOSE_OBJECT = /\}/y;
const OPEN_ARRAY = /\[/y;
const CLOSE_ARRAY = /\]/y;
const LITERAL = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
const CHARACTERS =
  /(?:[\u0020-\u0021\u0023-\u005b\u005d-\u{10ffff}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/uy;
