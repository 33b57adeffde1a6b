/**
 * Makes what the platform or a link says fit to be logged.
 *
 * @module
 */

/** The longest text of an error, in characters. */
const longestText = 1000;

/** How deep a value of an error goes; the platform's errors for single fields go down to about ten. */
const deepest = 16;

/** How many keys and list entries a value of an error has in all. */
const mostEntries = 200;

/**
 * One line of at most 1,000 characters: without control characters, line breaks of any kind, and marks that turn the
 * direction of writing.
 */
export function cleanText(text: string): string {
  // Cut first, since a text may have megabytes.
  return text.slice(0, longestText).replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, " ");
}

/**
 * A copy of a JSON value with every text in it changed, keys included. It is bounded in depth and in number: `"..."` takes
 * the place of what is deeper than 16 levels, and what comes after the first 200 keys and list entries is left out.
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
    // Not by assignment, which a key called "__proto__" would turn into something else.
    return Object.fromEntries(pairs);
  };
  return copy(value, 0);
}
