/**
 * Sends requests to a platform whose responses never end, or are far too large, and measures errors and time. The code
 * runs on every runtime, and receives the library as that runtime loaded it.
 *
 * @module
 */

import type * as Sdk from "../../../mod.ts";

/** The result of one request. */
export interface Measurement {
  readonly kind: Kind;
  readonly method: string;
  /** The name of the error that the call threw. */
  readonly error: string;
  readonly milliseconds: number;
  /** The bytes of the body that the library had read when it asked for the last piece. */
  readonly bytes: number;
}

/** The time limit of each call, in milliseconds. A busy machine needs seconds to send the largest body that is read. */
export const timeout = 5000;

/** The longest body that is read, in bytes. */
export const maxBytes = 8 * 1024 * 1024;

/** The kinds of response that the server sends, with their possible errors. */
export const kinds = {
  /** Spaces for as long as the client reads. */
  "endless": ["PayloadTooLargeError"],
  /** The same with status 401, which decides about the error. */
  "endless-401": ["ApiError"],
  /** A few hundred kilobytes that decompress to 200 MB. */
  "gzip": ["PayloadTooLargeError"],
  /** 300 MB. */
  "large": ["PayloadTooLargeError"],
  /** Spaces without end, each in a chunk of its own. */
  "tiny-pieces": ["PayloadTooLargeError", "TimeoutError"],
  /** A byte every 50 ms. */
  "slow": ["TimeoutError"],
  /** A connection that closes in the middle of the body. */
  "cut": ["NetworkError"],
} as const satisfies Record<string, readonly string[]>;

/** A kind of response. */
export type Kind = keyof typeof kinds;

/** Reads a user and exchanges a code for each kind of response. */
export async function measureBadResponses(sdk: typeof Sdk, origin: string): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  for (const kind of Object.keys(kinds) as Kind[]) {
    const platform = {
      authorizeUrl: "https://x.example/",
      apiUrl: `${origin}/${kind}`,
      cdnUrl: "https://x.example",
    };
    let bytes = 0;
    const fetch = async (url: string, init: RequestInit) =>
      countReads(await globalThis.fetch(url, init), (total) => bytes = total);
    const options = { platform, timeout, maxBytes, fetch };
    const user = new sdk.User("t0ken", options);
    const api = new sdk.PlatformApi("1", "s3cret", ["identify"], "https://app.example/", options);
    const calls: [string, () => Promise<unknown>][] = [
      ["GET", () => user.getCurrentUser()],
      ["POST", () => api.accessToken("c0de")],
    ];
    for (const [method, call] of calls) {
      bytes = 0;
      const start = performance.now();
      const error = await nameOfError(call);
      measurements.push({ kind, method, error, milliseconds: performance.now() - start, bytes });
    }
  }
  return measurements;
}

/** Returns a response that tells at each read of its body how many bytes were read before. */
function countReads(response: Response, tell: (bytes: number) => void): Response {
  const { status, headers, body } = response;
  const getReader = () => {
    const reader = body?.getReader();
    let bytes = 0;
    return {
      async read() {
        tell(bytes);
        const piece = await reader?.read();
        bytes += piece?.value?.length ?? 0;
        return piece;
      },
      cancel: async () => await reader?.cancel(),
    };
  };
  return { status, headers, body: { getReader } } as unknown as Response;
}

async function nameOfError(call: () => Promise<unknown>): Promise<string> {
  try {
    await call();
    return "none";
  } catch (error) {
    return (error as Error).name;
  }
}
