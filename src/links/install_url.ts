/**
 * Builds the link to install an application.
 *
 * @module
 */

import { checkSnowflake } from "../core/arguments.ts";
import type { PermissionInput } from "../permissions/permission_input.ts";
import {
  type BotUrlParams,
  botUrlParams,
  checkLinkOptions,
  installParameters,
  linkPermissions,
  linkStart,
  parameter,
} from "./link_parts.ts";
import type { Platform } from "./platform.ts";
import { joinLinkScopes } from "./scopes.ts";

/** The options of {@link installUrl}. */
export interface InstallUrlOptions extends BotUrlParams {
  /**
   * The installed parts: `"applications.commands"` for only the commands, `"bot"` for the bot and the commands.
   *
   * @default {["applications.commands"] with integrationType, else the application's own settings}
   */
  readonly scope?: readonly ("applications.commands" | "bot")[] | null | undefined;
  /** The bot's permissions, for the scope `bot` or instead of those in the application's settings. */
  readonly permissions?: PermissionInput | null | undefined;
  /** The platform with the authorize page, or its JSON as a string. An empty string means the default. @default {discord} */
  readonly platform?: Platform | string | null | undefined;
}

/**
 * Builds a link that installs an application in a guild, or in a user's account, where its commands run in every guild.
 *
 * Without `scope` and `integrationType`, the link has the settings of the Developer Portal, under "Installation", and the user
 * chooses between the guild and the account. The portal must allow the chosen kind of installation.
 *
 * Your application gets nothing back from such a link: no redirect, no code and no token. It only sees the bot in the guild, or the
 * webhook event `APPLICATION_AUTHORIZED`. If it must know the user or the guild, use {@link AuthUrl} with these scopes and
 * `identify`: the token response then has the guild of a bot.
 *
 * @example
 * ```ts
 * import { installUrl } from "@guildpass/sdk/auth-url";
 *
 * installUrl("1024000000000000000");
 * // "https://discord.com/oauth2/authorize?client_id=1024000000000000000"
 * installUrl("1024000000000000000", { integrationType: 1 });
 * // "https://discord.com/oauth2/authorize?client_id=1024000000000000000&scope=applications.commands&integration_type=1"
 * installUrl("1024000000000000000", {
 *   scope: ["applications.commands"],
 *   guildId: "41771983423143937",
 * });
 * // "https://discord.com/oauth2/authorize?client_id=1024000000000000000&scope=applications.commands&guild_id=41771983423143937"
 * ```
 *
 * @param clientId The application's client id.
 * @param options The scopes, the guild, and other parameters.
 * @throws {TypeError} If an argument is wrong, or Discord would reject or ignore the combination: another scope, which needs
 * a redirect, `permissions` without a bot, and `bot` or `guildId` in an installation to an account.
 * @see {@link https://docs.discord.com/developers/resources/application#installation-context | Discord: Installation context}
 */
export function installUrl(clientId: string, options?: InstallUrlOptions | null): string {
  checkSnowflake("clientId", clientId);
  checkLinkOptions(options, [
    "scope",
    "permissions",
    "platform",
    ...botUrlParams,
  ]);
  const { platform, permissions, ...params } = options ?? {};
  const { integrationType, guildId } = params;
  const scope: readonly string[] | null = params.scope ??
    (integrationType == null ? null : ["applications.commands"]);
  const scopes = scope === null ? null : joinLinkScopes(scope);
  const hasBot = scope === null || scope.includes("bot");
  if (scope?.some((name) => name !== "bot" && name !== "applications.commands")) {
    throw new TypeError(
      'scope can only have "bot" and "applications.commands": other scopes need a redirect, so use AuthUrl',
    );
  }
  if (permissions != null && !hasBot) {
    throw new TypeError('permissions need "bot" in scope');
  }
  if (integrationType === 1 && (hasBot || guildId != null)) {
    throw new TypeError(
      "integrationType 1 is for a user's account: it can't be combined with guildId or the scope \"bot\"",
    );
  }
  const value = linkPermissions(permissions);
  return `${linkStart(platform)}client_id=${clientId}` + parameter("scope", scopes) +
    installParameters(params, value);
}
