/**
 * The state that this process keeps for each platform, such as the end of a rate limit. Clients with the same platform and `fetch` share the
 * state, so that a new client for each request does not repeat a refused request. The state is plain data: on Cloudflare Workers a
 * request can't wait for a promise or timer of another request. Times are those of `performance.now()`.
 *
 * @module
 */

import { RecentMap } from "../../core/recent_map.ts";
import type { CheckedOptions, Fetch } from "../options.ts";
import type { Bucket } from "./bucket.ts";
import type { Claim } from "./claim.ts";

/** The state of a platform. */
export interface PlatformState {
  /** The number of the platform, which no other platform has. */
  readonly number: number;
  /** The pause of all requests after a block by the edge. */
  readonly block: Pause;
  /** The end of the global limit, over the requests with all tokens. Only a 429 states it. */
  globalUntil: number;
  /** The state of each token, by the `Authorization` header. */
  readonly tokens: RecentMap<TokenState>;
  /** The pace of each application's token requests, by client id. */
  readonly paces: RecentMap<TokenPace>;
}

/** A pause after a response, and the claim of the trial request after the pause. */
export interface Pause extends Claim {
  /** The end of the pause; `null` without a pause. */
  until: number | null;
  /** The time until which the response says to wait, for errors. It may be later than the end of the pause. */
  statedUntil: number;
}

/** The rate limits of a token, the refusal of the token, and the claim of the request that tries it again. */
export interface TokenState extends Claim {
  /** The time until which a 401 is remembered; `null` if Discord has not refused the token. */
  refusedUntil: number | null;
  /** The buckets by route, and by Discord's name of the bucket, since several routes may share a bucket. */
  readonly buckets: RecentMap<Bucket>;
}

/** The pace of an application's token requests. */
export interface TokenPace {
  /** The pause of all token requests after a 429. */
  readonly pause: Pause;
  /** The slots of the refreshes in flight, by refresh token. */
  readonly slots: Map<string, Claim>;
  /** The end of the wait of refreshes after a 429. */
  limitedUntil: number;
  /** The number of 429s to refreshes. Each success subtracts a quarter, so that the process remembers the limit for a while. */
  limitCount: number;
  /** The end of the wait of refreshes after failures of Discord. */
  failingUntil: number;
  /** The number of consecutive failures. */
  failureCount: number;
}

/** The maximum number of platforms of one `fetch`. */
const maxPlatforms = 100;

/** The maximum number of remembered tokens of a platform. */
const maxTokens = 1000;

/** The maximum number of limits of a token. A person's token has about ten limits, and a bot token may have one for each guild. */
const maxBuckets = 1000;

/** The maximum number of remembered applications of a platform. */
const maxApplications = 100;

/** The states by `fetch` and by the base of the API. */
const platforms = /* @__PURE__ */ new WeakMap<Fetch, RecentMap<PlatformState>>();

let platformCount = 0;

/** Returns the state of a client's platform. */
export function platformState({ fetch, apiUrl }: CheckedOptions): PlatformState {
  const key = fetch ?? globalThis.fetch;
  let known = platforms.get(key);
  if (!known) {
    known = new RecentMap(maxPlatforms);
    platforms.set(key, known);
  }
  return known.get(apiUrl, newPlatform);
}

function newPlatform(): PlatformState {
  return {
    number: ++platformCount,
    block: newPause(),
    globalUntil: -Infinity,
    tokens: new RecentMap(maxTokens),
    paces: new RecentMap(maxApplications),
  };
}

/** Returns the state of a token. */
export function tokenState({ tokens }: PlatformState, authorization = ""): TokenState {
  return tokens.get(authorization, newToken);
}

function newToken(): TokenState {
  return { refusedUntil: null, heldUntil: -Infinity, buckets: new RecentMap(maxBuckets) };
}

/** Returns the pace of an application. */
export function paceOf({ paces }: PlatformState, clientId: string): TokenPace {
  return paces.get(clientId, newTokenPace);
}

/** Creates the pace of a process that knows nothing yet. */
export function newTokenPace(): TokenPace {
  return {
    pause: newPause(),
    slots: new Map(),
    limitedUntil: -Infinity,
    limitCount: 0,
    failingUntil: -Infinity,
    failureCount: 0,
  };
}

/** Creates a state without a pause. */
export function newPause(): Pause {
  return { until: null, statedUntil: -Infinity, heldUntil: -Infinity };
}
