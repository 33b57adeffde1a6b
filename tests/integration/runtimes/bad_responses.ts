/**
 * Asks a platform whose answers never end, or are far too long, and measures what that costs. Plain code for every
 * runtime; it is given the library as that runtime loaded it.
 *
 * @module
 */

import type * as Sdk from "../../../mod.ts";

/** What one answer came to. */
export interface Measured {
  readonly kind: Kind;
  /** The method of the request. */
  readonly method: string;
  /** The name of the error. */
  readonly error: string;
  readonly milliseconds: number;
}

/** The time limit of each call, in milliseconds. */
export const timeout = 2000;

/** Each kind of answer that the server gives, and the errors it may come to. */
export const kinds = {
  /** As many spaces as somebody takes. */
  "endless": ["PayloadTooLargeError"],
  /** The same with status 401: the status counts. */
  "endless-401": ["ApiError"],
  /** A few hundred kilobytes that unpack to 200 MB. */
  "gzip": ["PayloadTooLargeError"],
  /** 300 MB. */
  "large": ["PayloadTooLargeError"],
  /** Endless as well, each byte on its own. */
  "tiny-pieces": ["PayloadTooLargeError", "TimeoutError"],
  /** A byte now and then. */
  "slow": ["TimeoutError"],
  /** Broken off in the middle. */
  "cut": ["NetworkError"],
} as const satisfies Record<string, readonly string[]>;

/** A kind of answer. */
export type Kind = keyof typeof kinds;

/** Reads a user and exchanges a code for each kind of answer. */
export async function measureBodies(sdk: typeof Sdk, origin: string): Promise<Measured[]> {
  const found: Measured[] = [];
  for (const kind of Object.keys(kinds) as Kind[]) {
    const platform = {
      authorizeUrl: "https://x.example/",
      apiUrl: `${origin}/${kind}`,
      cdnUrl: "https://x.example",
    };
    const options = { platform, timeout };
    const user = new sdk.User("t0ken", options);
    const api = new sdk.PlatformApi("1", "s3cret", ["identify"], "https://app.example/", options);
    const calls: [string, () => Promise<unknown>][] = [
      ["GET", () => user.getCurrentUser()],
      ["POST", () => api.accessToken("c0de")],
    ];
    for (const [method, call] of calls) {
      const start = performance.now();
      const error = await nameOfError(call);
      found.push({ kind, method, error, milliseconds: performance.now() - start });
    }
  }
  return found;
}

async function nameOfError(call: () => Promise<unknown>): Promise<string> {
  try {
    await call();
    return "none";
  } catch (error) {
    return (error as Error).name;
  }
}
