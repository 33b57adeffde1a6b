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
  /** What is there, without repeating text: the end, a comment, punctuation, or text that is not in quotes. */
  readonly found: string;
}

/** `null` for a text that is JSON (RFC 8259) and not nested more than 500 levels deep. */
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

/** Lists and objects within each other, more than any configuration has; without a limit, the stack would overflow. */
const deepest = 500;

function errorOffset(text: string): number | null {
  let at = 0;
  let depth = 0;

  /** Goes over what the pattern matches here, and says whether it did. */
  function take(pattern: RegExp): boolean {
    pattern.lastIndex = at;
    const found = pattern.test(text);
    if (found) at = pattern.lastIndex;
    return found;
  }

  /** Goes over a list up to its closing bracket, and says whether it is complete. */
  function takeList(close: RegExp, takeEntry: () => boolean): boolean {
    if (++depth > deepest) return false;
    take(spacePattern);
    if (take(close)) return leave();
    do {
      take(spacePattern);
      if (!takeEntry()) return false;
      take(spacePattern);
    } while (take(commaPattern));
    return take(close) && leave();
  }

  function leave(): true {
    depth--;
    return true;
  }

  function takeMember(): boolean {
    if (!takeString()) return false;
    take(spacePattern);
    return take(colonPattern) && takeValue();
  }

  /** Stops at the character that no string may have. */
  function takeString(): boolean {
    return take(quotePattern) && take(charactersPattern) && take(quotePattern);
  }

  function takeValue(): boolean {
    take(spacePattern);
    if (take(objectStart)) return takeList(objectEnd, takeMember);
    if (take(arrayStart)) return takeList(arrayEnd, takeValue);
    return text[at] === '"' ? takeString() : take(literalPattern);
  }

  if (!takeValue()) return at;
  take(spacePattern);
  return at === text.length ? null : at;
}

const spacePattern = /[ \t\n\r]*/y;
const commaPattern = /,/y;
const colonPattern = /:/y;
const quotePattern = /"/y;
const objectStart = /\{/y;
const objectEnd = /\}/y;
const arrayStart = /\[/y;
const arrayEnd = /\]/y;
const literalPattern =
  /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
const charactersPattern =
  /(?:[\u0020-\u0021\u0023-\u005b\u005d-\u{10ffff}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/uy;
