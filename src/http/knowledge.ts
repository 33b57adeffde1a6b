/**
 * The knowledge of this process about the limits of a platform. Clients with the same platform and the same `fetch` share it, so
 * that a client for each request does not repeat what was refused. It is plain data: on Cloudflare Workers a request can't wait for
 * a promise or timer of another one.
 *
 * @module
 */

import type { CheckedOptions, Fetch } from "./options.ts";
import { RecentMap } from "./recent_map.ts";

/** The knowledge about one platform. Times are those of `performance.now()`. */
export interface PlatformKnowledge {
  /** The end of the pause after a block by the edge. */
  blockedUntil: number;
  /** The pauses of the token endpoint, by client id. */
  readonly tokenEndpoints: RecentMap<TokenEndpointPause>;
}

/** The pause of the token endpoint after a 429. */
export interface TokenEndpointPause {
  /** The end of the time in which nothing is sent; `null` without a pause. */
  until: number | null;
  /** The time until which others wait for the outcome of the request that tries after the pause. */
  trialEndsAt: number;
}

/** The most platforms that one `fetch` leads to, and the most applications, whose limits are remembered. */
const maxPlatforms = 100;
const maxApplications = 100;

const platforms = new WeakMap<Fetch, RecentMap<PlatformKnowledge>>();

/** Returns the knowledge about the platform of a client. */
export function knowledgeOf({ fetch, apiUrl }: CheckedOptions): PlatformKnowledge {
  const key = fetch ?? globalThis.fetch;
  const known = platforms.get(key) ?? new RecentMap(maxPlatforms);
  platforms.set(key, known);
  return known.get(apiUrl, () => ({
    blockedUntil: -Infinity,
    tokenEndpoints: new RecentMap(maxApplications),
  }));
}
