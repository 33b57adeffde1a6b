/**
 * Keeps secrets out of errors: replaces text from outside that repeats a secret.
 *
 * @module
 */

/**
 * Creates a function that returns a text unchanged, or `"[redacted]"` when the text repeats a secret. It finds a secret in upper
 * and lower case, escaped in any way, and by twelve of its letters and digits in a row.
 *
 * It replaces the whole text, since the text around one secret may be a part of another.
 *
 * @param secrets The secrets. Empty ones are ignored.
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const wholes = secrets.filter((secret) => secret !== "");
  const parts = wholes.flatMap(unescapedForms).flatMap(partsOf);
  return (text) => {
    const start = text.slice(0, longestText);
    const forms = unescapedForms(start);
    const repeatsSecret = wholes.some((secret) => start.includes(secret)) ||
      parts.some((part) => forms.some((form) => form.includes(part)));
    return repeatsSecret ? "[redacted]" : start;
  };
}

/**
 * The number of characters of a text that are read and returned. An error shows the first half of them, so a secret that begins
 * in that half is read to its end. Reading megabytes would take seconds.
 */
const longestText = 2000;

/** The number of times that a text is unescaped. Ten times are not an accident. */
const mostUnescapings = 9;

/** Returns 8 characters of a secret from every fifth character on, so any 12 characters contain a part. A short secret is one part. */
function partsOf(secret: string): string[] {
  if (secret === "") return [];
  const parts = [secret.slice(0, 8)];
  for (let start = 5; start + 8 <= secret.length; start += 5) {
    parts.push(secret.slice(start, start + 8));
  }
  return parts;
}

/**
 * Returns the letters and digits of a text in lower case: of the text as it is, and after each round of undoing the escapes of
 * URLs, JSON, JavaScript and HTML. Every form counts, since `%c0de` is an escape to one reader and a `%` before `c0de` to another.
 */
function unescapedForms(text: string): string[] {
  const found = [alphanumericsOf(text)];
  let plain = text;
  for (let round = 0; round < mostUnescapings; round++) {
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
