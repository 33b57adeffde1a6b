/**
 * Describes and checks the options of the fake platform.
 *
 * @module
 */

import { type FakeRateLimits, rateLimitsFields } from "./faults/rate_limits.ts";
import { apiRouteNames } from "./routes.ts";
import { applicationFields, type FakeApplication } from "./world/application.ts";
import { type FakeGuild, fakeGuildFields } from "./world/guild.ts";
import * as f from "./world/schema.ts";
import type { Fields } from "./world/schema.ts";
import { type FakeUser, fakeUserFields } from "./world/user.ts";

/** The options of {@link createFakePlatform}. All have defaults. */
export interface FakePlatformOptions {
  /**
   * The registered applications.
   * @default {sampleApplication}
   */
  readonly applications?: readonly FakeApplication[] | undefined;
  /**
   * The users of the platform.
   * @default {sampleUsers}
   */
  readonly users?: readonly FakeUser[] | undefined;
  /**
   * The guilds.
   * @default {sampleGuilds; none with the option `users`, since the members of the sample guilds are the sample users}
   */
  readonly guilds?: readonly FakeGuild[] | undefined;
  /**
   * The scheme, host and port of the platform's own URLs. The platform routes requests by path only, so any server can pass its
   * requests to `fetch`.
   * @default "https://platform.test"
   */
  readonly origin?: string | undefined;
  /**
   * The clock, in milliseconds since the epoch.
   * @default Date.now
   */
  readonly now?: (() => number) | undefined;
  /**
   * True to refuse API requests without a `User-Agent`, like the real edge. Browsers are accepted, since they set the header
   * themselves.
   * @default true
   */
  readonly requireUserAgent?: boolean | undefined;
  /**
   * The lifetime of an authorization code, in seconds.
   * @default 100
   */
  readonly codeLifetime?: number | undefined;
  /**
   * The lifetime of an access token, in seconds.
   * @default 604800
   */
  readonly tokenLifetime?: number | undefined;
  /**
   * The rate limits. Even without this option, `GET /users/@me/guilds/{guild_id}/member` has the platform's limit: 5 requests in
   * 300 seconds for each token, for all guilds together. `{}` turns on the platform's other known limit: `GET /users/@me/guilds`
   * once a second for each token. `routes` can change both limits.
   * @default 1000 requests a second on every other route
   */
  readonly rateLimits?: FakeRateLimits | undefined;
  /**
   * The maximum length of `requests`, which keeps the latest requests in at most about 32 MiB. `Infinity` keeps all requests.
   * @default 10_000
   */
  readonly maxRequests?: number | undefined;
  /** The accepted scopes in addition to the documented scopes. */
  readonly extraScopes?: readonly string[] | undefined;
}

/**
 * Checks the name and the type of each option. `buildWorld` finds contradictions between options.
 *
 * @throws {TypeError} If a name is unknown or a value has the wrong type. The message has the path.
 */
export function checkOptions(options: unknown): void {
  f.objectOf(optionFields())(options, "");
}

function optionFields(): Fields<FakePlatformOptions> {
  return {
    applications: f.optional(f.listOf(f.objectOf(applicationFields()))),
    users: f.optional(f.listOf(f.objectOf(fakeUserFields()))),
    guilds: f.optional(f.listOf(f.objectOf(fakeGuildFields()))),
    // `parseOrigin` checks it.
    origin: f.optional(f.anyValue),
    now: f.optional(f.anyFunction),
    requireUserAgent: f.optional(f.boolean),
    codeLifetime: f.optional(f.seconds),
    tokenLifetime: f.optional(f.seconds),
    rateLimits: f.optional(f.objectOf(rateLimitsFields(apiRouteNames()))),
    maxRequests: f.optional(f.positiveIntegerOrInfinity),
    extraScopes: f.optional(f.listOf(f.nonEmptyString)),
  };
}
