/**
 * Builds invitation links for a bot.
 *
 * @module
 */

import { checkSnowflake } from "../core/arguments.ts";
import type { PermissionInput } from "../permissions/permission_input.ts";
import {
  type BotUrlParams,
  botUrlParams,
  checkLinkOptions,
  checkNames,
  installParameters,
  linkPermissions,
  linkStart,
  parameter,
} from "./link_parts.ts";
import type { Platform } from "./platform.ts";
import { joinLinkScopes, type Scope, type SpelledScope } from "./scopes.ts";

export type { BotUrlParams } from "./link_parts.ts";

/**
 * The options of {@link Bot}.
 *
 * @typeParam Requested The scopes of the option `scope`.
 */
export interface BotOptions<Requested extends Scope = Scope> {
  /** The platform with the authorize page, or its JSON as a string. An empty string means the default. @default {discord} */
  readonly platform?: Platform | string | null | undefined;
  /**
   * The scopes in addition to `bot`, for example `applications.commands`. With a scope for a user's own data, such as `identify`,
   * Discord rejects the link, because it has no redirect: use {@link AuthUrl} with the scope `bot` instead.
   *
   * @default {[]}
   */
  readonly scope?: (readonly SpelledScope<Requested>[] & readonly Scope[]) | null | undefined;
}

/**
 * Creates an invitation link, which asks a user to add a bot to a guild.
 *
 * @example
 * ```ts
 * import { Bot } from "@guildpass/sdk/auth-url";
 *
 * const bot = new Bot("1024000000000000000", [
 *   "view_channel",
 *   "send_messages",
 * ]);
 * await bot.url({
 *   guildId: "41771983423143937",
 *   disableGuildSelect: true,
 * });
 * // "https://discord.com/oauth2/authorize?client_id=1024000000000000000&scope=bot&permissions=3072&guild_id=41771983423143937&disable_guild_select=true"
 * ```
 *
 * @typeParam Requested The additional scopes, so that the compiler finds a misspelled one.
 * @see {@link https://docs.discord.com/developers/topics/oauth2#bot-authorization-flow | Discord: Bot authorization}
 * @see {@link https://guildpass.github.io/sdk/invite-builder/ | The invite builder}
 */
export class Bot<const Requested extends Scope = Scope> {
  /** The link without per-invitation parameters such as `guild_id`. */
  readonly href: string;
  readonly #link: (params: BotUrlParams) => string;

  /**
   * Creates an invitation link from the parameters of the bot.
   *
   * @param clientId The bot's client id.
   * @param permissions The requested permissions. Without them, or with `0`, the bot only has the permissions that all members of the
   * guild have. With `0`, the link has `permissions=0`.
   * @param options Additional scopes and the platform of the link. Discord rejects scopes that need a redirect, such as `identify`.
   * @throws {TypeError} If an argument is wrong.
   */
  constructor(
    clientId: string,
    permissions?: PermissionInput | null,
    options?: BotOptions<Requested> | null,
  ) {
    checkSnowflake("clientId", clientId);
    checkLinkOptions(options, ["platform", "scope"]);
    const start = `${linkStart(options?.platform)}client_id=${clientId}` +
      parameter("scope", joinLinkScopes(["bot"].concat(options?.scope ?? [])));
    const value = linkPermissions(permissions);
    this.#link = (params) => start + installParameters(params, value);
    this.href = this.#link({});
  }

  /**
   * Builds the link for one invitation. Returns a promise, like {@link AuthUrl.makeUrl}. If you have no parameters, use
   * `href`.
   *
   * @param params The parameters of this invitation, such as the guild. Do not pass `integrationType: 1`: a bot needs a guild.
   * @returns The URL of the consent page.
   * @throws {TypeError} If a parameter is wrong.
   */
  // deno-lint-ignore require-await -- asynchronous, as `AuthUrl.makeUrl` is
  async url(params?: BotUrlParams | null): Promise<string> {
    checkNames("params", params, botUrlParams);
    return this.#link(params ?? {});
  }

  /** Returns the same as {@link Bot.href}. */
  toString(): string {
    return this.href;
  }
}
