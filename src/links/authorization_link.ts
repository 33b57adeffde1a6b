/**
 * Builds an authorization link from checked parameters.
 *
 * @module
 */

import type { PermissionInput } from "../permissions/permission_input.ts";
import {
  type BotUrlParams,
  botUrlParams,
  installParameters,
  linkPermissions,
  parameter,
} from "./link_parts.ts";

/** The parameters of one login. The constructor of `AuthUrl` takes the parameters of the application. */
export interface AuthUrlParams extends BotUrlParams {
  /** The state, which protects this login from CSRF (RFC 6749 section 10.12). Use `generateState()`. */
  readonly state?: string | null | undefined;
  /** The PKCE verifier. The link contains only its S256 challenge (RFC 7636 section 4.3). */
  readonly codeVerifier?: string | null | undefined;
  /**
   * A precomputed S256 challenge, instead of `codeVerifier`: the SHA-256 of the verifier in base64url (RFC 7636 section 4.2). Use it
   * where `crypto.subtle` is missing, such as in React Native, with another library for SHA-256. Ignored with a `codeVerifier`.
   */
  readonly codeChallenge?: string | null | undefined;
  /** `"none"` skips the consent page if the user has granted the same scopes before. */
  readonly prompt?: "consent" | "none" | null | undefined;
  /** `"token"` is the implicit grant: the redirect has the token in its fragment instead of a code. @default {"code"} */
  readonly responseType?: "code" | "token" | null | undefined;
  /** The nonce, which the `id_token` repeats (OpenID Connect Core section 3.1.2.1). */
  readonly nonce?: string | null | undefined;
  /** The preselected channel, for links with the `webhook.incoming` scope. Discord does not document this parameter. */
  readonly channelId?: string | null | undefined;
}

/** The names that the error for a misspelled name suggests. */
export const parameterNames = [
  ...botUrlParams,
  "state",
  "codeVerifier",
  "codeChallenge",
  "prompt",
  "responseType",
  "nonce",
  "channelId",
];

/** The parameters of one link. */
export type LinkParams = Omit<AuthUrlParams, "codeVerifier">;

/**
 * Returns a function that builds the links of an application.
 *
 * @param start The link up to its first parameter, as from `linkStart`.
 * @param scope The scopes, separated by spaces.
 * @throws {TypeError} If the permissions are wrong. The returned function throws if an install parameter is wrong.
 */
export function authorizationLink(
  start: string,
  clientId: string,
  scope: string,
  redirectUri: string | null,
  permissions: PermissionInput | null | undefined,
): (params: LinkParams) => string {
  const application = parameter("client_id", clientId) + parameter("scope", scope);
  const redirect = parameter("redirect_uri", redirectUri);
  const value = linkPermissions(permissions);
  return ({
    state,
    prompt,
    guildId,
    disableGuildSelect,
    integrationType,
    responseType,
    channelId,
    codeChallenge,
    nonce,
  }) =>
    `${start}response_type=${responseType ?? "code"}` +
    application +
    parameter("state", state) +
    redirect +
    parameter("prompt", prompt) +
    installParameters({ guildId, disableGuildSelect, integrationType }, value) +
    parameter("channel_id", channelId) +
    parameter("code_challenge", codeChallenge) +
    parameter("code_challenge_method", codeChallenge && "S256") +
    parameter("nonce", nonce);
}
