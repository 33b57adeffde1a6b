/**
 * Reads the current user, their guilds and other data of a token, and changes some of the data.
 *
 * @module
 */

import { checkBoolean, checkSnowflake, kindOf, throwBadObject } from "../core/arguments.ts";
import { ApiError, PayloadError } from "../core/response_errors.ts";
import type { Scope } from "../links/scopes.ts";
import { AuthorizedHttp, type ToModel } from "./authorized_http.ts";
import {
  type ModelOf,
  type NeededScope,
  type OperationName,
  operations,
  type PathArguments,
  readerOf,
  requestOf,
  type SentDetails,
} from "./operations.ts";
import { eachGuild, guildsPerPage } from "./guild_pages.ts";
import {
  type CallOptions,
  checkCallOptions,
  checkTimeout,
  type ClientOptions,
  type NamesOf,
  type OptionNames,
} from "../http/options.ts";
import type { HttpMethod } from "../http/request.ts";
import type { ClientCredentials } from "./client_credentials.ts";
import {
  checkedReason,
  type CommandPermissionParams,
  commandPermissionsBody,
  metadataRecordsBody,
  newMemberBody,
  type NewMemberParams,
  roleConnectionBody,
  type RoleConnectionMetadataParams,
  type RoleConnectionParams,
} from "./body.ts";
import { applySchema, openRequest, type RequestOptions } from "./open_request.ts";
import type { AuthorizationObj } from "../resources/authorization.ts";
import type { ConnectionObj } from "../resources/connection.ts";
import type { CommandPermissionsObj } from "../resources/command_permissions.ts";
import type { EntitlementObj } from "../resources/entitlement.ts";
import type { SufficientScope, TokenObj } from "../resources/token.ts";
import { type GuildObj, type PartialGuildObj, toGuildPage } from "../resources/guild.ts";
import type { MemberObj } from "../resources/member.ts";
import type { RoleConnectionMetadataObj, RoleConnectionObj } from "../resources/role_connection.ts";
import { freeze } from "../core/freeze.ts";
import { readPayload } from "../resources/reading.ts";
import type { UserObj } from "../resources/user.ts";
import type { UserInfoObj } from "../resources/openid.ts";
import type { TokenSource } from "../tokens/token_source.ts";

/** Options of {@link User}. */
export interface UserOptions extends ClientOptions {
  /** The type of the token: `"Bot"` for a bot token. @default {"Bearer"} */
  readonly tokenType?: "Bearer" | "Bot" | null | undefined;
  /**
   * The lifetime of cached results, in seconds. All `User` objects with `freshFor` and the same token, platform and `fetch` share the
   * cache and requests in progress. The cache holds the results of the last 1,000 tokens, in at most 16 MB. A write clears the results
   * of its token, and a call with `fresh` skips them.
   *
   * @default {0}
   */
  readonly freshFor?: number | null | undefined;
}

/** Options of a read. */
export interface ReadOptions extends CallOptions {
  /** True to skip the cache of `freshFor`. @default {false} */
  readonly fresh?: boolean | null | undefined;
}

/** Options of a change in a guild. */
export interface ReasonOptions extends CallOptions {
  /** The reason in the guild's audit log, 1 to 512 characters. @default {none} */
  readonly reason?: string | null | undefined;
}

/** Options of {@link User.getUserGuilds}. */
export interface UserGuildsOptions extends ReadOptions {
  /** Only guilds with an id below this one. */
  readonly before?: string | null | undefined;
  /** Only guilds with an id above this one. Discord ignores `after` if `before` is given. */
  readonly after?: string | null | undefined;
  /** The maximum number of guilds, 1 to 200. @default {200} */
  readonly limit?: number | null | undefined;
  /**
   * True to ask for the approximate counts of members and presences. They are `null` without the scope `guilds.members.read`.
   * @default {false}
   */
  readonly withCounts?: boolean | null | undefined;
}

/** Options of {@link User.getEntitlements}. */
export interface EntitlementsOptions extends ReadOptions {
  /** Only entitlements for these items (SKUs), at most 100. An empty list returns nothing, without a request. @default {all items} */
  readonly skuIds?: readonly string[] | null | undefined;
  /** True to leave out consumed items, false to include them. @default {Discord's, which it does not document} */
  readonly excludeConsumed?: boolean | null | undefined;
}

/** Options of {@link User.getApplicationEntitlements}. */
export interface ApplicationEntitlementsOptions extends ReadOptions {
  /** Only entitlements of this user. @default {all users and guilds} */
  readonly userId?: string | null | undefined;
  /** Only entitlements of this guild. @default {all users and guilds} */
  readonly guildId?: string | null | undefined;
  /** Only entitlements for these items (SKUs), at most 100. An empty list returns nothing, without a request. @default {all items} */
  readonly skuIds?: readonly string[] | null | undefined;
  /** True to leave out entitlements that have ended. @default {false} */
  readonly excludeEnded?: boolean | null | undefined;
  /** Only entitlements with an id below this one. */
  readonly before?: string | null | undefined;
  /** Only entitlements with an id above this one. */
  readonly after?: string | null | undefined;
  /** The maximum number of entitlements, 1 to 100. @default {100} */
  readonly limit?: number | null | undefined;
}

/** Options of {@link User.eachUserGuild}. */
export interface AllGuildsOptions extends ReadOptions {
  /**
   * True to ask for the approximate counts of members and presences. They are `null` without the scope `guilds.members.read`.
   * @default {false}
   */
  readonly withCounts?: boolean | null | undefined;
}

/**
 * Calls Discord's API as a user or bot. Logs and `JSON.stringify` do not show the token.
 *
 * With a {@link TokenObj} or a {@link TokenSource}, a call without its scope is a compile error. At runtime it throws a
 * {@link MissingScopeError} before a request is sent.
 *
 * Pass the whole {@link TokenObj} instead of its `access_token`. The scopes of a bare text are unknown, so a call without its scope is
 * sent, and Discord responds with 401. **After a 401, every call with this token fails for five minutes, without a request**, also in
 * other `User` objects of the process, and even if the token is valid.
 *
 * Reads are retried at most twice within the `timeout`; a write is sent once. You can create a `User` for each request, because the
 * process remembers rate limits and 401s. The guide is [Calling Discord's API](https://guildpass.github.io/sdk/docs/using_tokens.html).
 *
 * Every method rejects with
 *
 * - {@link MissingScopeError} before the request, if the token is known to lack the scope;
 * - {@link ApiError} if Discord rejects the request, for example with 401, and {@link RateLimitError} on 429, or if the wait would be longer than `timeout`;
 * - {@link PayloadError} if a successful response can't be read, {@link PayloadTooLargeError} if it is longer than `maxBytes`;
 * - {@link NetworkError} if no complete response arrives, {@link TimeoutError} if none arrives within `timeout`;
 * - the error of the {@link TokenSource} or {@link ClientCredentials}, such as {@link LoginRequiredError};
 * - the reason of the `signal` if it fires.
 *
 * @example
 * ```ts
 * import { env } from "node:process";
 * import { type TokenObj, User } from "@guildpass/sdk";
 *
 * // With `Login`, use `session.api`, which is a `User` too.
 * async function greet(token: TokenObj<"identify" | "guilds">) {
 *   const user = new User(token);
 *   const { username } = await user.getCurrentUser();
 *   const guilds = await user.getUserGuilds();
 *   return `Hello, ${username}! Servers: ${guilds.length}`;
 * }
 *
 * // A bot has a token of its own, from the Developer Portal.
 * const token = env.DISCORD_BOT_TOKEN ?? "";
 * const bot = new User(token, { tokenType: "Bot" });
 * ```
 *
 * @typeParam Granted The scopes of the token. Used only in types; `any` if they are not known.
 * @throws {TypeError} If an argument is wrong. The message names the argument, and never shows the token.
 */
// deno-lint-ignore no-explicit-any -- as for TokenObj
export class User<Granted extends Scope = any> {
  /** The scopes of the token. Used only in types. */
  declare protected readonly grantedScopes?: ((scope: Granted) => void) | undefined;
  readonly #http: AuthorizedHttp;

  /**
   * Creates a client for one token, without a request.
   *
   * @param accessToken The `TokenObj` of `PlatformApi.accessToken`, the JSON of Discord's response, or the `access_token` alone; a
   * `TokenSource` or `ClientCredentials`, which return the token for each request; or a bot token, with the option `tokenType`.
   * @param options The options of the client, such as the type of the token and the lifetime of cached results.
   */
  constructor(
    accessToken:
      | string
      | Pick<TokenObj<Granted>, "access_token"> & Partial<TokenObj<Granted>>
      | TokenSource<Granted>
      | ClientCredentials<Granted>,
    options?: UserOptions | null,
  ) {
    this.#http = new AuthorizedHttp(accessToken, options ?? {});
  }

  /**
   * Reads the user of the token. Needs the `identify` scope; `email` adds `email` and `verified`.
   *
   * @example
   * ```ts
   * import type { User } from "@guildpass/sdk";
   *
   * async function nameOf(user: User) {
   *   const { global_name, username } = await user.getCurrentUser();
   *   return global_name ?? username;
   * }
   * ```
   *
   * @param options A `signal`; `fresh` skips the cache.
   * @throws {PayloadError} If a successful response has no readable `id` or `username`. Other unreadable fields are `null`.
   * @throws The {@link User | errors of every method}
   * @see {@link https://docs.discord.com/developers/resources/user#get-current-user | Discord: Get Current User}
   */
  async getCurrentUser(this: UserWith<"identify">, options?: ReadOptions | null): Promise<UserObj> {
    return await this.#request("getCurrentUser", {}, options);
  }

  /**
   * Reads the guilds of the user, ordered by id. Needs the `guilds` scope.
   *
   * One call reads at most 200 guilds, the most a user can be in. A bot can be in more guilds: {@link User.eachUserGuild} reads all.
   *
   * @example
   * ```ts
   * import type { User } from "@guildpass/sdk";
   *
   * async function ownGuilds(user: User) {
   *   const guilds = await user.getUserGuilds();
   *   return guilds.filter(({ owner }) => owner);
   * }
   * ```
   *
   * @param options The page, and `withCounts` for the numbers of members.
   * @throws {TypeError} If `before` or `after` is not a snowflake, or `withCounts` is not a boolean.
   * @throws {RangeError} If `limit` is not a whole number from 1 to 200.
   * @throws {PayloadError} If a successful response is not a list. An entry without a readable `id` or `name` is left out.
   * @throws The {@link User | errors of every method}
   * @see {@link https://docs.discord.com/developers/resources/user#get-current-user-guilds | Discord: Get Current User Guilds}
   */
  async getUserGuilds(
    this: UserWith<"guilds">,
    options?: UserGuildsOptions | null,
  ): Promise<PartialGuildObj[]> {
    const query = guildsQuery(options ?? {});
    return await this.#request("getUserGuilds", {}, options, { query, optionNames: guildsOptions });
  }

  /**
   * Reads all guilds of the user or the bot, ordered by id, in pages of 200. Needs the `guilds` scope.
   *
   * A page is requested when the loop reaches it. A guild that stays in the list is yielded once, even if the list changes in the
   * meantime. `timeout` applies to each page.
   *
   * @example
   * ```ts
   * import type { User } from "@guildpass/sdk";
   *
   * async function guildNames(user: User) {
   *   const names: string[] = [];
   *   for await (const { name } of user.eachUserGuild()) names.push(name);
   *   return names;
   * }
   * ```
   *
   * @param options `withCounts` for the numbers of members, and a `signal`.
   * @returns The guilds, for a `for await` loop.
   * @throws {TypeError} Immediately, if `withCounts` is not a boolean. All other errors reject the current step of the loop.
   * @throws {PayloadError} If a page is not a list, or Discord sends a page again. An entry without a readable `id` or `name`
   * is left out.
   * @throws The {@link User | errors of every method}
   * @see {@link https://docs.discord.com/developers/resources/user#get-current-user-guilds | Discord: Get Current User Guilds}
   */
  eachUserGuild(
    this: UserWith<"guilds">,
    options?: AllGuildsOptions | null,
  ): AsyncIterable<PartialGuildObj> {
    checkReadOptions(options, allGuildsOptions);
    const { withCounts, signal } = options ?? {};
    const query = guildsQuery({ limit: guildsPerPage, withCounts });
    const readPage = async (after: string | null) =>
      await this.#request("eachUserGuild", {}, options, {
        query: { ...query, after: after ?? undefined },
        optionNames: allGuildsOptions,
        toModel: toGuildPage,
      });
    return { [Symbol.asyncIterator]: () => eachGuild(readPage, signal) };
  }

  /**
   * Reads the user's membership of one guild: nickname, roles, date of joining. Needs the `guilds.members.read` scope. Discord
   * allows about 5 of these requests in 300 seconds for each token, for all guilds together.
   *
   * @example
   * ```ts
   * import type { User } from "@guildpass/sdk";
   *
   * async function hasRole(user: User, guildId: string, roleId: string) {
   *   const { roles } = await user.getGuildMember(guildId);
   *   return roles?.includes(roleId) ?? false;
   * }
   * ```
   *
   * @param guildId The guild's id.
   * @param options A `signal`; `fresh` skips the cache.
   * @throws {TypeError} If `guildId` is not a snowflake.
   * @throws {ApiError} On 404 (the user is not in the guild).
   * @throws The {@link User | errors of every method}
   * @see {@link https://docs.discord.com/developers/resources/user#get-current-user-guild-member | Discord: Get Current User Guild Member}
   */
  async getGuildMember(
    this: UserWith<"guilds.members.read">,
    guildId: string,
    options?: ReadOptions | null,
  ): Promise<MemberObj> {
    return await this.#request("getGuildMember", { guildId }, options);
  }

  /**
   * Reads the user's accounts on other services. Needs the `connections` scope.
   *
   * @example
   * ```ts
   * import type { User } from "@guildpass/sdk";
   *
   * async function githubName(user: User) {
   *   const connections = await user.getConnections();
   *   return connections.find(({ type }) => type === "github")?.name;
   * }
   * ```
   *
   * @param options A `signal`; `fresh` skips the cache.
   * @throws {PayloadError} If a successful response is not a list. An entry without a readable `id` or `type` is left out.
   * @throws The {@link User | errors of every method}
   * @see {@link https://docs.discord.com/developers/resources/user#get-current-user-connections | Discord: Get Current User Connections}
   */
  async getConnections(
    this: UserWith<"connections">,
    options?: ReadOptions | null,
  ): Promise<ConnectionObj[]> {
    return await this.#request("getConnections", {}, options);
  }

  /**
   * Reads the application, the scopes and the expiry of the token. With the `identify` scope, it also reads the user, but never the
   * email address. Needs no scope.
   *
   * A server that receives a token from elsewhere must compare `application.id` with its own client id: the token may have been
   * issued to another application.
   *
   * @example
   * ```ts
   * import type { User } from "@guildpass/sdk";
   *
   * async function isOurToken(user: User, applicationId: string) {
   *   const { application } = await user.getAuthorization();
   *   return application.id === applicationId;
   * }
   * ```
   *
   * @param options A `signal`; `fresh` skips the cache.
   * @throws {PayloadError} If a successful response has no readable `application.id`. Any other unreadable field is `null`.
   * @throws The {@link User | errors of every method}
   * @see {@link https://docs.discord.com/developers/topics/oauth2#get-current-authorization-information | Discord: Get Current Authorization Information}
   */
  async getAuthorization(options?: ReadOptions | null): Promise<AuthorizationObj> {
    return await this.#request("getAuthorization", {}, options);
  }

  /**
   * Reads the user's claims of OpenID Connect. Needs the `openid` scope; `identify` adds names and picture, `email` the email address.
   *
   * @example
   * ```ts
   * import type { User } from "@guildpass/sdk";
   *
   * async function subject(user: User) {
   *   const { sub } = await user.getUserInfo();
   *   return sub; // the user's id
   * }
   * ```
   *
   * @param options A `signal`; `fresh` skips the cache.
   * @throws The {@link User | errors of every method}
   * @see {@link https://openid.net/specs/openid-connect-core-1_0.html#UserInfo | OpenID Connect Core section 5.3}
   */
  async getUserInfo(this: UserWith<"openid">, options?: ReadOptions | null): Promise<UserInfoObj> {
    return await this.#request("getUserInfo", {}, options);
  }

  /**
   * Reads the data of the user for linked roles. Needs the `role_connections.write` scope.
   *
   * @example
   * ```ts
   * import type { User } from "@guildpass/sdk";
   *
   * async function metadataOf(user: User, applicationId: string) {
   *   const { metadata } = await user.getRoleConnection(applicationId);
   *   return metadata;
   * }
   * ```
   *
   * @param applicationId The id of the application that the token was issued to.
   * @param options A `signal`; `fresh` skips the cache.
   * @throws {TypeError} If `applicationId` is not a snowflake.
   * @throws {ApiError} On 403 (the token was issued to another application).
   * @throws {PayloadError} If a successful response is not an object. A field that can't be read is `null`.
   * @throws The {@link User | errors of every method}
   * @see {@link https://docs.discord.com/developers/resources/user#get-current-user-application-role-connection | Discord: Get Current User Application Role Connection}
   */
  async getRoleConnection(
    this: UserWith<"role_connections.write">,
    applicationId: string,
    options?: ReadOptions | null,
  ): Promise<RoleConnectionObj> {
    return await this.#request("getRoleConnection", { applicationId }, options);
  }

  /**
   * Replaces the data of the user for linked roles. Needs the `role_connections.write` scope. The request is sent once.
   *
   * @example
   * ```ts
   * import type { User } from "@guildpass/sdk";
   *
   * async function publish(user: User, applicationId: string) {
   *   return await user.setRoleConnection(applicationId, {
   *     platform_name: "Looms",
   *     platform_username: "ada",
   *     metadata: { cards: 1843, since: new Date("2024-05-01") },
   *   });
   * }
   * ```
   *
   * @param applicationId The id of the application that the token was issued to.
   * @param connection The new data. Values of `metadata` become text: a number becomes its digits, `true` and `false` become `1`
   * and `0`, a date becomes an ISO 8601 time.
   * @param options A `signal` to abort the call.
   * @returns The data that Discord has now.
   * @throws {TypeError} If an argument has a wrong type or an unknown name. The message names the argument, and does not show texts.
   * @throws {RangeError} If `platform_name` has more than 50 characters, `platform_username` or a text of `metadata` more than
   * 100, `metadata` more than 5 values, or a number is not whole.
   * @throws {ApiError} On 403 (the token was issued to another application).
   * @throws {PayloadError} If a successful response is not an object. A field that can't be read is `null`.
   * @throws The {@link User | errors of every method}
   * @see {@link https://docs.discord.com/developers/resources/user#update-current-user-application-role-connection | Discord: Update Current User Application Role Connection}
   */
  async setRoleConnection(
    this: UserWith<"role_connections.write">,
    applicationId: string,
    connection: RoleConnectionParams,
    options?: CallOptions | null,
  ): Promise<RoleConnectionObj> {
    const json = roleConnectionBody(connection);
    return await this.#request("setRoleConnection", { applicationId }, options, { json });
  }

  /**
   * Deletes the data of the user for linked roles. Needs the `role_connections.write` scope. The request is sent once.
   *
   * @example
   * ```ts
   * import type { User } from "@guildpass/sdk";
   *
   * const unlink = async (user: User, applicationId: string) =>
   *   await user.deleteRoleConnection(applicationId);
   * ```
   *
   * @param applicationId The id of the application that the token was issued to.
   * @param options A `signal` to abort the call.
   * @throws {TypeError} If `applicationId` is not a snowflake.
   * @throws {ApiError} On 403 (the token was issued to another application).
   * @throws The {@link User | errors of every method}
   * @see {@link https://docs.discord.com/developers/resources/user#delete-current-user-application-role-connection | Discord: Delete Current User Application Role Connection}
   */
  async deleteRoleConnection(
    this: UserWith<"role_connections.write">,
    applicationId: string,
    options?: CallOptions | null,
  ): Promise<void> {
    await this.#request("deleteRoleConnection", { applicationId }, options);
  }

  /**
   * Reads what the user owns in the application's store: purchases, gifts and subscriptions. Needs no scope, but a user's token. A
   * bot reads the entitlements of all users with {@link User.getApplicationEntitlements}, and consumes them with `request()`.
   *
   * @example
   * ```ts
   * import type { User } from "@guildpass/sdk";
   *
   * async function owns(user: User, applicationId: string, skuId: string) {
   *   const owned = await user.getEntitlements(applicationId, {
   *     skuIds: [skuId],
   *   });
   *   return owned.some(({ deleted }) => !deleted);
   * }
   * ```
   *
   * @param applicationId The id of the application that the token was issued to.
   * @param options The filters, `fresh` and a `signal`.
   * @throws {TypeError} If an argument is wrong.
   * @throws {RangeError} If `skuIds` has more than 100 ids.
   * @throws {ApiError} On 401 and 403 (a bot's token, or the token of another application).
   * @throws {PayloadError} If a successful response is not a list. An entry without a readable `id` or `sku_id` is left
   * out.
   * @throws The {@link User | errors of every method}
   * @see {@link https://github.com/discord/discord-api-spec | Discord's OpenAPI description}, which alone has this operation, and
   * {@link https://docs.discord.com/developers/resources/entitlement#entitlement-object | the entitlement object}
   */
  async getEntitlements(
    applicationId: string,
    options?: EntitlementsOptions | null,
  ): Promise<EntitlementObj[]> {
    const { skuIds, excludeConsumed } = options ?? {};
    if (excludeConsumed != null) checkBoolean("excludeConsumed", excludeConsumed);
    const query = {
      sku_ids: joinSkus(skuIds),
      exclude_consumed: excludeConsumed == null ? undefined : String(excludeConsumed),
    };
    // An empty list in the query would ask for all items.
    if (skuIds?.length === 0) return [];
    return await this.#request("getEntitlements", { applicationId }, options, {
      query,
      optionNames: entitlementsOptions,
    });
  }

  /**
   * Reads the entitlements of all users and guilds in the application's store, without deleted ones, ordered by id. Needs the
   * `applications.entitlements` scope, or the token of the application's bot.
   *
   * @example
   * ```ts
   * import type { User } from "@guildpass/sdk";
   *
   * async function hasBought(
   *   bot: User,
   *   applicationId: string,
   *   userId: string,
   * ) {
   *   const owned = await bot.getApplicationEntitlements(applicationId, {
   *     userId,
   *     excludeEnded: true,
   *   });
   *   return owned.length > 0;
   * }
   * ```
   *
   * @param applicationId The id of the application that the token was issued to.
   * @param options The filters and the page.
   * @throws {TypeError} If an argument is wrong.
   * @throws {RangeError} If `skuIds` has more than 100 ids, or `limit` is not a whole number from 1 to 100.
   * @throws {ApiError} On 401 and 403 (the token of another application).
   * @throws {PayloadError} If a successful response is not a list. An entry without a readable `id` or `sku_id` is left
   * out.
   * @throws The {@link User | errors of every method}
   * @see {@link https://docs.discord.com/developers/resources/entitlement#list-entitlements | Discord: List Entitlements}
   */
  async getApplicationEntitlements(
    this: UserWith<"applications.entitlements">,
    applicationId: string,
    options?: ApplicationEntitlementsOptions | null,
  ): Promise<EntitlementObj[]> {
    const { userId, guildId, skuIds, excludeEnded, ...page } = options ?? {};
    if (userId != null) checkSnowflake("userId", userId);
    if (guildId != null) checkSnowflake("guildId", guildId);
    if (excludeEnded != null) checkBoolean("excludeEnded", excludeEnded);
    const query = {
      user_id: userId ?? undefined,
      guild_id: guildId ?? undefined,
      sku_ids: joinSkus(skuIds),
      exclude_ended: excludeEnded || undefined,
      ...pageQuery(page, entitlementsPerPage),
    };
    if (skuIds?.length === 0) return [];
    return await this.#request("getApplicationEntitlements", { applicationId }, options, {
      query,
      optionNames: applicationEntitlementsOptions,
    });
  }

  /**
   * Reads the permissions of a command in a guild. Needs the `applications.commands.permissions.update` scope, or the token of the
   * application's bot.
   *
   * @example
   * ```ts
   * import type { User } from "@guildpass/sdk";
   *
   * // The id of the application stands for all of its commands.
   * const permissions = async (bot: User, id: string, guildId: string) =>
   *   await bot.getCommandPermissions(id, guildId, id);
   * ```
   *
   * @param applicationId The application's id.
   * @param guildId The guild's id.
   * @param commandId The command's id, or the application's id for all commands without their own permissions.
   * @param options A `signal`; `fresh` skips the cache.
   * @returns The permissions, or `null` if none were set: the application's permissions then apply.
   * @throws {TypeError} If an id is not a snowflake.
   * @throws {ApiError} On 403 (another application's token) and 404 (the guild or the command is unknown).
   * @throws {PayloadError} If a successful response has no readable `id` or `permissions`.
   * @throws The {@link User | errors of every method}
   * @see {@link https://docs.discord.com/developers/interactions/application-commands#get-application-command-permissions | Discord: Get Application Command Permissions}
   */
  async getCommandPermissions(
    this: UserWith<"applications.commands.permissions.update">,
    applicationId: string,
    guildId: string,
    commandId: string,
    options?: ReadOptions | null,
  ): Promise<CommandPermissionsObj | null> {
    const ids = { applicationId, guildId, commandId };
    try {
      return await this.#request("getCommandPermissions", ids, options);
    } catch (error) {
      if (error instanceof ApiError && error.platformCode === unknownCommandPermissions) {
        return null;
      }
      throw error;
    }
  }

  /**
   * Replaces the permissions of a command in a guild. Needs the `applications.commands.permissions.update` scope, from a user with
   * the permissions `manage_guild` and `manage_roles`, who can run the command and manage the affected roles and channels. Discord
   * rejects a bot's token. The request is sent once.
   *
   * @example
   * ```ts
   * import type { User } from "@guildpass/sdk";
   *
   * // Only one role may use the application's commands.
   * async function restrict(
   *   user: User,
   *   id: string,
   *   guildId: string,
   *   roleId: string,
   * ) {
   *   return await user.setCommandPermissions(id, guildId, id, [
   *     { id: guildId, type: "role", permission: false },
   *     { id: roleId, type: "role", permission: true },
   *   ]);
   * }
   * ```
   *
   * @param applicationId The application's id.
   * @param guildId The guild's id.
   * @param commandId The command's id, or the application's id for all commands without their own permissions.
   * @param permissions The new permissions, at most 100.
   * @param options A `signal` to abort the call.
   * @returns The permissions that Discord has now.
   * @throws {TypeError} If an argument is wrong.
   * @throws {RangeError} If there are more than 100 permissions.
   * @throws {ApiError} On 403 (the user lacks a permission, a bot's token, or another application's token) and 404 (the guild or the
   * command is unknown).
   * @throws {PayloadError} If a successful response has no readable `id` or `permissions`. The permissions were set
   * anyway.
   * @throws The {@link User | errors of every method}
   * @see {@link https://docs.discord.com/developers/interactions/application-commands#edit-application-command-permissions | Discord: Edit Application Command Permissions}
   */
  async setCommandPermissions(
    this: UserWith<"applications.commands.permissions.update">,
    applicationId: string,
    guildId: string,
    commandId: string,
    permissions: readonly CommandPermissionParams[],
    options?: CallOptions | null,
  ): Promise<CommandPermissionsObj> {
    const json = commandPermissionsBody(permissions);
    const ids = { applicationId, guildId, commandId };
    return await this.#request("setCommandPermissions", ids, options, { json });
  }

  /**
   * Reads one guild. Needs the token of a bot in the guild: `new User(botToken, { tokenType: "Bot" })`. For the user's own list, call
   * `getUserGuilds`.
   *
   * @example
   * ```ts
   * import type { User } from "@guildpass/sdk";
   *
   * async function roleNames(bot: User, guildId: string) {
   *   const { roles } = await bot.getGuild(guildId);
   *   return roles?.map(({ name }) => name);
   * }
   * ```
   *
   * @param id The id of the guild, a snowflake.
   * @param withCounts True to ask for the approximate counts of members and presences. @default {false}
   * @param options A `signal`; `fresh` skips the cache.
   * @throws {TypeError} If `id` is not a snowflake, or `withCounts` is not a boolean.
   * @throws {ApiError} On 401 (not a bot token; other calls with the token still work), 403 and 404 (the bot is not in the guild).
   * @throws {PayloadError} If a successful response has no readable `id` or `name`. Any other unreadable field is `null`.
   * @throws The {@link User | errors of every method}
   * @see {@link https://docs.discord.com/developers/resources/guild#get-guild | Discord: Get Guild}
   */
  async getGuild(
    id: string,
    withCounts?: boolean | null,
    options?: ReadOptions | null,
  ): Promise<GuildObj> {
    const query = guildsQuery({ withCounts }, "withCounts, as in getGuild(id, true),");
    return await this.#request("getGuild", { id }, options, { query });
  }

  /**
   * Reads any member of a guild. Needs the token of a bot in the guild: `new User(botToken, { tokenType: "Bot" })`.
   *
   * @example
   * ```ts
   * import type { User } from "@guildpass/sdk";
   *
   * async function nickname(bot: User, guildId: string, userId: string) {
   *   const { nick } = await bot.getGuildMemberById(guildId, userId);
   *   return nick;
   * }
   * ```
   *
   * @param guildId The guild's id.
   * @param userId The user's id.
   * @param options A `signal`; `fresh` skips the cache.
   * @throws {TypeError} If `guildId` or `userId` is not a snowflake, or the token is not a bot token.
   * @throws {ApiError} On 401 (not a bot token), 403 and 404 (the bot or the user is not in the guild).
   * @throws The {@link User | errors of every method}
   * @see {@link https://docs.discord.com/developers/resources/guild#get-guild-member | Discord: Get Guild Member}
   */
  async getGuildMemberById(
    guildId: string,
    userId: string,
    options?: ReadOptions | null,
  ): Promise<MemberObj> {
    return await this.#request("getGuildMemberById", { guildId, userId }, options);
  }

  /**
   * Adds a user to a guild. Needs the token of a bot that is in the guild with the permission `create_instant_invite`, and an
   * access token of that user with the `guilds.join` scope. The request is sent once.
   *
   * @example
   * ```ts
   * import type { User } from "@guildpass/sdk";
   *
   * async function welcome(
   *   bot: User,
   *   guildId: string,
   *   newUserId: string,
   *   access_token: string,
   * ) {
   *   const member = { access_token, nick: "Amazing Grace" };
   *   return await bot.addGuildMember(guildId, newUserId, member);
   * }
   * ```
   *
   * @param guildId The guild's id.
   * @param userId The user's id.
   * @param member The `access_token`, the roles and the nickname.
   * @param options A `signal` to abort the call.
   * @returns The member, or `null` if the user was already a member. Then nothing changes.
   * @throws {TypeError} If an argument is wrong, or the token is not a bot token. The message does not show tokens.
   * @throws {RangeError} If `nick` has more than 32 characters, or there are more than 250 roles.
   * @throws {MissingScopeError} Before the request is sent, if `access_token` is known to lack the scope `guilds.join`.
   * @throws {ApiError} On 400 (the user is in the maximum number of guilds), 401 (not a bot token), 403 (the bot lacks a
   * permission, the user is banned, or `access_token` is expired, another user's, or was issued to another application) and 404
   * (the bot is not in the guild).
   * @throws {PayloadError} If a successful response can't be read. The user was added anyway.
   * @throws The {@link User | errors of every method}
   * @see {@link https://docs.discord.com/developers/resources/guild#add-guild-member | Discord: Add Guild Member}
   */
  async addGuildMember(
    guildId: string,
    userId: string,
    member: NewMemberParams,
    options?: CallOptions | null,
  ): Promise<MemberObj | null> {
    const json = newMemberBody(member);
    return await this.#request("addGuildMember", { guildId, userId }, options, {
      json,
      tokenOfPerson: json.access_token,
      toModel: (payload, ...rest) =>
        payload === null ? null : readPayload(operations.addGuildMember.response, payload, ...rest),
    });
  }

  /**
   * Gives a member a role. Needs the token of a bot in the guild, with the permission `manage_roles` and a highest role above the given
   * one. The request is sent once. A role that the member already has is not an error.
   *
   * @example
   * ```ts
   * import type { User } from "@guildpass/sdk";
   *
   * const reward = async (
   *   bot: User,
   *   guildId: string,
   *   userId: string,
   *   roleId: string,
   * ) =>
   *   await bot.addMemberRole(guildId, userId, roleId, {
   *     reason: "Bought a card",
   *   });
   * ```
   *
   * @param guildId The guild's id.
   * @param userId The user's id.
   * @param roleId The role's id.
   * @param options The `reason` for the audit log, and a `signal`.
   * @throws {TypeError} If an argument is wrong, or the token is not a bot token.
   * @throws {RangeError} If `reason` is not 1 to 512 characters long.
   * @throws {ApiError} On 401 (not a bot token), 403 (code 50013: the bot lacks the permission, or its highest role is not above this
   * one; an integration manages the role) and 404 (10004: the bot is not in the guild; 10007: the user is not a member; 10011: the
   * guild does not have the role).
   * @throws The {@link User | errors of every method}
   * @see {@link https://docs.discord.com/developers/resources/guild#add-guild-member-role | Discord: Add Guild Member Role}
   */
  async addMemberRole(
    guildId: string,
    userId: string,
    roleId: string,
    options?: ReasonOptions | null,
  ): Promise<void> {
    await this.#changeRole("addMemberRole", { guildId, userId, roleId }, options);
  }

  /**
   * Removes a role from a member. Needs the token of a bot with the same rights as for {@link User.addMemberRole}, and throws the same
   * errors. The request is sent once. A role that the member does not have is not an error.
   *
   * @example
   * ```ts
   * import type { User } from "@guildpass/sdk";
   *
   * const expire = async (
   *   bot: User,
   *   guildId: string,
   *   userId: string,
   *   roleId: string,
   * ) => await bot.removeMemberRole(guildId, userId, roleId);
   * ```
   *
   * @param guildId The guild's id.
   * @param userId The user's id.
   * @param roleId The role's id.
   * @param options The `reason` for the audit log, and a `signal`.
   * @throws The {@link User | errors of every method}
   * @see {@link https://docs.discord.com/developers/resources/guild#remove-guild-member-role | Discord: Remove Guild Member Role}
   */
  async removeMemberRole(
    guildId: string,
    userId: string,
    roleId: string,
    options?: ReasonOptions | null,
  ): Promise<void> {
    await this.#changeRole("removeMemberRole", { guildId, userId, roleId }, options);
  }

  async #changeRole(
    name: "addMemberRole" | "removeMemberRole",
    ids: PathArguments<"addMemberRole">,
    options: ReasonOptions | null | undefined,
  ): Promise<void> {
    const auditLogReason = checkedReason(options?.reason);
    await this.#request(name, ids, options, { auditLogReason, optionNames: reasonOptions });
  }

  /**
   * Removes the bot from a guild. Needs the token of a bot. The request is sent once.
   *
   * @example
   * ```ts
   * import type { User } from "@guildpass/sdk";
   *
   * const leave = async (bot: User, guildId: string) =>
   *   await bot.leaveGuild(guildId);
   * ```
   *
   * @param guildId The guild's id.
   * @param options A `signal` to abort the call.
   * @throws {TypeError} If `guildId` is not a snowflake, or the token is not a bot token.
   * @throws {ApiError} On 401 (not a bot token) and 404 (the bot is not in the guild).
   * @throws The {@link User | errors of every method}
   * @see {@link https://docs.discord.com/developers/resources/user#leave-guild | Discord: Leave Guild}
   */
  async leaveGuild(guildId: string, options?: CallOptions | null): Promise<void> {
    await this.#request("leaveGuild", { guildId }, options);
  }

  /**
   * Reads the application's metadata records for linked roles. Needs the token of the application's bot.
   *
   * @example
   * ```ts
   * import type { User } from "@guildpass/sdk";
   *
   * async function metadataKeys(bot: User, applicationId: string) {
   *   const records = await bot.getRoleConnectionMetadata(applicationId);
   *   return records.map(({ key }) => key);
   * }
   * ```
   *
   * @param applicationId The id of the bot's application.
   * @param options A `signal`; `fresh` skips the cache.
   * @throws {TypeError} If `applicationId` is not a snowflake, or the token is not a bot token.
   * @throws {ApiError} On 401 (not a bot token) and 403 (the bot belongs to another application).
   * @throws {PayloadError} If a successful response is not a list. An entry without a readable `key` is left out.
   * @throws The {@link User | errors of every method}
   * @see {@link https://docs.discord.com/developers/resources/application-role-connection-metadata#get-application-role-connection-metadata-records | Discord: Get Application Role Connection Metadata Records}
   */
  async getRoleConnectionMetadata(
    applicationId: string,
    options?: ReadOptions | null,
  ): Promise<RoleConnectionMetadataObj[]> {
    return await this.#request("getRoleConnectionMetadata", { applicationId }, options);
  }

  /**
   * Replaces the application's metadata records for linked roles. Needs the token of the application's bot. The request is sent
   * once.
   *
   * @example
   * ```ts
   * import type { User } from "@guildpass/sdk";
   *
   * const describe = async (bot: User, applicationId: string) =>
   *   await bot.setRoleConnectionMetadata(applicationId, [{
   *     type: "integer_greater_than_or_equal",
   *     key: "cards",
   *     name: "Cards punched",
   *     description: "The minimum number of punched cards",
   *   }]);
   * ```
   *
   * @param applicationId The id of the bot's application.
   * @param records The new records, at most 5.
   * @param options A `signal` to abort the call.
   * @returns The records that Discord has now.
   * @throws {TypeError} If an argument is wrong, or the token is not a bot token. The message does not show texts.
   * @throws {RangeError} If a name is not 1 to 100 characters long, a description is not 1 to 200 characters long, or there are more than
   * 5 records.
   * @throws {ApiError} On 401 (not a bot token) and 403 (the bot belongs to another application).
   * @throws {PayloadError} If a successful response is not a list. An entry without a readable `key` is left out.
   * @throws The {@link User | errors of every method}
   * @see {@link https://docs.discord.com/developers/resources/application-role-connection-metadata#update-application-role-connection-metadata-records | Discord: Update Application Role Connection Metadata Records}
   */
  async setRoleConnectionMetadata(
    applicationId: string,
    records: readonly RoleConnectionMetadataParams[],
    options?: CallOptions | null,
  ): Promise<RoleConnectionMetadataObj[]> {
    const json = metadataRecordsBody(records);
    return await this.#request("setRoleConnectionMetadata", { applicationId }, options, { json });
  }

  /**
   * Sends a request to any operation of the API, with the limits, retries, refreshes and errors of all other methods. The token must
   * have the scope and the type that the operation needs.
   *
   * Errors and events show the path with its names in braces, so pass a token in `options.path`. A block by Discord's edge servers does
   * not pause other requests. After a 401, every call with the token fails for five minutes: do not send a user's token to an operation
   * for bots, and set the option `scope` if the operation needs one.
   *
   * The body is JSON. Multipart bodies, as for file uploads, can't be sent.
   *
   * @example
   * ```ts
   * import type { User } from "@guildpass/sdk";
   *
   * async function connectionTypes(user: User) {
   *   const connections = await user.request<{ type: string }[]>(
   *     "GET",
   *     "/users/@me/connections",
   *   );
   *   return connections.map(({ type }) => type);
   * }
   * ```
   *
   * @typeParam Output The type of the result. Nothing checks it without a `schema`; with a `schema`, it is the type of its output.
   * @param method The HTTP method. A `GET` is retried and cached like other reads. Every other request is sent once.
   * @param path The path below `apiUrl`, with names in braces for `options.path`, as in `/lobbies/{lobbyId}/messages`.
   * @param options The values of the path, the query, the body, and the `schema`.
   * @returns The JSON of the response, frozen; `null` for an empty response, such as a 204. With a `schema`, the output of the schema.
   * @throws {TypeError} If an argument is wrong: for example, if the path has a query, a fragment, an empty part, a dot segment, a
   * space, a control character or an encoded character, or a value would be a dot segment. The message does not show values.
   * @throws {PayloadError} If a successful response is not JSON, or does not match the `schema`. The issues name the paths.
   * @throws The {@link User | errors of every method}
   * @see {@link https://docs.discord.com/developers/reference | API reference of Discord}
   */
  async request<Output = unknown>(
    method: HttpMethod,
    path: `/${string}`,
    options?: RequestOptions<Output> | null,
  ): Promise<Output> {
    checkReadOptions(options, requestOptions);
    const { schema, timeout } = options ?? {};
    if (timeout != null) checkTimeout(timeout);
    const request = openRequest(method, path, options ?? {});
    // A list of the caller's own is not frozen yet.
    const payload = Object.freeze(await this.#http.request(request, toFrozenJson));
    if (schema == null) return payload as Output;
    const result = await applySchema(schema, payload);
    if ("value" in result) return result.value;
    throw new PayloadError(
      `The response to ${request.operation} does not match the schema`,
      result,
    );
  }

  /** Sends the request of an operation. It compiles only in a method whose `this` has the scope of the operation. */
  async #request<Name extends OperationName, Model = ModelOf<Name>>(
    this: UserFor<Name>,
    name: Name,
    pathArguments: PathArguments<Name>,
    options: ReadOptions | null | undefined,
    { optionNames, toModel, ...sent }: RequestDetails<Model> = {},
  ): Promise<Model> {
    const { fresh, signal } = options ?? {};
    const details = { ...sent, fresh, signal };
    const request = requestOf(name, pathArguments, details);
    if (request.method === "GET") checkReadOptions(options, optionNames);
    else checkCallOptions(options, optionNames);
    return await this.#http.request(request, (toModel ?? readerOf(name)) as ToModel<Model>);
  }
}

/** The maximum number of ids of items in a query. */
const maxSkus = 100;

/** The maximum number of entitlements in a response. */
const entitlementsPerPage = 100;

/** Discord's code for a command without permissions of its own. */
const unknownCommandPermissions = 10066;

/** Freezes the JSON of a response, so that callers can share it. */
function toFrozenJson(payload: unknown): unknown {
  return typeof payload === "object" && payload ? freeze(payload) : payload;
}

const requestOptions: NamesOf<RequestOptions, ReadOptions> = {
  path: true,
  query: true,
  json: true,
  scope: true,
  schema: true,
  timeout: true,
};

const guildsOptions: NamesOf<UserGuildsOptions, ReadOptions> = {
  before: true,
  after: true,
  limit: true,
  withCounts: true,
};

const entitlementsOptions: NamesOf<EntitlementsOptions, ReadOptions> = {
  skuIds: true,
  excludeConsumed: true,
};

const applicationEntitlementsOptions: NamesOf<ApplicationEntitlementsOptions, ReadOptions> = {
  userId: true,
  guildId: true,
  skuIds: true,
  excludeEnded: true,
  before: true,
  after: true,
  limit: true,
};

const allGuildsOptions: NamesOf<AllGuildsOptions, ReadOptions> = { withCounts: true };

const reasonOptions: NamesOf<ReasonOptions, CallOptions> = { reason: true };

const readOptions: NamesOf<ReadOptions, CallOptions> = { fresh: true };

/**
 * Returns the query of a request for guilds.
 *
 * @throws {TypeError} If `before` or `after` is not a snowflake, or `withCounts` is not a boolean.
 * @throws {RangeError} If `limit` is not a whole number from 1 to 200.
 */
function guildsQuery({ withCounts, ...page }: UserGuildsOptions, name = "withCounts") {
  if (withCounts != null) checkBoolean(name, withCounts);
  return { ...pageQuery(page, guildsPerPage), with_counts: withCounts || undefined };
}

/** Returns the query of one page of a list. */
function pageQuery(
  { before, after, limit }: Pick<UserGuildsOptions, "before" | "after" | "limit">,
  perPage: number,
) {
  if (before != null) checkSnowflake("before", before);
  if (after != null) checkSnowflake("after", after);
  if (limit != null && !(Number.isInteger(limit) && limit >= 1 && limit <= perPage)) {
    // Text is not shown, not even the number it stands for: it may be a secret in the wrong place.
    const found = typeof limit === "number" ? limit : kindOf(limit);
    throw new RangeError(`limit must be a whole number from 1 to ${perPage}, received ${found}`);
  }
  return { before: before ?? undefined, after: after ?? undefined, limit: limit ?? undefined };
}

/**
 * Joins the ids of items for a query. A caller must not send an empty list, which would ask for all items.
 *
 * @throws {TypeError} If `skuIds` is not a list of snowflakes. {@link RangeError} if it is too long.
 */
function joinSkus(skuIds: readonly string[] | null | undefined): string | undefined {
  if (skuIds == null) return undefined;
  if (!Array.isArray(skuIds)) throwBadObject("skuIds", "a list of ids", skuIds);
  skuIds.forEach((id, index) => checkSnowflake(`skuIds[${index}]`, id));
  if (skuIds.length > maxSkus) {
    throw new RangeError(`skuIds must have at most ${maxSkus} ids, received ${skuIds.length}`);
  }
  return skuIds.join(",");
}

function checkReadOptions(options: ReadOptions | null | undefined, names: OptionNames = {}): void {
  if (options == null) return;
  checkCallOptions(options, { ...names, ...readOptions });
  if (options.fresh != null) checkBoolean("fresh", options.fresh);
}

/**
 * A {@link User} with a scope: its token has the scope, or another scope that includes it.
 *
 * @typeParam Needed The needed scope.
 */
export type UserWith<Needed extends Scope> =
  // No token has this scope. The compiler names it if a scope is missing, since the other types are intersections.
  | User<`needs ${Needed} in scope`>
  | { [Granted in SufficientScope<Needed>]: User<Granted> & object }[SufficientScope<Needed>];

/** The `this` of the method for an operation. */
type UserFor<Name extends OperationName> = NeededScope<Name> extends Scope
  ? UserWith<NeededScope<Name>>
  : User;

/** The part of a request that depends on the call. */
interface RequestDetails<Model> extends SentDetails {
  /** The names of a read's options, without `fresh` and `signal`. */
  readonly optionNames?: OptionNames;
  /** Creates the model. @default {by the schema of the operation's response} */
  readonly toModel?: ToModel<Model>;
}
