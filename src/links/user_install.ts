/**
 * The link with which a person installs an application for themselves.
 *
 * @module
 */

import { checkSnowflake } from "../core/arguments.ts";
import { linkStart, parameter } from "./link_parts.ts";
import { checkedUrl, discordAuthorizeUrl, type Platform } from "./platform.ts";
import { joinScopes, type Scope } from "./scopes.ts";

/** Options of {@link userInstallUrl}. */
export interface UserInstallOptions {
  /** Where the authorize page is. @default {discord} */
  readonly platform?: Platform | null | undefined;
  /**
   * Scopes besides `applications.commands`, which every such link has, since without it the platform installs nothing. A
   * scope that grants access to a person's own data, such as `identify`, needs a redirect: use {@link AuthUrl} with
   * `integrationType: 1`.
   *
   * @default {[]}
   */
  readonly scope?: readonly Scope[] | null | undefined;
}

/**
 * The link with which a person installs an application for themselves: its commands then follow them into every server and
 * direct message. No bot joins anything, so there are neither permissions nor a guild; for those there is {@link Bot}. The
 * application must offer it: in the Developer Portal, "Installation", "User Install".
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
 * @throws {TypeError} When an argument is wrong, with its name and what to do about it; also for the scope `bot`, which the
 * platform gives in a guild only.
 * @see {@link https://docs.discord.com/developers/topics/oauth2#authorization-code-grant | `integration_type` in the platform's documentation}
 */
export function userInstallUrl(clientId: string, options?: UserInstallOptions | null): string {
  checkSnowflake("clientId", clientId);
  const page = options?.platform ? options.platform.authorizeUrl : discordAuthorizeUrl;
  const scope = joinScopes(["applications.commands"].concat(options?.scope ?? []));
  if (scope.split(" ").includes("bot")) {
    throw new TypeError(
      'scope must be without "bot", which needs a guild: use Bot for a link with it',
    );
  }
  return `${linkStart(checkedUrl("platform.authorizeUrl", page))}client_id=${clientId}` +
    parameter("scope", scope) + parameter("integration_type", 1);
}
