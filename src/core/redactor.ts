/**
 * Keeps secrets out of errors: replaces a text from outside that repeats one.
 *
 * @module
 */

/**
 * Makes a function that gives a text back unchanged, or `"[redacted]"` when it repeats one of the secrets: in any case,
 * however it is escaped, and also when only twelve letters and digits in a row are repeated.
 *
 * The whole text is replaced, because what remains around a secret that was cut out may be a part of another one.
 *
 * @param secrets What the text must not repeat. Empty ones are ignored.
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const wholes = secrets.filter((secret) => secret !== "");
  const parts = wholes.flatMap(readings).flatMap(partsOf);
  return (text) => {
    const start = text.slice(0, longestText);
    const texts = readings(start);
    const repeatsSecret = wholes.some((secret) => start.includes(secret)) ||
      parts.some((part) => texts.some((reading) => reading.includes(part)));
    return repeatsSecret ? "[redacted]" : start;
  };
}

/**
 * How much of a text is read and given back, in characters. An error shows half of it, so that a secret that begins there
 * is read to its end; and a text of megabytes would take seconds.
 */
const longestText = 2000;

/** How often a text is unescaped. Each time costs a pass over it, and nobody escapes ten times by accident. */
const mostUnescapings = 9;

/** 8-character windows every 5 characters, so that any 12 characters contain one; a shorter secret is one part. */
function partsOf(secret: string): string[] {
  if (secret === "") return [];
  const parts = [secret.slice(0, 8)];
  for (let start = 5; start + 8 <= secret.length; start += 5) {
    parts.push(secret.slice(start, start + 8));
  }
  return parts;
}

/**
 * The letters and digits of a text in lower case: as it is, and after each round of undoing the escapes of URLs, JSON,
 * JavaScript and HTML. All of them count, because `%c0de` is an escape to one reader and a `%` before `c0de` to another.
 */
function readings(text: string): string[] {
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
