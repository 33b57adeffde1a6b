/**
 * Checks what a fake platform is configured with, field by field. What fields have to do with each other is checked where
 * the world is built.
 *
 * @module
 */

import { type FakeRateLimits, rateLimitsFields } from "./faults/rate_limits.ts";
import { apiRouteNames } from "./routes.ts";
import type { FakeApplication } from "./world/application.ts";
import { applicationFields } from "./world/application.ts";
import type { FakeGuild } from "./world/guild.ts";
import { fakeGuildFields } from "./world/guild.ts";
import type { Check, Fields } from "./world/schema.ts";
import {
  anyFunction,
  anyValue,
  boolean,
  isPositive,
  listOf,
  nonEmptyString,
  objectOf,
  optional,
  throwUnless,
} from "./world/schema.ts";
import type { FakeUser } from "./world/user.ts";
import { fakeUserFields } from "./world/user.ts";

/** @throws {TypeError} When a field is unknown or of the wrong kind, with its path. */
export function checkOptions(options: unknown): void {
  objectOf(optionFields())(options, "");
}

function optionFields(): Fields<FakePlatformOptions> {
  return {
    applications: optional(listOf(objectOf(applicationFields()))),
    users: optional(listOf(objectOf(fakeUserFields()))),
    guilds: optional(listOf(objectOf(fakeGuildFields()))),
    // Checked where it is taken apart.
    origin: optional(anyValue),
    now: optional(anyFunction),
    requireUserAgent: optional(boolean),
    codeLifetime: optional(seconds),
    tokenLifetime: optional(seconds),
    rateLimits: optional(objectOf(rateLimitsFields(apiRouteNames()))),
    extraScopes: optional(listOf(nonEmptyString)),
  };
}

const seconds: Check = (value, path) => {
  throwUnless(isPositive(value), "a positive number of seconds", value, path);
};

/** What {@link createFakePlatform} takes. Everything has a default. */
export interface FakePlatformOptions {
  /**
   * The registered applications.
   * @default one: {@link sampleApplication}
   */
  readonly applications?: readonly FakeApplication[];
  /**
   * The users.
   * @default {@link sampleUsers}
   */
  readonly users?: readonly FakeUser[];
  /**
   * The guilds.
   * @default {@link sampleGuilds}, or none when `users` are given, since its members are the sample users
   */
  readonly guilds?: readonly FakeGuild[];
  /**
   * Where the platform says it lives: scheme, host and port. Requests are routed by path alone, so any
   * server may hand its requests to `fetch`.
   * @default "https://platform.test"
   */
  readonly origin?: string;
  /**
   * The clock, in milliseconds since the epoch.
   * @default Date.now
   */
  readonly now?: () => number;
  /**
   * Whether API requests without a `User-Agent` are refused, as the real edge does. Requests from a
   * browser pass: it sets its own.
   * @default true
   */
  readonly requireUserAgent?: boolean;
  /**
   * The lifetime of an authorization code in seconds.
   * @default 100
   */
  readonly codeLifetime?: number;
  /**
   * The lifetime of an access token in seconds.
   * @default 604800
   */
  readonly tokenLifetime?: number;
  /**
   * The rate limits. With `{}` they are the platform's, as far as those are known: `GET /users/@me/guilds` once a second
   * for each token. `routes` changes that one too.
   * @default 1000 requests a second on every route
   */
  readonly rateLimits?: FakeRateLimits;
  /** Scopes to accept beside those that the platform documents. */
  readonly extraScopes?: readonly string[];
}
