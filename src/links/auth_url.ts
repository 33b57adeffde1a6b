/**
 * Builds authorization links.
 *
 * @module
 */

import {
  checkedRedirectUri,
  checkSnowflake,
  nameOrKind,
  throwBadArgument,
  throwBadValue,
} from "../core/arguments.ts";
import type { PermissionInput } from "../permissions/permission_input.ts";
import {
  authorizationLink,
  type AuthUrlParams,
  type LinkParams,
  parameterNames,
} from "./authorization_link.ts";
import { checkLinkOptions, checkNames, linkStart } from "./link_parts.ts";
import { checkPkceValue, codeChallenge } from "./pkce.ts";
import type { Platform } from "./platform.ts";
import { joinLinkScopes, type Scope, type SpelledScope } from "./scopes.ts";

export type { AuthUrlParams } from "./authorization_link.ts";

/** The options of {@link AuthUrl}. */
export interface AuthUrlOptions {
  /** The platform with the authorize page, or its JSON as a string. An empty string means the default. @default {discord} */
  readonly platform?: Platform | string | null | undefined;
}

/**
 * Creates an authorization link, which asks a user to grant your application access.
 *
 * @example
 * ```ts
 * import {
 *   AuthUrl,
 *   generateCodeVerifier,
 *   generateState,
 * } from "@guildpass/sdk/auth-url";
 *
 * const login = new AuthUrl(
 *   "1024000000000000000",
 *   ["identify", "guilds"],
 *   "https://app.example/callback",
 * );
 * const state = generateState();
 * const codeVerifier = generateCodeVerifier();
 * const url = await login.makeUrl({ state, codeVerifier });
 * new URL(url).searchParams.get("code_challenge_method"); // "S256"
 * ```
 *
 * @typeParam Requested The scopes, so that the compiler finds a misspelled one.
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-4.1.1 | RFC 6749 section 4.1.1}
 */
export class AuthUrl<const Requested extends Scope = Scope> {
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
   * With `null`, the link has no redirect URI, and Discord uses the first registered one.
   * @param permissions The bot's permissions, for links with the `bot` scope. With `0`, the link has `permissions=0`; with `null`, it has no `permissions`.
   * @param options The platform of the link.
   * @throws {TypeError} If an argument is wrong.
   */
  constructor(
    clientId: string,
    scope: readonly SpelledScope<Requested>[] & readonly Scope[],
    redirectUri: string | URL | null,
    permissions?: PermissionInput | null,
    options?: AuthUrlOptions | null,
  ) {
    checkSnowflake("clientId", clientId);
    checkLinkOptions(options, ["platform"]);
    const scopes = joinLinkScopes(scope);
    this.#scope = scopes.split(" ");
    const checkedUri = redirectUri === null ? null : checkedRedirectUri(redirectUri);
    this.#hasCustomScheme = checkedUri !== null && !/^https?:/i.test(checkedUri);
    this.#link = authorizationLink(
      linkStart(options?.platform),
      clientId,
      scopes,
      checkedUri,
      permissions,
    );
    this.href = this.#link({});
  }

  /**
   * Builds the link for one login. Pass a new `state` each time, save it in a cookie of this browser, and check it with `parseCallback`:
   * without it, an attacker's link can log a visitor in to the attacker's account (CSRF). Asynchronous, because it derives the PKCE
   * challenge.
   *
   * @param params The `state`, the `codeVerifier`, and others.
   * @returns The URL of the consent page.
   * @throws {TypeError} If a parameter is wrong, or Discord would reject the combination: `role_connections.write` with a
   * verifier or with the implicit grant, `webhook.incoming` with the implicit grant, and a custom scheme without a verifier in
   * the code grant.
   */
  async makeUrl(params?: AuthUrlParams | null): Promise<string> {
    checkNames("params", params, parameterNames);
    // The caller may change the object while the challenge is derived.
    const { codeVerifier, ...link } = params ?? {};
    const challenge = link.codeChallenge;
    const isImplicit = link.responseType === "token";
    checkPrintable("state", link.state);
    checkPrintable("nonce", link.nonce);
    checkOneOf("prompt", link.prompt, ["consent", "none"]);
    checkOneOf("responseType", link.responseType, ["code", "token"]);
    if (link.channelId != null) checkSnowflake("channelId", link.channelId);
    if (challenge != null) checkPkceValue("codeChallenge", challenge);
    this.#checkGrant(isImplicit, (codeVerifier ?? challenge) != null);
    if (codeVerifier == null) return this.#link(link);
    return this.#link({ ...link, codeChallenge: await codeChallenge(codeVerifier) });
  }

  /** Throws for combinations that Discord refuses with `invalid_scope`, or with an error at the exchange of the code. */
  #checkGrant(isImplicit: boolean, hasVerifier: boolean): void {
    const scope = this.#scope;
    if (scope.includes("role_connections.write") && (isImplicit || hasVerifier)) {
      throw new TypeError(
        'scope "role_connections.write" needs responseType "code" and a client secret, not PKCE',
      );
    }
    if (scope.includes("webhook.incoming") && isImplicit) {
      throw new TypeError('scope "webhook.incoming" needs responseType "code"');
    }
    if (this.#hasCustomScheme && !isImplicit && !hasVerifier) {
      throw new TypeError("redirectUri with a custom scheme needs codeVerifier or codeChallenge");
    }
  }

  /** Returns the same as {@link AuthUrl.href}. */
  toString(): string {
    return this.href;
  }
}

/** Checks that a value, if there is one, is one of the known texts. */
function checkOneOf(argument: string, value: unknown, known: readonly string[]): void {
  if (value != null && !known.includes(value as string)) {
    throwBadValue(argument, `"${known.join('" or "')}"`, nameOrKind(value));
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
