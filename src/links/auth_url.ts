/**
 * Builds the link to the authorize page.
 *
 * @module
 */

import { checkedRedirectUri, checkSnowflake, throwBadArgument } from "../core/arguments.ts";
import { type PermissionInput, permissionValue } from "../permissions/permission_input.ts";
import { type BotUrlParams, installParameters, linkStart, parameter } from "./link_parts.ts";
import { codeChallenge } from "./pkce.ts";
import type { Platform } from "./platform.ts";
import { joinLinkScopes, type Scope } from "./scopes.ts";

/** Options of {@link AuthUrl}. */
export interface AuthUrlOptions {
  /** The platform with the authorize page. @default {discord} */
  readonly platform?: Platform | null | undefined;
}

/** The parameters of one login. The constructor of {@link AuthUrl} takes those of the application. */
export interface AuthUrlParams extends BotUrlParams {
  /** The state, which ties the redirect to this login (RFC 6749 section 10.12). `generateState()` makes one. */
  readonly state?: string | null | undefined;
  /** The PKCE verifier. Only its S256 challenge goes into the link (RFC 7636 section 4.3). */
  readonly codeVerifier?: string | null | undefined;
  /** `"none"` skips the consent page for a person who has granted the same scopes before. */
  readonly prompt?: "consent" | "none" | null | undefined;
  /** `"token"` is the implicit grant: the redirect has the token in its fragment, and no code. @default {"code"} */
  readonly responseType?: "code" | "token" | null | undefined;
  /** The nonce, which the `id_token` repeats (OpenID Connect Core section 3.1.2.1). */
  readonly nonce?: string | null | undefined;
}

/**
 * The link with which a person grants your application access.
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
  /** The link without the parameters of one login: without state and PKCE. */
  readonly href: string;
  readonly #scope: readonly Scope[];
  readonly #hasCustomScheme: boolean;
  readonly #link: (params: AuthUrlParams, codeChallenge?: string) => string;

  /**
   * Creates the link with which a person grants your application access.
   *
   * @param clientId The application's client id.
   * @param scope The scopes to ask for, at least one. Unknown scopes are accepted.
   * @param redirectUri The address to which the platform redirects, exactly as it is registered. A custom scheme, as in
   * `com.example.app:/callback`, needs PKCE. `null` sends none, and the platform redirects to the first registered address.
   * @param permissions The bot's permissions, for links with the `bot` scope. `0` is kept.
   * @throws {TypeError} If an argument is wrong.
   */
  constructor(
    clientId: string,
    scope: readonly Scope[],
    redirectUri: string | URL | null,
    permissions?: PermissionInput | null,
    options?: AuthUrlOptions | null,
  ) {
    checkSnowflake("clientId", clientId);
    const start = linkStart(options?.platform);
    const scopes = joinLinkScopes(scope);
    this.#scope = scopes.split(" ");
    const application = parameter("client_id", clientId) + parameter("scope", scopes);
    const checkedUri = redirectUri === null ? null : checkedRedirectUri(redirectUri);
    this.#hasCustomScheme = checkedUri !== null && !/^https?:/i.test(checkedUri);
    const redirect = parameter("redirect_uri", checkedUri);
    const value = permissions == null ? undefined : permissionValue(permissions);
    this.#link = (params, codeChallenge) =>
      `${start}response_type=${params.responseType ?? "code"}` +
      application +
      parameter("state", params.state) +
      redirect +
      parameter("prompt", params.prompt) +
      installParameters(params, value) +
      parameter("code_challenge", codeChallenge) +
      parameter("code_challenge_method", codeChallenge && "S256") +
      parameter("nonce", params.nonce);
    this.href = this.#link({});
  }

  /**
   * Builds the link for one login. It is asynchronous, since Web Crypto derives the PKCE challenge.
   *
   * @throws {TypeError} If a parameter is wrong, and for what the platform refuses: `role_connections.write` with a verifier or with
   * the implicit grant, `webhook.incoming` with the implicit grant, and a code for a custom scheme without a verifier.
   */
  async makeUrl(params?: AuthUrlParams | null): Promise<string> {
    // The caller may change the object while the challenge is derived.
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
    this.#checkGrant(responseType === "token", codeVerifier != null);
    return this.#link(rest, codeVerifier == null ? undefined : await codeChallenge(codeVerifier));
  }

  /** Refuses links that the platform refuses with `invalid_scope`, and a code without an exchange. */
  #checkGrant(isImplicit: boolean, hasVerifier: boolean): void {
    const scope = this.#scope;
    if (scope.includes("role_connections.write") && (isImplicit || hasVerifier)) {
      throw new TypeError(
        'scope "role_connections.write" can\'t be combined with a codeVerifier or responseType "token": the platform refuses it with ' +
          "invalid_scope. Leave both out, and use a client secret",
      );
    }
    if (scope.includes("webhook.incoming") && isImplicit) {
      throw new TypeError(
        'scope "webhook.incoming" needs responseType "code": the platform refuses "token" with invalid_scope',
      );
    }
    if (this.#hasCustomScheme && !isImplicit && !hasVerifier) {
      throw new TypeError(
        "redirectUri with a custom scheme needs a codeVerifier: the platform exchanges its code with PKCE only",
      );
    }
  }

  /** Returns the same as {@link AuthUrl.href}. */
  toString(): string {
    return this.href;
  }
}

/**
 * Checks a text by RFC 6749 appendix A.5. Empty text comes from an unset variable, and with an empty state an attacker can forge
 * a callback.
 */
function checkPrintable(argument: string, text: unknown): void {
  if (text != null && (typeof text !== "string" || !/^[ -~]+$/.test(text))) {
    throwBadArgument(argument, "printable ASCII", text);
  }
}
