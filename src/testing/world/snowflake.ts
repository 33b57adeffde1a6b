/**
 * Creates and checks snowflakes, which are the ids of the platform.
 *
 * @module
 */

/** Returns true for a decimal number of up to 64 bits. */
export function isSnowflake(value: unknown): value is string {
  return typeof value === "string" && /^\d{1,20}$/.test(value) && BigInt(value) < 1n << 64n;
}

/** Creates a unique id from the time on the platform's clock. */
export function newSnowflake(world: { readonly now: () => number; issuedIds: number }): string {
  world.issuedIds += 1;
  const milliseconds = Math.max(0, Math.floor(world.now()) - discordEpoch);
  return String((BigInt(milliseconds) << 22n) + BigInt(world.issuedIds));
}

/** The epoch of snowflakes: the first second of 2015, in milliseconds since the Unix epoch. */
const discordEpoch = 1_420_070_400_000;
