/**
 * What an access token opens: the current user, their guilds, and one guild.
 *
 * @module
 */

import { checkBoolean, checkSecret, checkSnowflake, refuse } from "../arguments.ts";
import { createHttp } from "./http/http.ts";
import type { CallOptions, ClientOptions } from "./http/options.ts";
import type { HttpRequest } from "./http/request.ts";
import type { GuildObj, PartialGuildObj, TokenObj, UserObj } from "./resources/models.ts";
import { checkedBases, discord } from "../links/platform.ts";
import { toGuild, toPartialGuilds, toUser } from "./resources/schemas.ts";

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
 * The bearer of an access token. The token is held where no log and no `JSON.stringify` shows it.
 *
 * A request that got no whole answer, or a 5xx, is sent up to twice more; so is one that got a 429 with a wait of 5 seconds
 * at the most. All of it ends after `timeout`.
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
export class User {
  readonly #cdnUrl: string;
  /** Holds the token. */
  readonly #get: (
    path: string,
    more: Pick<HttpRequest, "query" | "signal" | "hint">,
  ) => Promise<unknown>;

  /**
   * Takes the token of the user, or of a bot.
   *
   * @param accessToken The answer of `PlatformApi.accessToken`, or its `access_token`; or a bot token, with `tokenType`.
   * @throws {TypeError} When an argument is wrong, with its name. The token is never shown.
   */
  constructor(accessToken: string | TokenObj, options?: UserOptions | null) {
    const tokenType = options?.tokenType ?? "Bearer";
    const token = typeof accessToken === "string" ? accessToken : accessToken?.access_token;
    checkSecret("accessToken", token);
    if (tokenType !== "Bearer" && tokenType !== "Bot") {
      refuse("tokenType", '"Bearer" or "Bot"', tokenType);
    }
    const http = createHttp(options ?? {});
    const authorization = `${tokenType} ${token}`;
    this.#cdnUrl = checkedBases(options?.platform ?? discord).cdnUrl;
    this.#get = (path, more) => http({ hint: tokenHint, ...more, path, authorization });
  }

  /**
   * Reads the user the token belongs to. Needs the `identify` scope; `email` adds `email` and `verified`.
   *
   * @throws {ApiError} On 401 (the token is wrong or expired, or a scope is missing) and other refusals.
   * @throws {RateLimitError} On 429, when the wait is long or the repetitions are used up.
   * @throws {PayloadError} When a success is not the documented answer.
   * @throws {NetworkError} When no whole answer came; {@link TimeoutError} when not within `timeout`.
   * @see {@link https://docs.discord.com/developers/resources/user#get-current-user | Get Current User in the platform's documentation}
   */
  async getCurrentUser(options?: CallOptions | null): Promise<UserObj> {
    return toUser(await this.#get("/users/@me", { signal: options?.signal }));
  }

  /**
   * Reads the guilds the user is in, ordered by id. Needs the `guilds` scope.
   *
   * @throws {TypeError} When `before` or `after` is not a snowflake, or `withCounts` is not a boolean.
   * @throws {RangeError} When `limit` is not a whole number from 1 to 200.
   * @throws {ApiError} On 401 (the token is wrong or expired, or a scope is missing) and other refusals.
   * @throws {RateLimitError} On 429, when the wait is long or the repetitions are used up.
   * @throws {PayloadError} When a success is not the documented answer.
   * @throws {NetworkError} When no whole answer came; {@link TimeoutError} when not within `timeout`.
   * @see {@link https://docs.discord.com/developers/resources/user#get-current-user-guilds | Get Current User Guilds in the platform's documentation}
   */
  async getUserGuilds(options?: UserGuildsOptions | null): Promise<PartialGuildObj[]> {
    const { before, after, limit, withCounts, signal } = options ?? {};
    if (before != null) checkSnowflake("before", before);
    if (after != null) checkSnowflake("after", after);
    if (withCounts != null) checkBoolean("withCounts", withCounts);
    if (limit != null && !(limit >= 1 && limit <= 200 && Number.isInteger(limit))) {
      throw new RangeError(`limit must be a whole number from 1 to 200, received ${Number(limit)}`);
    }
    const query = {
      before: before ?? undefined,
      after: after ?? undefined,
      limit: limit ?? undefined,
      with_counts: withCounts || undefined,
    };
    const payload = await this.#get("/users/@me/guilds", { query, signal });
    return toPartialGuilds(payload, this.#cdnUrl);
  }

  /**
   * Reads one guild. The platform opens this to bot tokens: `new User(botToken, { tokenType: "Bot" })`.
   *
   * @param id The guild's id.
   * @param withCounts Whether to ask for the approximate counts of members and presences.
   * @throws {TypeError} When `id` is not a snowflake, or `withCounts` is not a boolean.
   * @throws {ApiError} On 401 (not a bot token), 403 and 404 (not a guild of the bot's) and other refusals.
   * @throws {RateLimitError} On 429, when the wait is long or the repetitions are used up.
   * @throws {PayloadError} When a success is not the documented answer.
   * @throws {NetworkError} When no whole answer came; {@link TimeoutError} when not within `timeout`.
   * @see {@link https://docs.discord.com/developers/resources/guild#get-guild | Get Guild in the platform's documentation}
   */
  async getGuild(
    id: string,
    withCounts?: boolean | null,
    options?: CallOptions | null,
  ): Promise<GuildObj> {
    checkSnowflake("id", id);
    if (withCounts != null) checkBoolean("withCounts", withCounts);
    const query = { with_counts: withCounts || undefined };
    const payload = await this.#get(`/guilds/${id}`, {
      query,
      signal: options?.signal,
      hint: guildHint,
    });
    return toGuild(payload, this.#cdnUrl);
  }
}

const tokenHint =
  "Check that the token is not expired or revoked, and that the login asked for the scope this needs";

const guildHint =
  'This needs the token of a bot in the guild: new User(botToken, { tokenType: "Bot" })';
