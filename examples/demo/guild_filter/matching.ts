/**
 * Compares the names of guilds with the text of the filter. The server and the page use the same functions, so that the filter
 * finds the same guilds with and without JavaScript.
 *
 * @module
 */

/** Returns true if a name has every word of a filter in it. Case and accents don't count. */
export function matches(name: string, filter: string): boolean {
  const plainName = withoutAccents(name);
  return withoutAccents(filter).split(/\s+/).every((word) => plainName.includes(word));
}

/** Describes the result of a filter. Returns no text if all guilds are shown. */
export function describeMatches(shown: number, all: number): string {
  if (shown === all) return "";
  return shown === 0 ? "No guild has this in its name" : `${shown} of ${all} guilds`;
}

function withoutAccents(text: string): string {
  return text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
}
