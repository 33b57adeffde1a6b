/**
 * Builds an authorization link from checked parameters.
 *
 * @module
 */

import { type PermissionInput, permissionValue } from "../permissions/permission_input.ts";
import type { AuthUrlParams } from "./auth_url.ts";
import { installParameters, linkStart, parameter } from "./link_parts.ts";
import type { Platform } from "./platform.ts";

/** The parameters of one link. */
export type LinkParams = Omit<AuthUrlParams, "codeVerifier">;

/**
 * Returns a function that builds the links of an application.
 *
 * @param scope The scopes, separated by spaces.
 * @throws {TypeError} If the platform or the permissions are wrong. The returned function throws if a parameter is unknown, or an install
 * parameter is wrong.
 */
export function authorizationLink(
  platform: Platform | null | undefined,
  clientId: string,
  scope: string,
  redirectUri: string | null,
  permissions: PermissionInput | null | undefined,
): (params: LinkParams) => string {
  const start = linkStart(platform);
  const application = parameter("client_id", clientId) + parameter("scope", scope);
  const redirect = parameter("redirect_uri", redirectUri);
  const value = permissions == null ? undefined : permissionValue(permissions);
  return ({ state, prompt, responseType, nonce, channelId, codeChallenge, ...rest }) => {
    const { guildId, disableGuildSelect, integrationType, ...unknown } = rest;
    checkNothingUnknown(unknown);
    return `${start}response_type=${responseType ?? "code"}` +
      application +
      parameter("state", state) +
      redirect +
      parameter("prompt", prompt) +
      installParameters({ guildId, disableGuildSelect, integrationType }, value) +
      parameter("channel_id", channelId) +
      parameter("code_challenge", codeChallenge) +
      parameter("code_challenge_method", codeChallenge && "S256") +
      parameter("nonce", nonce);
  };
}

/** Throws for an unknown name, which may be misspelled. */
function checkNothingUnknown(unknown: object): void {
  for (const name in unknown) {
    // The error does not show other names: they may be misplaced values, even secrets.
    throw new TypeError(`parameter ${/^[a-z_]{1,24}$/i.test(name) ? name : ""} is unknown`);
  }
}
