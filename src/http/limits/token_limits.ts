/**
 * The knowledge of this process about the tokens of a platform: their rate limits, and whether the platform has refused them.
 *
 * @module
 */

import { RecentMap } from "../../core/recent_map.ts";
import { Bucket } from "./bucket.ts";
import type { Claim } from "./claim.ts";

/** The rate limits and the refused tokens of a platform. Times are those of `performance.now()`. */
export interface PlatformLimits {
  /** The end of the global limit, over the requests with all tokens. Only a 429 states it. */
  globalUntil: number;
  /** The limits of each token, by the `Authorization` header. */
  readonly tokens: RecentMap<TokenLimits>;
}

/** The rate limits of a token, whether the platform has refused it, and the claim of the request that tries it again. */
export interface TokenLimits extends Claim {
  /** The time until which a 401 is remembered; `null` if the platform has not refused the token. */
  refusedUntil: number | null;
  /** The buckets by route, and by the platform's name of the bucket, since several routes may share a bucket. */
  readonly buckets: RecentMap<Bucket>;
}

/** The maximum number of remembered tokens of a platform. */
const maxTokens = 1000;

/** The maximum number of limits of a token. A person's token has about ten limits, and a bot token may have one for each guild. */
const maxBuckets = 1000;

/** Creates the limits of a platform. */
export function newLimits(): PlatformLimits {
  return { globalUntil: -Infinity, tokens: new RecentMap(maxTokens, newToken) };
}

function newToken(): TokenLimits {
  return {
    refusedUntil: null,
    heldUntil: -Infinity,
    buckets: new RecentMap(maxBuckets, () => new Bucket()),
  };
}
