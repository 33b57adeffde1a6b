/**
 * Builds authorization links.
 *
 * @module
 */

import { checkedRedirectUri, checkSnowflake, throwBadArgument } from "../core/arguments.ts";
import type { PermissionInput } from "../permissions/permission_input.ts";
import { authorizationLink, type LinkParams } from "./authorization_link.ts";
import type { BotUrlParams } from "./link_parts.ts";
import { checkPkceValue, codeChallenge } from "./pkce.ts";
import type { Platform } from "./platform.ts";
import { joinLinkScopes, type Scope } from "./scopes.ts";

/** The options of {@link AuthUrl}. */
export interface AuthUrlOptions {
  /** The platform with the authorize page. @default {discord} */
  readonly platform?: Platform | null | undefined;
}

/** The parameters of one login. The constructor of {@link AuthUrl} takes the parameters of the application. */
export interface AuthUrlParams extends BotUrlParams {
  /** The state, which ties the redirect to this login (RFC 6749 section 10.12). Use `generateState()`. */
  readonly state?: string | null | undefined;
  /** The PKCE verifier. The link contains only its S256 challenge (RFC 7636 section 4.3). */
  readonly codeVerifier?: string | null | undefined;
  /**
   * A ready S256 challenge, in place of `codeVerifier`: the SHA-256 of the verifier in base64url (RFC 7636 section 4.2). Use it where
   * `crypto.subtle` is missing, such as in React Native, with another library for SHA-256. With a `codeVerifier`, it is not used.
   */
  readonly codeChallenge?: string | null | undefined;
  /** `"none"` skips the consent page if the person has granted the same scopes before. */
  readonly prompt?: "consent" | "none" | null | undefined;
  /** `"token"` is the implicit grant: the redirect has the token in its fragment instead of a code. @default {"code"} */
  readonly responseType?: "code" | "token" | null | undefined;
  /** The nonce, which the `id_token` repeats (OpenID Connect Core section 3.1.2.1). */
  readonly nonce?: string | null | undefined;
  /** The preselected channel, for links with the `webhook.incoming` scope. The platform does not document this parameter. */
  readonly channelId?: string | null | undefined;
}

/**
 * Creates an authorization link, which asks a person to grant your application access.
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
  /** The link without per-login parameters such as `state` and the PKCE challenge. */
  readonly href: string;
  readonly #scope: readonly Scope[];
  readonly #hasCustomScheme: boolean;
  readonly #link: (params: LinkParams) => string;

  /**
   * Creates an authorization link from the parameters of the application.
   *
   * @param clientId The application's client id.
   * @param scope The requested scopes, at least one. Unknown scopes are accepted.
   * @param redirectUri The redirect URI, exactly as registered. A custom scheme, as in `com.example.app:/callback`, needs PKCE.
   * With `null`, the link has no redirect URI, and the platform uses the first registered one.
   * @param permissions The bot's permissions, for links with the `bot` scope. The link also contains `0`.
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
    const scopes = joinLinkScopes(scope);
    this.#scope = scopes.split(" ");
    const checkedUri = redirectUri === null ? null : checkedRedirectUri(redirectUri);
    this.#hasCustomScheme = checkedUri !== null && !/^https?:/i.test(checkedUri);
    this.#link = authorizationLink(options?.platform, clientId, scopes, checkedUri, permissions);
    this.href = this.#link({});
  }

  /**
   * Builds the link for one login. Asynchronous, since Web Crypto derives the PKCE challenge.
   *
   * @throws {TypeError} If a parameter is wrong, or the platform would refuse the combination: `role_connections.write` with a
   * verifier or with the implicit grant, `webhook.incoming` with the implicit grant, and a custom scheme without a verifier in
   * the code grant.
   */
  async makeUrl(params?: AuthUrlParams | null): Promise<string> {
    // The caller may change the object while the challenge is derived.
    const { codeVerifier, ...rest } = params ?? {};
    const { state, nonce, prompt, responseType, channelId, codeChallenge: ready } = rest;
    checkPrintable("state", state);
    checkPrintable("nonce", nonce);
    checkOneOf("prompt", prompt, ["consent", "none"]);
    checkOneOf("responseType", responseType, ["code", "token"]);
    if (channelId != null) checkSnowflake("channelId", channelId);
    if (ready != null) checkPkceValue("codeChallenge", ready);
    this.#checkGrant(responseType === "token", (codeVerifier ?? ready) != null);
    if (codeVerifier == null) return this.#link(rest);
    return this.#link({ ...rest, codeChallenge: await codeChallenge(codeVerifier) });
  }

  /** Throws for combinations that the platform refuses with `invalid_scope`, or with an error at the exchange of the code. */
  #checkGrant(isImplicit: boolean, hasVerifier: boolean): void {
    const scope = this.#scope;
    if (scope.includes("role_connections.write") && (isImplicit || hasVerifier)) {
      throw new TypeError(
        'scope "role_connections.write" needs responseType "code", and a client secret in place of PKCE',
      );
    }
    if (scope.includes("webhook.incoming") && isImplicit) {
      throw new TypeError(
        'scope "webhook.incoming" needs responseType "code"',
      );
    }
    if (this.#hasCustomScheme && !isImplicit && !hasVerifier) {
      throw new TypeError(
        "redirectUri with a custom scheme needs codeVerifier or codeChallenge",
      );
    }
  }

  /** Returns the same as {@link AuthUrl.href}. */
  toString(): string {
    return this.href;
  }
}

/** Checks that a value, if there is one, is one of two texts. */
function checkOneOf(argument: string, value: unknown, known: readonly string[]): void {
  if (value != null && !known.includes(value as string)) {
    throwBadArgument(argument, `"${known.join('" or "')}"`, value);
  }
}

/**
 * Checks that a text is printable ASCII (RFC 6749 appendix A.5) and not empty. With an empty state, an attacker could forge a
 * callback.
 */
function checkPrintable(argument: string, text: unknown): void {
  if (text != null && (typeof text !== "string" || !/^[ -~]+$/.test(text))) {
    throwBadArgument(argument, "printable ASCII", text);
  }
}
