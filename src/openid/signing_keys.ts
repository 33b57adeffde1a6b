/**
 * The platform's public keys, read once an hour.
 *
 * @module
 */

import { checkedBaseUrls, discord } from "../links/platform.ts";
import { createHttp } from "../http/http.ts";
import type { CallOptions, ClientOptions, Fetch } from "../http/options.ts";
import { createReport } from "../http/report.ts";
import { type SigningKey, toSigningKeys } from "../resources/signing_key.ts";

/** The keys of a platform. */
export interface SigningKeys {
  /** All of them, without a request where they were read within the last hour. */
  known(): Promise<readonly SigningKey[]>;
  /** All of them, after one of them was not known: with a new request, unless the last one was half a minute ago. */
  renewed(): Promise<readonly SigningKey[]>;
}

/** How long keys are used before they are read again, in milliseconds. */
const longestAge = 60 * 60 * 1000;

/** How soon an unknown key makes the keys be read again, in milliseconds: not every forged token may become a request. */
const shortestAge = 30 * 1000;

interface ReadKeys {
  readonly keys: readonly SigningKey[];
  readonly readAt: number;
}

/**
 * What was read, by the function that sends requests and by the base of the API: what one fake platform answered must not be
 * taken for what another one does. Values, never a promise: a Worker can't wait in one request for what another one has begun.
 */
const cache = /* @__PURE__ */ new WeakMap<Fetch, Map<string, ReadKeys>>();

/**
 * The keys of the platform that the options name.
 *
 * @throws {TypeError} When an option is wrong, with its name.
 */
export function signingKeysOf(options: ClientOptions & CallOptions): SigningKeys {
  const http = createHttp(options);
  const { apiUrl } = checkedBaseUrls(options.platform ?? discord);
  const sender = options.fetch ?? globalThis.fetch;
  const path = "/oauth2/keys";
  const report = createReport(options.onUnexpected, { method: "GET", path });

  const noOlderThan = async (longest: number): Promise<readonly SigningKey[]> => {
    const cached = cache.get(sender)?.get(apiUrl);
    if (cached && Date.now() - cached.readAt < longest) return cached.keys;
    const readAt = Date.now();
    const keys = toSigningKeys(await http({ path, signal: options.signal }), report);
    const ofSender = cache.get(sender) ?? new Map<string, ReadKeys>();
    cache.set(sender, ofSender.set(apiUrl, { keys, readAt }));
    return keys;
  };
  return { known: () => noOlderThan(longestAge), renewed: () => noOlderThan(shortestAge) };
}
