/**
 * The people who use the application.
 *
 * @module
 */

import { CookieJar } from "../../../src/testing/mod.ts";
import type { LoginName } from "./application.ts";
import type { Random } from "./random.ts";

/** The habits of people, with their shares. */
const habits = {
  /** Come a few minutes or 30 hours before the end of their token, and once more after it. */
  early: 55,
  /** Come after the end of their token. */
  late: 25,
  /** Stay away for one lifetime of a token. */
  holiday: 10,
  /** Log out after two lifetimes of a token. */
  leaving: 5,
  /** Never come back after the first lifetime of a token. */
  gone: 5,
} as const;

/** A person with a browser. */
export interface Person {
  readonly id: string;
  readonly login: LoginName;
  readonly habit: keyof typeof habits;
  /** True if a background job uses their token. */
  readonly hasJob: boolean;
  readonly jar: CookieJar;
  isLoggedIn: boolean;
  /** The end of the last access token, in milliseconds since the epoch. */
  tokenEnd: number;
}

export function createPerson(random: Random, index: number): Person {
  const login = random.chance(0.5) ? "own" : "shared";
  return {
    id: String(2_000_000_000_000_000_000n + BigInt(index)),
    login,
    habit: random.weighted(habits),
    hasJob: login === "shared" && random.chance(0.4),
    jar: new CookieJar(),
    isLoggedIn: false,
    tokenEnd: 0,
  };
}
