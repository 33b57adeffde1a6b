/**
 * Reads what a token grants access to: the current user, their guilds, and one guild.
 *
 * @module
 */

import { checkBoolean, checkSnowflake, refuse } from "../arguments.ts";
import { MissingScopeError } from "../errors.ts";
import { checkedBases, discord } from "../links/platform.ts";
import { createRedactor } from "../redact.ts";
import { createHttp } from "./http/http.ts";
import type { CallOptions, ClientOptions } from "./http/options.ts";
import type { HttpRequest } from "./http/request.ts";
import { createReport } from "./report.ts";
import {
  type GuildObj,
  type PartialGuildObj,
  toGuild,
  toPartialGuilds,
} from "./resources/guild.ts";
import type { Report } from "./resources/reading.ts";
import type { TokenObj } from "./resources/token.ts";
import { toUser, type UserObj } from "./resources/user.ts";
import { readToken, unauthorizedHint } from "./token_form.ts";

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
export class User {
  readonly #cdnUrl: string;
  /** The scopes of the token, or `null` when they are not known. */
  readonly #scopes: readonly string[] | null;
  /** Keeps the token out of a text. */
  readonly #redact: (text: string) => string;
  /** Sends a request with the token, which it holds. */
  readonly #get: (
    path: string,
    neededScope: string,
    more: Pick<HttpRequest, "query" | "signal" | "hint">,
  ) => Promise<unknown>;
  readonly #reportOf: (path: string) => Report;

  /**
   * Takes the token of the user, or of a bot.
   *
   * @param accessToken The answer of `PlatformApi.accessToken`, or its `access_token`; or a bot token, with `tokenType`.
   * With the whole answer, a call that needs another scope is refused before a request is sent.
   * @throws {TypeError} When an argument is wrong, with its name. The token is never shown.
   */
  constructor(accessToken: string | TokenObj, options?: UserOptions | null) {
    const tokenType = options?.tokenType ?? "Bearer";
    if (tokenType !== "Bearer" && tokenType !== "Bot") {
      refuse("tokenType", '"Bearer" or "Bot"', tokenType);
    }
    const known = readToken(accessToken, options?.tokenType);
    const http = createHttp(options ?? {});
    const authorization = `${tokenType} ${known.token}`;
    this.#cdnUrl = checkedBases(options?.platform ?? discord).cdnUrl;
    this.#scopes = known.scopes;
    this.#redact = createRedactor([known.token]);
    this.#reportOf = (path) => createReport(options?.onUnexpected, { method: "GET", path });
    this.#get = (path, neededScope, more) => {
      const hint = (httpStatus: number) =>
        httpStatus === 401
          ? unauthorizedHint(known, tokenType, neededScope)
          : `Check that the token may do this, and has the scope ${neededScope}`;
      return http({ hint, ...more, path, authorization });
    };
  }

  /**
   * Reads the user the token belongs to. Needs the `identify` scope; `email` adds `email` and `verified`.
   *
   * @throws {PayloadError} When a success has no readable `id` or `username`; other fields are `null` then.
   * @see {@link https://docs.discord.com/developers/resources/user#get-current-user | Get Current User in the platform's documentation}
   */
  async getCurrentUser(options?: CallOptions | null): Promise<UserObj> {
    this.#demand("getCurrentUser()", "identify");
    const path = "/users/@me";
    const payload = await this.#get(path, "identify", { signal: options?.signal });
    return toUser(payload, this.#cdnUrl, this.#reportOf(path));
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
  async getUserGuilds(options?: UserGuildsOptions | null): Promise<PartialGuildObj[]> {
    const { before, after, limit, withCounts, signal } = options ?? {};
    if (before != null) checkSnowflake("before", before);
    if (after != null) checkSnowflake("after", after);
    if (withCounts != null) checkBoolean("withCounts", withCounts);
    if (limit != null && !(Number.isInteger(limit) && limit >= 1 && limit <= 200)) {
      // Text is not shown, not even the number it stands for: it may be a secret in the wrong place.
      const found = typeof limit === "number" ? limit : typeof limit;
      throw new RangeError(`limit must be a whole number from 1 to 200, received ${found}`);
    }
    this.#demand("getUserGuilds()", "guilds");
    const query = {
      before: before ?? undefined,
      after: after ?? undefined,
      limit: limit ?? undefined,
      with_counts: withCounts || undefined,
    };
    const path = "/users/@me/guilds";
    const payload = await this.#get(path, "guilds", { query, signal });
    return toPartialGuilds(payload, this.#cdnUrl, this.#reportOf(path));
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
    const query = { with_counts: withCounts || undefined };
    const path = `/guilds/${id}`;
    const payload = await this.#get(path, "bot", {
      query,
      signal: options?.signal,
      hint: () => guildHint,
    });
    return toGuild(payload, this.#cdnUrl, this.#reportOf(path));
  }

  /** Throws when the token is known not to have a scope: the platform would answer with 401 and not say why. */
  #demand(call: string, scope: string): void {
    const sufficient = [scope, ...(impliedBy[scope] ?? [])];
    if (this.#scopes && !this.#scopes.some((granted) => sufficient.includes(granted))) {
      // The list comes from an answer, which may repeat the token.
      const granted = this.#scopes.map((granted) => this.#redact(String(granted)));
      throw new MissingScopeError(call, { needed: [scope], granted });
    }
  }
}

/** The scopes that grant another one too, without its name being among those of the token. */
const impliedBy: Readonly<Record<string, readonly string[]>> = {
  identify: ["sdk.social_layer", "sdk.social_layer_presence"],
};

const guildHint =
  'This needs the token of a bot in the guild: new User(botToken, { tokenType: "Bot" })';
