/**
 * The rate limits and the refused tokens of a platform, as far as this process knows them.
 *
 * @module
 */

import { Bucket } from "./bucket.ts";
import { type Claim, newClaim } from "./claim.ts";
import { PerPlatform } from "./per_platform.ts";
import { RecentMap } from "./recent_map.ts";

/** The rate limits and the refused tokens of a platform. */
export interface PlatformLimits {
  /** The global limit, over the requests with all tokens. No response states it. */
  readonly global: Bucket;
  /** The limits of each token, by the digest of the token. */
  readonly tokens: RecentMap<TokenLimits>;
}

/** The rate limits of a token, and whether the platform has refused it. */
export interface TokenLimits {
  /** The time until which a 401 is remembered, as of `performance.now()`; `null` if the platform has not refused the token. */
  refusedUntil: number | null;
  /** The claim of the request that tries a refused token again. */
  readonly trial: Claim;
  /** The buckets by route, and by the platform's name of the bucket, since several routes may share a bucket. */
  readonly buckets: RecentMap<Bucket>;
}

/** The maximum number of remembered tokens of a platform. */
const maxTokens = 1000;

/** The maximum number of limits of a token. A person's token has about ten limits, and a bot token may have one for each guild. */
const maxBuckets = 1000;

/** The limits of each platform. */
export const limits: PerPlatform<PlatformLimits> = /* @__PURE__ */ new PerPlatform(() => ({
  global: new Bucket(true),
  tokens: new RecentMap(maxTokens, newToken),
}));

function newToken(): TokenLimits {
  return {
    refusedUntil: null,
    trial: newClaim(),
    buckets: new RecentMap(maxBuckets, () => new Bucket(false)),
  };
}
