/**
 * Makes text from the platform or a link safe to log.
 *
 * @module
 */

/** The longest text of an error, in characters. */
const longestText = 1000;

/** The longest text of a visitor in an error, in characters. The platform's own descriptions have at most about 100. */
const maxVisitorText = 200;

/** The depth of a value in an error. The platform's errors for single fields have about ten levels. */
const deepest = 16;

/** The number of keys and list entries of a value in an error. */
const mostEntries = 200;

/**
 * Makes one line of at most 1,000 characters. Control characters, line breaks and marks for the direction of writing become
 * spaces.
 */
export function cleanText(text: string): string {
  // A text may have megabytes, so it is cut first.
  return text.slice(0, longestText).replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, " ");
}

/** Returns the beginning of a text that a visitor can write, so that a log has little of it. */
export function startOfVisitorText(text: string): string {
  return text.slice(0, maxVisitorText);
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
      // A code of digits only may come back as a number.
      const text = String(from);
      const changed = change(text);
      return changed === text ? from : changed;
    }
    if (typeof from !== "object" || from === null) return from;
    if (depth === deepest) return "...";
    if (Array.isArray(from)) {
      const list: unknown[] = [];
      for (const item of from) {
        if (++entries > mostEntries) break;
        list.push(copy(item, depth + 1));
      }
      return list;
    }
    const pairs: [string, unknown][] = [];
    for (const [key, item] of Object.entries(from)) {
      if (++entries > mostEntries) break;
      pairs.push([change(key), copy(item, depth + 1)]);
    }
    // By assignment, a key called "__proto__" would change the prototype.
    return Object.fromEntries(pairs);
  };
  return copy(value, 0);
}
