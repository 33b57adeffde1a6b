/**
 * Reads the platform's public keys, once an hour.
 *
 * @module
 */

import { createHttp } from "../http/http.ts";
import { type CallOptions, checkOptions, type ClientOptions, type Fetch } from "../http/options.ts";
import { createReport } from "../http/report.ts";
import { type SigningKey, toSigningKeys } from "../resources/signing_key.ts";

/** Reads the keys of a platform. */
export interface KeyReader {
  /** Returns all keys. Sends a request unless they were read within the last hour. */
  read(): Promise<readonly SigningKey[]>;
  /** Returns all keys after a token has named an unknown one. Sends a request unless they were read within the last 30 seconds. */
  readAgain(): Promise<readonly SigningKey[]>;
}

/** The time for which keys are used, in milliseconds. */
const maxAge = 60 * 60 * 1000;

/** The time between two requests because of unknown keys, in milliseconds: not every forged token may cause a request. */
const minAge = 30 * 1000;

interface ReadKeys {
  readonly keys: readonly SigningKey[];
  readonly readAt: number;
}

/**
 * The keys by the function that sends requests and by the base of the API, since two fake platforms may have the same address. It
 * holds values, never a promise: a Worker can't wait in one request for the work of another one.
 */
const cache = /* @__PURE__ */ new WeakMap<Fetch, Map<string, ReadKeys>>();

/**
 * Creates the reader for the keys of the platform in the options.
 *
 * @throws {TypeError} If an option is wrong, with its name.
 */
export function createKeyReader(options: ClientOptions & CallOptions): KeyReader {
  const checked = checkOptions(options);
  const http = createHttp(checked);
  const { apiUrl } = checked;
  const fetch = checked.fetch ?? globalThis.fetch;
  const path = "/oauth2/keys";
  const report = createReport(options.onUnexpected, { method: "GET", path });

  const readUnlessYounger = async (age: number): Promise<readonly SigningKey[]> => {
    const cached = cache.get(fetch)?.get(apiUrl);
    if (cached && Date.now() - cached.readAt < age) return cached.keys;
    const readAt = Date.now();
    const keys = toSigningKeys(await http({ path, signal: options.signal }), report);
    const keysByUrl = cache.get(fetch) ?? new Map<string, ReadKeys>();
    cache.set(fetch, keysByUrl.set(apiUrl, { keys, readAt }));
    return keys;
  };
  return { read: () => readUnlessYounger(maxAge), readAgain: () => readUnlessYounger(minAge) };
}
