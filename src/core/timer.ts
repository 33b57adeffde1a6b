/**
 * What the timers of all runtimes have in common.
 *
 * @module
 */

/** The longest time that a timer can be set to, in milliseconds: with a longer one it is over at once. */
export const longestTimer = 2 ** 31 - 1;
