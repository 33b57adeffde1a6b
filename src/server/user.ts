/**
 * Reads what a token grants access to: the current user, their guilds, and one guild.
 *
 * @module
 */

import { checkBoolean, checkSnowflake } from "../arguments.ts";
import { checkedBases, discord } from "../links/platform.ts";
import type { Scope } from "../links/scopes.ts";
import { AuthorizedHttp } from "./authorized_http.ts";
import type { CallOptions, ClientOptions } from "./http/options.ts";
import type { NeedsScope } from "./resources/granted_scopes.ts";
import {
  type GuildObj,
  type PartialGuildObj,
  toGuild,
  toPartialGuilds,
} from "./resources/guild.ts";
import type { TokenObj } from "./resources/token.ts";
import { toUser, type UserObj } from "./resources/user.ts";

/** Options of {@link User}. */
export interface UserOptions extends ClientOptions {
  /** `"Bot"` for a bot token. @default {"Bearer"} */
  readonly tokenType?: "Bearer" | "Bot" | null | undefined;
}

/** Options of {@link User.getUserGuilds}. */
export interface UserGuildsOptions extends CallOptions {
  /** Only guilds whose id comes before this one. */
  readonly before?: string | null | undefined;
  /** Only guilds whose id comes after this one. */
  readonly after?: string | null | undefined;
  /** How many guilds at the most, 1 to 200. @default {200} */
  readonly limit?: number | null | undefined;
  /** Whether to ask for the approximate counts. @default {false} */
  readonly withCounts?: boolean | null | undefined;
}

/**
 * Reads what a token grants access to. The token is held where no log and no `JSON.stringify` shows it.
 *
 * A request that got no whole answer, or a 5xx, is sent up to twice more; so is one that got a 429 with a wait of 5 seconds
 * at the most. All of it ends after `timeout`.
 *
 * Besides what is said there, every method rejects with
 *
 * - {@link MissingScopeError}, before a request is sent, when the token is known not to have the scope;
 * - {@link ApiError} on 401 (the token is wrong or expired, or a scope is missing) and on every other refusal;
 * - {@link RateLimitError} on 429, when the wait is long or the repetitions are used up;
 * - {@link PayloadError} on a success that can't be read, {@link PayloadTooLargeError} when it is longer than `maxBytes`;
 * - {@link NetworkError} when no whole answer came, {@link TimeoutError} when not within `timeout`;
 * - the reason of the `signal` when it fires.
 *
 * @example
 * ```ts
 * import { User } from "@guildpass/sdk";
 * import { createFakePlatform } from "@guildpass/sdk/testing";
 *
 * const fake = createFakePlatform();
 * const token = fake.issueToken({ scopes: ["identify", "guilds"] });
 *
 * const user = new User(token.access_token, fake);
 * const { username } = await user.getCurrentUser();
 * const guilds = await user.getUserGuilds({ limit: 10 });
 * ```
 */
// deno-lint-ignore no-explicit-any -- as for TokenObj
export class User<Granted extends Scope = any> implements NeedsScope<Granted> {
  /** For the compiler alone: it is never there at run time. */
  declare readonly "granted scopes"?: (scope: Granted) => void;
  readonly #cdnUrl: string;
  readonly #http: AuthorizedHttp;

  /**
   * Takes the token of the user, or of a bot.
   *
   * @param accessToken The answer of `PlatformApi.accessToken`, or its `access_token`; or a bot token, with `tokenType`.
   * With the whole answer, a call that needs another scope is refused before a request is sent, and does not compile.
   * @throws {TypeError} When an argument is wrong, with its name. The token is never shown.
   */
  constructor(accessToken: string | TokenObj<Granted>, options?: UserOptions | null) {
    this.#http = new AuthorizedHttp(accessToken, options ?? {});
    this.#cdnUrl = checkedBases(options?.platform ?? discord).cdnUrl;
  }

  /**
   * Reads the user the token belongs to. Needs the `identify` scope; `email` adds `email` and `verified`.
   *
   * @throws {PayloadError} When a success has no readable `id` or `username`; other fields are `null` then.
   * @see {@link https://docs.discord.com/developers/resources/user#get-current-user | Get Current User in the platform's documentation}
   */
  async getCurrentUser(
    this:
      & Reader
      & (
        | NeedsScope<"identify">
        | NeedsScope<"sdk.social_layer">
        | NeedsScope<"sdk.social_layer_presence">
      ),
    options?: CallOptions | null,
  ): Promise<UserObj> {
    const request = {
      operation: "getCurrentUser()",
      scope: "identify",
      path: "/users/@me",
      signal: options?.signal,
    };
    return await this.#http.request(
      request,
      (payload, report) => toUser(payload, this.#cdnUrl, report),
    );
  }

  /**
   * Reads the guilds the user is in, ordered by id. Needs the `guilds` scope.
   *
   * One call reads 200 guilds at most, which is as many as a person can be in. A bot may be in more: read on after the last
   * id for as long as a page is full.
   *
   * @example All guilds
   * ```ts
   * import { type PartialGuildObj, User } from "@guildpass/sdk";
   * import { createFakePlatform } from "@guildpass/sdk/testing";
   *
   * const fake = createFakePlatform();
   * const user = new User(fake.issueToken({ scopes: ["guilds"] }).access_token, fake);
   *
   * const all: PartialGuildObj[] = [];
   * let page: PartialGuildObj[];
   * do {
   *   page = await user.getUserGuilds({ after: all.at(-1)?.id, limit: 200 });
   *   all.push(...page);
   * } while (page.length === 200);
   * all.length; // 4
   * ```
   *
   * @throws {TypeError} When `before` or `after` is not a snowflake, or `withCounts` is not a boolean.
   * @throws {RangeError} When `limit` is not a whole number from 1 to 200.
   * @throws {PayloadError} When a success is not a list. An entry without a readable `id` or `name` is left out.
   * @see {@link https://docs.discord.com/developers/resources/user#get-current-user-guilds | Get Current User Guilds in the platform's documentation}
   */
  async getUserGuilds(
    this: Reader & NeedsScope<"guilds">,
    options?: UserGuildsOptions | null,
  ): Promise<PartialGuildObj[]> {
    const { before, after, limit, withCounts, signal } = options ?? {};
    if (before != null) checkSnowflake("before", before);
    if (after != null) checkSnowflake("after", after);
    if (withCounts != null) checkBoolean("withCounts", withCounts);
    if (limit != null && !(Number.isInteger(limit) && limit >= 1 && limit <= 200)) {
      // Text is not shown, not even the number it stands for: it may be a secret in the wrong place.
      const found = typeof limit === "number" ? limit : typeof limit;
      throw new RangeError(`limit must be a whole number from 1 to 200, received ${found}`);
    }
    const request = {
      operation: "getUserGuilds()",
      scope: "guilds",
      path: "/users/@me/guilds",
      query: {
        before: before ?? undefined,
        after: after ?? undefined,
        limit: limit ?? undefined,
        with_counts: withCounts || undefined,
      },
      signal,
    };
    return await this.#http.request(
      request,
      (payload, report) => toPartialGuilds(payload, this.#cdnUrl, report),
    );
  }

  /**
   * Reads one guild. The platform opens this to bot tokens: `new User(botToken, { tokenType: "Bot" })`.
   *
   * @param id The guild's id.
   * @param withCounts Whether to ask for the approximate counts of members and presences.
   * @throws {TypeError} When `id` is not a snowflake, or `withCounts` is not a boolean.
   * @throws {ApiError} On 401 (not a bot token), 403 and 404 (not a guild of the bot's).
   * @throws {PayloadError} When a success has no readable `id` or `name`; other fields are `null` then.
   * @see {@link https://docs.discord.com/developers/resources/guild#get-guild | Get Guild in the platform's documentation}
   */
  async getGuild(
    id: string,
    withCounts?: boolean | null,
    options?: CallOptions | null,
  ): Promise<GuildObj> {
    checkSnowflake("id", id);
    if (withCounts != null) checkBoolean("withCounts", withCounts);
    const request = {
      operation: "getGuild()",
      scope: null,
      path: `/guilds/${id}`,
      query: { with_counts: withCounts || undefined },
      signal: options?.signal,
      hint: () => guildHint,
    };
    return await this.#http.request(
      request,
      (payload, report) => toGuild(payload, this.#cdnUrl, report),
    );
  }
}

/** A {@link User} whatever its scopes; in front of a method, `NeedsScope` says which one it needs. */
// deno-lint-ignore no-explicit-any -- as for TokenObj
export interface Reader extends User<any> {}

const guildHint =
  'This needs the token of a bot in the guild: new User(botToken, { tokenType: "Bot" })';
