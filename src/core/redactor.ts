/**
 * Keeps secrets out of errors: replaces received text that contains a secret.
 *
 * @module
 */

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
    const start = text.slice(0, maxTextLength);
    const forms = unescapedForms(start);
    const repeatsSecret = wholes.some((secret) => start.includes(secret)) ||
      parts.some((part) => forms.some((form) => form.includes(part)));
    return repeatsSecret ? "[redacted]" : start;
  };
}

/**
 * The maximum number of characters to read and return. An error shows only the first half, so a secret that begins there is read
 * to its end. Reading megabytes would take seconds.
 */
const maxTextLength = 2000;

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
 * Returns the letters and digits of a text in lower case, of the text itself and after each round of unescaping (URLs, JSON,
 * JavaScript, HTML). All of these forms count: `%c0de` may be an escape, or a `%` before `c0de`.
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
