/**
 * Builds the link with which a person installs an application for their own account.
 *
 * @module
 */

import { checkSnowflake } from "../core/arguments.ts";
import { linkStart, parameter } from "./link_parts.ts";
import type { Platform } from "./platform.ts";
import { joinLinkScopes, type Scope } from "./scopes.ts";

/** Options of {@link userInstallUrl}. */
export interface UserInstallOptions {
  /** The platform with the authorize page. @default {discord} */
  readonly platform?: Platform | null | undefined;
  /**
   * The scopes besides `applications.commands`, which every such link has, since the platform installs nothing without it. Scopes
   * for a person's own data, such as `identify`, need a redirect: use {@link AuthUrl} with `integrationType: 1`.
   *
   * @default {[]}
   */
  readonly scope?: readonly Scope[] | null | undefined;
}

/**
 * Builds the link with which a person installs an application for their own account. Its commands then follow the person into every
 * server and direct message. No bot joins a guild: use {@link Bot} for that. Switch the installation on in the Developer Portal:
 * "Installation", "User Install".
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
 * @throws {TypeError} If an argument is wrong, and for the scope `bot`, which the platform grants only in a guild.
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
