/**
 * Cleans text from Discord or a link, and keeps secrets out of it, so that it is safe to log.
 *
 * @module
 */

/** The maximum length of a text in an error, in characters. */
const maxTextLength = 1000;

/** The maximum length of a visitor's text in an error, in characters. Discord's own descriptions have at most about 100. */
const maxVisitorTextLength = 200;

/** The maximum depth of a value in an error. Discord's errors by field have about ten levels. */
const maxDepth = 16;

/** The maximum number of keys and list entries of a value in an error. */
const maxEntries = 200;

/**
 * Cuts a text to one line of at most 1,000 characters. Control characters, line breaks and marks for the direction of writing
 * become spaces.
 */
export function cleanText(text: string): string {
  // A text may have megabytes, so it is cut first.
  const start = text.slice(0, maxTextLength);
  // Nearly all texts stay as they are, and V8 takes long to compile the properties of Unicode.
  if (/^[ -~]*$/.test(start)) return start;
  return start.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, " ");
}

/** Returns the beginning of a visitor's text, so that a visitor can't fill a log. */
export function startOfVisitorText(text: string): string {
  return text.slice(0, maxVisitorTextLength);
}

/**
 * Copies a JSON value and changes every text in it, keys included. `"..."` replaces a value below 16 levels, and only the first
 * 200 keys and list entries are copied.
 */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  let entries = 0;
  const copy = (from: unknown, depth: number): unknown => {
    if (typeof from === "string") return change(from);
    if (typeof from === "number") {
      // JSON may contain a code of digits as a number.
      const text = String(from);
      const changed = change(text);
      return changed === text ? from : changed;
    }
    if (typeof from !== "object" || from === null) return from;
    if (depth === maxDepth) return "...";
    const pairs: [string, unknown][] = [];
    for (const [key, item] of Object.entries(from)) {
      if (++entries > maxEntries) break;
      pairs.push([change(key), copy(item, depth + 1)]);
    }
    // By assignment, a key called "__proto__" would change the prototype.
    return Array.isArray(from) ? pairs.map(([, item]) => item) : Object.fromEntries(pairs);
  };
  return copy(value, 0);
}

/**
 * Creates a function that returns `"[redacted]"` for a text with a secret, and the first 2,000 characters of any other text. It
 * finds a secret in any case, escaped in any way, and by twelve of its letters and digits in a row.
 *
 * The function replaces the whole text, since the text around one secret may be a part of another.
 *
 * @param secrets The secrets to find. Empty strings are ignored.
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const wholes = secrets.filter((secret) => secret !== "");
  const parts = wholes.flatMap(unescapedForms).flatMap(partsOf);
  return (text) => {
    const start = text.slice(0, maxRedactorLength);
    const forms = unescapedForms(start);
    const repeatsSecret = wholes.some((secret) => start.includes(secret)) ||
      parts.some((part) => forms.some((form) => form.includes(part)));
    return repeatsSecret ? "[redacted]" : start;
  };
}

/**
 * The maximum number of characters to read and return. An error shows at most the first half, so a secret that begins there is found as a
 * whole. Reading megabytes would take seconds.
 */
const maxRedactorLength = 2000;

/** The maximum number of times to unescape a text. No text is escaped ten times by accident. */
const maxUnescapings = 9;

/**
 * Returns the parts of a secret: 8 characters from every fifth character on, so any 12 characters contain a part. A short secret
 * is one part.
 */
function partsOf(secret: string): string[] {
  if (secret === "") return [];
  const parts = [secret.slice(0, 8)];
  for (let start = 5; start + 8 <= secret.length; start += 5) {
    parts.push(secret.slice(start, start + 8));
  }
  return parts;
}

/**
 * Returns the letters and digits of a text in lowercase, of the text itself and after each round of unescaping (URLs, JSON, JavaScript,
 * HTML). Finds all of these forms: `%c0de` may be an escape, or a `%` before `c0de`.
 */
function unescapedForms(text: string): string[] {
  const found = [alphanumericsOf(text)];
  let plain = text;
  for (let round = 0; round < maxUnescapings; round++) {
    const before = plain;
    plain = unescapeOnce(plain);
    if (plain === before) break;
    found.push(alphanumericsOf(plain));
  }
  return found;
}

function alphanumericsOf(text: string): string {
  return text.replace(/&[a-z]{2,4};|[^a-z\d]/gi, "").toLowerCase();
}

function unescapeOnce(text: string): string {
  return text
    .replace(
      /(?:%|\\x|\\u00|\\u\{0*|&#x0*)([\da-f]{2})[;}]?/gi,
      (_escape, hex: string) => String.fromCharCode(parseInt(hex, 16)),
    )
    .replace(/&#(\d+);?/g, (_escape, decimal: string) => String.fromCharCode(Number(decimal)))
    .replace(/&amp;/gi, "&");
}
