/**
 * The limits and the refused tokens of a platform, as this process has met them.
 *
 * @module
 */

import { Bucket } from "./bucket.ts";
import { type Claim, newClaim } from "./claim.ts";
import { PerPlatform } from "./per_platform.ts";
import { RecentMap } from "./recent_map.ts";

/** The limits of a platform, and its refusals of tokens. */
export interface PlatformLimits {
  /** The limit over all requests with a token. No response states it. */
  readonly global: Bucket;
  /** The knowledge about tokens, by their digest. */
  readonly tokens: RecentMap<TokenLimits>;
}

/** The limits of a token, and its refusal. */
export interface TokenLimits {
  /** The time until which a 401 is believed, as of `performance.now()`; `null` if the platform has not refused the token. */
  refusedUntil: number | null;
  /** The claim of the request that tries a refused token again. */
  readonly trial: Claim;
  /** The limits by route, and by the platform's name for them, since several routes may share one. */
  readonly buckets: RecentMap<Bucket>;
}

/** The maximum number of remembered tokens of a platform. */
const maxTokens = 1000;

/** The maximum number of limits of a token. The token of a person meets ten, that of a bot may meet one for each guild. */
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
