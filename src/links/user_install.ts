/**
 * Builds the link to install an application to a user's account.
 *
 * @module
 */

import { checkSnowflake } from "../core/arguments.ts";
import { linkStart, parameter } from "./link_parts.ts";
import type { Platform } from "./platform.ts";
import { joinLinkScopes, type Scope } from "./scopes.ts";

/** The options of {@link userInstallUrl}. */
export interface UserInstallOptions {
  /** The platform with the authorize page. @default {discord} */
  readonly platform?: Platform | null | undefined;
  /**
   * The scopes in addition to `applications.commands`, which every install link needs. Scopes for a person's own data, such as
   * `identify`, need a redirect: use {@link AuthUrl} with `integrationType: 1`.
   *
   * @default {[]}
   */
  readonly scope?: readonly Scope[] | null | undefined;
}

/**
 * Builds the link to install an application to a user's account. The user can then run its commands in every server and direct
 * message. To add a bot to a guild, use {@link Bot}. Enable "User Install" in the Developer Portal, under "Installation".
 *
 * @example
 * ```ts
 * import { userInstallUrl } from "@guildpass/sdk/auth-url";
 *
 * userInstallUrl("1024000000000000000");
 * // "https://discord.com/oauth2/authorize?client_id=1024000000000000000&scope=applications.commands&integration_type=1"
 * ```
 *
 * @param clientId The application's client id.
 * @throws {TypeError} If an argument is wrong, or for the scope `bot`, which needs a guild.
 * @see {@link https://docs.discord.com/developers/topics/oauth2#authorization-code-grant | `integration_type` in the platform's documentation}
 */
export function userInstallUrl(clientId: string, options?: UserInstallOptions | null): string {
  checkSnowflake("clientId", clientId);
  const scope = joinLinkScopes(["applications.commands"].concat(options?.scope ?? []));
  if (scope.split(" ").includes("bot")) {
    throw new TypeError(
      'scope must be without "bot", which needs a guild: use Bot for a link with it',
    );
  }
  return `${linkStart(options?.platform)}client_id=${clientId}` +
    parameter("scope", scope) + parameter("integration_type", 1);
}
