/**
 * Counts requests, and responds with 429 above a limit.
 *
 * @module
 */

import { json } from "../http/responses.ts";
import { hash } from "../world/encoding.ts";
import { ForgetfulMap } from "../world/forgetful_map.ts";
import * as f from "../world/schema.ts";
import type { Fields } from "../world/schema.ts";

/** A rate limit of the fake platform. */
export interface FakeRateLimit {
  /**
   * The maximum number of requests in a window.
   * @default 1000
   */
  readonly limit?: number | undefined;
  /**
   * The length of a window, in milliseconds on the platform's clock.
   * @default 1000
   */
  readonly windowMs?: number | undefined;
}

/** The rate limits of the fake platform. */
export interface FakeRateLimits extends FakeRateLimit {
  /** The limits of single routes, by method and path template: `"GET /users/@me/guilds"`, `"GET /guilds/{guild_id}"`. */
  readonly routes?: Readonly<Record<string, FakeRateLimit>> | undefined;
  /**
   * The limit for all requests with one token, on all routes together.
   * @default {no limit}
   */
  readonly global?: FakeRateLimit | undefined;
}

export function rateLimitsFields(routeNames: readonly string[]): Fields<FakeRateLimits> {
  return {
    ...rateLimitFields(),
    // A limit for a misspelled route would never apply.
    routes: f.optional(f.recordOf(f.objectOf(rateLimitFields()), routeNames)),
    global: f.optional(f.objectOf(rateLimitFields())),
  };
}

function rateLimitFields(): Fields<FakeRateLimit> {
  return { limit: f.optional(f.positiveInteger), windowMs: f.optional(f.positiveNumber) };
}

/** Applies the rate limits of one fake platform, and counts its requests. */
export interface RateLimits {
  /** Counts a request. Returns headers for the response, and a 429 for a request above the limit. */
  count(request: CountedRequest): { headers: Record<string, string>; refusal: Response | null };
}

interface CountedRequest {
  readonly method: string;
  readonly template: string;
  /** The id of the guild, channel or webhook in the path. Each id has its own count, except on the member route. */
  readonly topLevelId: string;
  /** The value of the `Authorization` header. Each value has its own count. */
  readonly authorization: string;
}

export function createRateLimits(
  options: FakeRateLimits | undefined,
  now: () => number,
): RateLimits {
  const fallback = withDefaults(options ?? {}, { limit: 1000, windowMs: 1000 });
  const routeOptions = {
    [memberRoute]: { limit: 5, windowMs: 300_000 },
    ...(options === undefined ? {} : { ...guildListLimit, ...options.routes }),
  };
  const routes = new Map(
    Object.entries(routeOptions).map(([route, limit]) => [route, withDefaults(limit, fallback)]),
  );
  const global = options?.global === undefined ? null : withDefaults(options.global, fallback);
  const windows = new ForgetfulMap<Window>(({ endsAt }) => endsAt <= now());

  function countIn(key: string, { limit, windowMs }: Limit): Count {
    const time = now();
    const last = windows.get(key);
    const window = last === undefined || last.endsAt <= time
      ? { used: 0, endsAt: time + windowMs }
      : last;
    const exceeded = window.used >= limit;
    if (!exceeded) window.used += 1;
    windows.set(key, window);
    return {
      exceeded,
      limit,
      remaining: limit - window.used,
      endsAt: window.endsAt,
      secondsLeft: (window.endsAt - time) / 1000,
    };
  }

  return {
    count({ method, template, topLevelId, authorization }): ReturnType<RateLimits["count"]> {
      const route = `${method} ${template}`;
      const all = global === null ? null : countIn(`global ${authorization}`, global);
      if (all?.exceeded) {
        return { headers: {}, refusal: tooManyRequests(all.secondsLeft, "global") };
      }
      const id = route === memberRoute ? "" : topLevelId;
      const key = JSON.stringify([route, id, authorization]);
      const own = countIn(key, routes.get(route) ?? fallback);
      return {
        headers: {
          "x-ratelimit-limit": String(own.limit),
          "x-ratelimit-remaining": String(own.remaining),
          "x-ratelimit-reset": (own.endsAt / 1000).toFixed(3),
          "x-ratelimit-reset-after": own.secondsLeft.toFixed(3),
          "x-ratelimit-bucket": bucketName(route),
        },
        refusal: own.exceeded ? tooManyRequests(own.secondsLeft, "user") : null,
      };
    },
  };
}

/** The route of a user's own membership. It has a limit even without options, and all guilds share one limit for each token. */
const memberRoute = "GET /users/@me/guilds/{guild_id}/member";

/** The other route with a known limit on the platform: a user's guild list. */
const guildListLimit: Readonly<Record<string, FakeRateLimit>> = {
  "GET /users/@me/guilds": { limit: 1, windowMs: 1000 },
};

interface Limit {
  readonly limit: number;
  readonly windowMs: number;
}

interface Window {
  used: number;
  readonly endsAt: number;
}

/** A window with its counted requests. */
interface Count {
  readonly exceeded: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** The time at which the window ends, in milliseconds since the epoch. */
  readonly endsAt: number;
  readonly secondsLeft: number;
}

function withDefaults(options: FakeRateLimit, fallback: Limit): Limit {
  return {
    limit: options.limit ?? fallback.limit,
    windowMs: options.windowMs ?? fallback.windowMs,
  };
}

/** Returns the platform's response to a request over the limit. */
export function tooManyRequests(seconds: number, scope: "user" | "global" | "shared"): Response {
  const global = scope === "global";
  return json(
    { message: "You are being rate limited.", retry_after: seconds, global },
    429,
    {
      "retry-after": String(Math.ceil(seconds)),
      "x-ratelimit-scope": scope,
      ...(global ? { "x-ratelimit-global": "true" } : {}),
    },
  );
}

/** Returns 32 meaningless hexadecimal digits, as on the platform. */
function bucketName(route: string): string {
  const parts = ["a", "b", "c", "d"].map((salt) => hash(salt + route).toString(16));
  return parts.map((part) => part.padStart(8, "0")).join("");
}
