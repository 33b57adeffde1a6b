/**
 * Reads the lifetime of a token.
 *
 * @module
 */

/** The maximum lifetime, in seconds. The end of a longer lifetime would not be an exact number. */
export const maxLifetimeSeconds = 1e12;

/** Reads a number of seconds, or returns `null` for other text. */
export function parseLifetime(text: string): number | null {
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Infinity;
  return seconds <= maxLifetimeSeconds ? seconds : null;
}

/** Returns the end of a lifetime that begins now, in milliseconds since the epoch. */
export function expiresAtFor(seconds: number): number {
  return Date.now() + Math.floor(seconds * 1000);
}
