/**
 * The knowledge of this process about the limits of a platform. Clients with the same platform and the same `fetch` share it, so
 * that a client for each request does not repeat what was refused. It is plain data: on Cloudflare Workers a request can't wait for
 * a promise or timer of another one.
 *
 * @module
 */

import { Bucket } from "./bucket.ts";
import type { CheckedOptions, Fetch } from "./options.ts";
import { RecentMap } from "./recent_map.ts";

/** The knowledge about one platform. Times are those of `performance.now()`. */
export interface PlatformKnowledge {
  /** The end of the pause after a block by the edge. */
  blockedUntil: number;
  /** The limit over all requests with a token. No answer states it. */
  readonly global: Bucket;
  /** The knowledge about tokens, by their digest. */
  readonly tokens: RecentMap<TokenKnowledge>;
  /** The pauses of the token endpoint, by client id. */
  readonly tokenEndpoints: RecentMap<TokenEndpointPause>;
}

/** The knowledge about a token. */
export interface TokenKnowledge {
  /** The time until which a 401 is believed; `null` if the platform has not refused the token. */
  refusedUntil: number | null;
  /** The limits by route, and by the platform's name for them, since several routes may share one. */
  readonly buckets: RecentMap<Bucket>;
}

/** The pause of the token endpoint after a 429. */
export interface TokenEndpointPause {
  /** The end of the time in which nothing is sent; `null` without a pause. */
  until: number | null;
  /** The time until which others wait for the outcome of the request that tries after the pause. */
  trialEndsAt: number;
}

/** The most platforms, and the most applications and tokens of a platform, that are remembered. */
const maxPlatforms = 100;
const maxApplications = 100;
const maxTokens = 1000;

/** The most limits of a token. The token of a person meets ten, that of a bot may meet one for each guild. */
const maxBuckets = 1000;

const platforms = new WeakMap<Fetch, RecentMap<PlatformKnowledge>>();

/** Returns the knowledge about the platform of a client. */
export function knowledgeOf({ fetch, apiUrl }: CheckedOptions): PlatformKnowledge {
  const key = fetch ?? globalThis.fetch;
  const known = platforms.get(key) ?? new RecentMap(maxPlatforms, newPlatform);
  platforms.set(key, known);
  return known.get(apiUrl);
}

function newPlatform(): PlatformKnowledge {
  return {
    blockedUntil: -Infinity,
    global: new Bucket(true),
    tokens: new RecentMap(maxTokens, newToken),
    tokenEndpoints: new RecentMap(maxApplications, () => ({ until: null, trialEndsAt: -Infinity })),
  };
}

function newToken(): TokenKnowledge {
  return { refusedUntil: null, buckets: new RecentMap(maxBuckets, () => new Bucket(false)) };
}
