/**
 * The link a person opens to grant an application access.
 *
 * @module
 */

import { checkedRedirectUri, checkSnowflake, throwBadArgument } from "../core/arguments.ts";
import { type PermissionInput, permissionValue } from "../permissions/permission_input.ts";
import { type BotUrlParams, installation, linkStart, parameter } from "./link_parts.ts";
import { codeChallenge } from "./pkce.ts";
import { checkedUrl, checkEncrypted, discordAuthorizeUrl, type Platform } from "./platform.ts";
import { joinScopes, type Scope } from "./scopes.ts";

/** Options of {@link AuthUrl}. */
export interface AuthUrlOptions {
  /** Where the authorize page is. @default {discord} */
  readonly platform?: Platform | null | undefined;
}

/** What belongs to one login; the constructor of {@link AuthUrl} takes what belongs to the application. */
export interface AuthUrlParams extends BotUrlParams {
  /** Ties the redirect back to this login (RFC 6749 section 10.12): `generateState()` makes one. */
  readonly state?: string | null | undefined;
  /** The PKCE verifier; only its S256 challenge goes into the link (RFC 7636 section 4.3). */
  readonly codeVerifier?: string | null | undefined;
  /** `"none"` skips the consent page for a person who has granted the same scopes before. */
  readonly prompt?: "consent" | "none" | null | undefined;
  /** `"token"` is the implicit grant: the answer is in the fragment, and there is no code. @default {"code"} */
  readonly responseType?: "code" | "token" | null | undefined;
  /** Comes back in the `id_token` (OpenID Connect Core section 3.1.2.1). */
  readonly nonce?: string | null | undefined;
}

/**
 * The link a person opens to grant your application access.
 *
 * @example
 * ```ts
 * import { AuthUrl, generateCodeVerifier, generateState } from "@guildpass/sdk";
 *
 * const login = new AuthUrl("1024000000000000000", ["identify", "guilds"], "https://app.example/callback");
 * const state = generateState();
 * const codeVerifier = generateCodeVerifier();
 * const url = await login.makeUrl({ state, codeVerifier });
 * new URL(url).searchParams.get("code_challenge_method"); // "S256"
 * ```
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-4.1.1 | RFC 6749 section 4.1.1}
 */
export class AuthUrl {
  /** The link without anything that belongs to one login: no state, no PKCE. */
  readonly href: string;
  readonly #link: (params: AuthUrlParams, codeChallenge?: string) => string;

  /**
   * Takes what belongs to the application.
   *
   * @param clientId The application's client id.
   * @param scope What to ask for, at least one scope. Scopes that nobody has documented are taken too, but not one that
   * is one typing mistake away from a documented one.
   * @param redirectUri Where the platform sends the person back to, exactly as it is registered there.
   * @param permissions The bot's permissions, for links with the `bot` scope; `0` is kept.
   * @throws {TypeError} When an argument is wrong, with its name and what to do about it.
   */
  constructor(
    clientId: string,
    scope: readonly Scope[],
    redirectUri: string | URL,
    permissions?: PermissionInput | null,
    options?: AuthUrlOptions | null,
  ) {
    checkSnowflake("clientId", clientId);
    const { platform } = options ?? {};
    const page = platform ? platform.authorizeUrl : discordAuthorizeUrl;
    const start = linkStart(checkedUrl("platform.authorizeUrl", page));
    if (!platform?.allowInsecure) checkEncrypted("platform.authorizeUrl", page);
    const application = parameter("client_id", clientId) + parameter("scope", joinScopes(scope));
    const redirect = parameter("redirect_uri", checkedRedirectUri(redirectUri));
    const value = permissions == null ? undefined : permissionValue(permissions);
    this.#link = (params, codeChallenge) =>
      `${start}response_type=${params.responseType ?? "code"}` +
      application +
      parameter("state", params.state) +
      redirect +
      parameter("prompt", params.prompt) +
      installation(params, value) +
      parameter("code_challenge", codeChallenge) +
      parameter("code_challenge_method", codeChallenge && "S256") +
      parameter("nonce", params.nonce);
    this.href = this.#link({});
  }

  /**
   * Builds the link for one login. Asynchronous, because Web Crypto derives the PKCE challenge.
   *
   * @throws {TypeError} When a parameter is wrong, with its name and what to do about it.
   */
  async makeUrl(params?: AuthUrlParams | null): Promise<string> {
    // A copy, since what is checked here is read again after the challenge has been made.
    const { codeVerifier, ...rest } = params ?? {};
    const { state, nonce, prompt, responseType } = rest;
    checkPrintable("state", state);
    checkPrintable("nonce", nonce);
    if (prompt != null && prompt !== "consent" && prompt !== "none") {
      throwBadArgument("prompt", '"consent" or "none"', prompt);
    }
    if (responseType != null && responseType !== "code" && responseType !== "token") {
      throwBadArgument("responseType", '"code" or "token"', responseType);
    }
    return this.#link(rest, codeVerifier == null ? undefined : await codeChallenge(codeVerifier));
  }

  /** The same as {@link AuthUrl.href}. */
  toString(): string {
    return this.href;
  }
}

/** RFC 6749 appendix A.5. Empty text is an unset variable: without a state, or with the same for everybody, anybody can forge a callback. */
function checkPrintable(argument: string, text: unknown): void {
  if (text != null && (typeof text !== "string" || !/^[ -~]+$/.test(text))) {
    throwBadArgument(argument, "printable ASCII", text);
  }
}
