/**
 * Counting requests, and refusing those that are too many.
 *
 * @module
 */

import { json } from "../http/responses.ts";
import { hash } from "../world/encoding.ts";
import {
  type Check,
  type Fields,
  isPositive,
  objectOf,
  optional,
  recordOf,
  throwUnless,
} from "../world/schema.ts";

/** The buckets of a fake platform. */
export interface RateLimits {
  /** Counts a request. Returns the headers for its answer, and the whole answer if there were too many requests. */
  count(route: CountedRoute): { headers: Record<string, string>; refusal: Response | null };
}

export interface CountedRoute {
  readonly method: string;
  readonly template: string;
  /** The guild, channel or webhook, each of which has limits of its own. */
  readonly topLevelId: string;
  /** Whose requests are counted together. */
  readonly authorization: string;
}

export function createRateLimits(
  options: FakeRateLimits | undefined,
  now: () => number,
): RateLimits {
  const given = options ?? {};
  const usual = options === undefined ? {} : platformLimits;
  const fallback = withDefaults(given, { limit: 1000, windowMs: 1000 });
  const routes = new Map(
    Object.entries({ ...usual, ...given.routes }).map(([route, limit]) => [
      route,
      withDefaults(limit, fallback),
    ]),
  );
  const global = given.global === undefined ? null : withDefaults(given.global, fallback);
  const windows = new Map<string, Window>();

  function enter(key: string, { limit, windowMs }: Required<FakeRateLimit>): Standing {
    const time = now();
    const open = windows.get(key);
    const window = open === undefined || open.endsAt <= time
      ? { used: 0, endsAt: time + windowMs }
      : open;
    const refused = window.used >= limit;
    if (!refused) window.used += 1;
    windows.set(key, window);
    return {
      refused,
      limit,
      remaining: limit - window.used,
      endsAt: window.endsAt,
      seconds: (window.endsAt - time) / 1000,
    };
  }

  return {
    count({ method, template, topLevelId, authorization }): ReturnType<RateLimits["count"]> {
      const route = `${method} ${template}`;
      const overall = global === null ? null : enter(`global ${authorization}`, global);
      if (overall?.refused) return { headers: {}, refusal: refuse(overall, "global") };
      const standing = enter(
        JSON.stringify([route, topLevelId, authorization]),
        routes.get(route) ?? fallback,
      );
      return {
        headers: {
          "x-ratelimit-limit": String(standing.limit),
          "x-ratelimit-remaining": String(standing.remaining),
          "x-ratelimit-reset": (standing.endsAt / 1000).toFixed(3),
          "x-ratelimit-reset-after": standing.seconds.toFixed(3),
          "x-ratelimit-bucket": bucketName(route),
        },
        refusal: standing.refused ? refuse(standing, "user") : null,
      };
    },
  };
}

/** The limits of the platform that are known. */
const platformLimits: Readonly<Record<string, FakeRateLimit>> = {
  "GET /users/@me/guilds": { limit: 1, windowMs: 1000 },
};

/** The platform's answer to a request that was too many. */
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

interface Window {
  used: number;
  readonly endsAt: number;
}

interface Standing {
  readonly refused: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
  /** The seconds until then. */
  readonly seconds: number;
}

function refuse({ seconds }: Standing, scope: "user" | "global"): Response {
  return tooManyRequests(seconds, scope);
}

function withDefaults(
  { limit, windowMs }: FakeRateLimit,
  fallback: Required<FakeRateLimit>,
): Required<FakeRateLimit> {
  return { limit: limit ?? fallback.limit, windowMs: windowMs ?? fallback.windowMs };
}

/** 32 hexadecimal digits without a meaning, as on the platform. */
function bucketName(route: string): string {
  return ["a", "b", "c", "d"].map((salt) => hash(salt + route).toString(16).padStart(8, "0")).join(
    "",
  );
}

/** How many requests are let through before the platform answers 429. */
export interface FakeRateLimit {
  /**
   * Requests per window.
   * @default 1000
   */
  readonly limit?: number;
  /**
   * The window in milliseconds, on the platform's clock.
   * @default 1000
   */
  readonly windowMs?: number;
}

/** The rate limits of the fake platform. */
export interface FakeRateLimits extends FakeRateLimit {
  /** Other limits for some routes, by method and path template: `"GET /users/@me/guilds"`, `"GET /guilds/{guild_id}"`. */
  readonly routes?: Readonly<Record<string, FakeRateLimit>>;
  /** A limit over all the routes of one token together; none unless given. */
  readonly global?: FakeRateLimit;
}

export function rateLimitFields(): Fields<FakeRateLimit> {
  return { limit: optional(positiveInteger), windowMs: optional(positiveNumber) };
}

const positiveNumber: Check = (value, path) => {
  throwUnless(isPositive(value), "a positive number", value, path);
};

const positiveInteger: Check = (value, path) => {
  throwUnless(Number.isInteger(value) && isPositive(value), "a positive integer", value, path);
};

export function rateLimitsFields(routeNames: readonly string[]): Fields<FakeRateLimits> {
  return {
    ...rateLimitFields(),
    // A limit for a misspelled route would never apply.
    routes: optional(recordOf(objectOf(rateLimitFields()), routeNames)),
    global: optional(objectOf(rateLimitFields())),
  };
}
