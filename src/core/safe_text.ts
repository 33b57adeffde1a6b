/**
 * Cleans text from the platform or a link, so that it is safe to log.
 *
 * @module
 */

/** The maximum length of a text in an error, in characters. */
const maxTextLength = 1000;

/** The maximum length of a visitor's text in an error, in characters. The platform's own descriptions have at most about 100. */
const maxVisitorTextLength = 200;

/** The maximum depth of a value in an error. The platform's errors by field have about ten levels. */
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
    if (Array.isArray(from)) {
      const list: unknown[] = [];
      for (const item of from) {
        if (++entries > maxEntries) break;
        list.push(copy(item, depth + 1));
      }
      return list;
    }
    const pairs: [string, unknown][] = [];
    for (const [key, item] of Object.entries(from)) {
      if (++entries > maxEntries) break;
      pairs.push([change(key), copy(item, depth + 1)]);
    }
    // By assignment, a key called "__proto__" would change the prototype.
    return Object.fromEntries(pairs);
  };
  return copy(value, 0);
}
