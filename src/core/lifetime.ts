/**
 * How long a token works.
 *
 * @module
 */

/** So long that it can only be a mistake, in seconds, and short enough for the time of its end to be exact. */
export const longestLifetime = 1e12;

/** The number of seconds that a text stands for, or `null` when it is not one. */
export function parseLifetime(text: string): number | null {
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Infinity;
  return seconds <= longestLifetime ? seconds : null;
}

/** When something that just came ends, in milliseconds since the epoch. */
export function expiresAtFor(seconds: number): number {
  return Date.now() + Math.floor(seconds * 1000);
}
