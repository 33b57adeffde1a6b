/**
 * Requests, refreshes and revokes the tokens of an application.
 *
 * @module
 */

import { checkedRedirectUri, checkSecret, checkSnowflake } from "../core/arguments.ts";
import { oauthHint } from "../core/oauth_hint.ts";
import { checkCodeVerifier } from "../links/pkce.ts";
import { checkScopeSpelling, joinScopes, type Scope } from "../links/scopes.ts";
import { createDeviceLogin, type DeviceLogin } from "./device_login.ts";
import { createHttp, type Http } from "../http/http.ts";
import { checkCallOptions, checkClientOptionNames } from "../http/option_names.ts";
import { type CallOptions, checkOptions, type ClientOptions } from "../http/options.ts";
import type { HttpRequest } from "../http/request.ts";
import { createReport } from "../http/report.ts";
import { assertRuntime } from "../http/runtime.ts";
import { TokenEndpoint } from "../http/token_endpoint.ts";
import { toDeviceAuthorization } from "../resources/device_authorization.ts";
import type { Report } from "../resources/reading.ts";
import { type TokenObj, toToken } from "../resources/token.ts";
import { isTokenObj } from "./access_token.ts";
import {
  clientHint,
  codeHint,
  deviceHint,
  refreshErrorOf,
  refreshHint,
} from "../tokens/token_hints.ts";

/** Options of {@link PlatformApi.accessToken}. */
export interface AccessTokenOptions extends CallOptions {
  /** The PKCE verifier of the login (RFC 7636 section 4.5); a public client must have one. */
  readonly codeVerifier?: string | null | undefined;
}

/**
 * Requests, refreshes and revokes tokens for your application. For servers: it holds the client secret, which no log and no
 * `JSON.stringify` shows.
 *
 * Every request is sent once: a code and a refresh token are single-use, and a repetition would end the login. The runtime may
 * still send a request again after 421 Misdirected Request, which says that it was not processed (RFC 9110 section 15.5.20), and
 * a browser may when a kept-open connection breaks.
 *
 * Every method rejects with
 *
 * - {@link OAuthError} if the platform refuses, for example `invalid_client` (401) for a wrong secret;
 * - {@link RateLimitError} on 429, and {@link ApiError} on any other answer that is not a success, such as a 5xx;
 * - {@link PayloadError} if a success has no readable `access_token` or `token_type`; every other field that is missing or
 *   can't be read is `null`. {@link PayloadTooLargeError} if the answer is longer than `maxBytes`;
 * - {@link NetworkError} if no complete answer arrives, {@link TimeoutError} if none arrives within `timeout`. The platform may still
 *   have acted, and `hint` says what to do;
 * - the reason of the `signal` if it fires. The platform may still have acted.
 *
 * @example
 * ```ts
 * import { AuthUrl, parseCallback, PlatformApi } from "@guildpass/sdk";
 * import { createFakePlatform, sampleApplication } from "@guildpass/sdk/testing";
 *
 * const fake = createFakePlatform();
 * const { id, secret } = sampleApplication;
 * const redirectUri = "https://app.example/callback";
 * const link = await new AuthUrl(id, ["identify"], redirectUri, null, fake).makeUrl({ state: "s7ate" });
 * const { code } = parseCallback(await fake.authorize(link), { state: "s7ate" });
 *
 * const api = new PlatformApi(id, secret, ["identify"], redirectUri, fake);
 * const token = await api.accessToken(code);
 * token.scopes; // ["identify"]
 *
 * const next = await api.refresh(token); // token.refresh_token is used up now
 * await api.revoke(next);
 * ```
 *
 * @typeParam Asked The scopes that the link asks for. The compiler then knows which calls a token of this application may make.
 * @throws {TypeError} If an argument is wrong, with its name. The secret is never shown.
 */
// deno-lint-ignore no-explicit-any -- as for TokenObj
export class PlatformApi<const Asked extends Scope = any> {
  readonly #timeout: number;
  readonly #clientId: string;
  /** The Basic credentials; `null` for a public client. */
  readonly #credentials: string | null;
  readonly #scope: string;
  readonly #redirectUri: string | null;
  readonly #cdnUrl: string;
  readonly #http: Http;
  readonly #reportOf: (path: string) => Report;

  constructor(
    /** The application's client id. */
    clientId: string,
    /** Its secret; `null` for a public client, which proves itself by PKCE alone. */
    clientSecret: string | null,
    /** The scopes of the link. They count as granted if the platform names none (RFC 6749 section 5.1). */
    scope: readonly Asked[] & readonly Scope[],
    /**
     * The redirect URI of the link, to the letter. `null` sends none: for the codes of an Activity (Embedded App SDK) and of links
     * without a redirect URI, and for an application that exchanges no codes.
     */
    redirectUri: string | URL | null,
    options?: ClientOptions | null,
  ) {
    assertRuntime();
    checkSnowflake("clientId", clientId);
    this.#clientId = clientId;
    this.#credentials = clientSecret === null ? null : basicCredentials(clientId, clientSecret);
    this.#scope = checkedScope(scope);
    if (clientSecret === null && this.#scope.split(" ").includes("role_connections.write")) {
      throw new TypeError(
        'scope has "role_connections.write", which needs a clientSecret: the platform refuses this scope together with PKCE, and a ' +
          "public client has nothing else to prove itself with",
      );
    }
    this.#redirectUri = redirectUri === null ? null : checkedRedirectUri(redirectUri);
    const checked = checkOptions(options ?? {});
    checkClientOptionNames(options);
    this.#timeout = checked.timeout;
    this.#cdnUrl = checked.cdnUrl;
    const tokenEndpoint = new TokenEndpoint(checked, clientId);
    // Revocations are sent during a pause too. Otherwise the token would stay valid.
    this.#http = createHttp(checked, ({ path }) => path === tokenPath ? tokenEndpoint : null);
    this.#reportOf = (path) => createReport(options?.onUnexpected, { method: "POST", path });
  }

  /** The time limit of one call, in milliseconds. */
  get timeout(): number {
    return this.#timeout;
  }

  /**
   * Exchanges the code of a callback for an access token.
   *
   * @param code The code from `parseCallback`.
   * @throws {TypeError} If the code or the verifier is wrong, or a public client has no verifier.
   * @throws {OAuthError} `invalid_grant` (400) for a code that was used or is old, and for another verifier or redirect URI.
   * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3 | RFC 6749 section 4.1.3}
   */
  async accessToken(
    code: string,
    options?: AccessTokenOptions | null,
  ): Promise<TokenObj<Asked>> {
    // An application may pass all that it kept of the login.
    checkCallOptions(options, ["codeVerifier"], ["state", "nonce"]);
    const { codeVerifier, signal } = options ?? {};
    checkSecret("code", code);
    if (codeVerifier != null || this.#credentials === null) checkCodeVerifier(codeVerifier);
    const form = {
      grant_type: "authorization_code",
      ...(this.#redirectUri !== null && { redirect_uri: this.#redirectUri }),
      code,
      ...(codeVerifier && { code_verifier: codeVerifier }),
    };
    return await this.#requestToken(form, this.#scope, {
      signal,
      lostHint: "The code may be used up; start a new login",
      oauthHint: (error, description) => codeHint(error, description, this.#redirectUri),
    });
  }

  /**
   * Refreshes a token. That uses the refresh token up, and the new token has another one. Two refreshes with the same refresh
   * token end the login; a `TokenSource` prevents that.
   *
   * The new token has no `guild`, `webhook` and `id_token`: these come only with a login.
   *
   * @example
   * ```ts
   * import { OAuthError, PlatformApi, type TokenObj } from "@guildpass/sdk";
   *
   * export async function refreshed(api: PlatformApi, token: TokenObj): Promise<TokenObj | null> {
   *   try {
   *     return await api.refresh(token);
   *   } catch (error) {
   *     // The person must log in again. After any other error the refresh token may still work.
   *     if (error instanceof OAuthError && error.error === "invalid_grant") return null;
   *     throw error;
   *   }
   * }
   * ```
   *
   * @param token The whole token, or its `refresh_token`. The scopes of the whole token count if the
   * platform does not name them again.
   * @returns The new token. It keeps the refresh token if the platform sends no new one (RFC 6749 section 6).
   * @throws {TypeError} If the token is wrong or has no refresh token.
   * @throws {OAuthError} `invalid_grant` if the refresh token will not work again: it was used before, it has expired, or the
   * access was revoked; the platform does not say which. An `invalid_request` about the refresh token becomes
   * `invalid_grant`, too. After any other error the refresh token may still work.
   * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-6 | RFC 6749 section 6}
   */
  async refresh<Granted extends Scope = Asked>(
    token: string | TokenObj<Granted>,
    options?: CallOptions | null,
  ): Promise<TokenObj<Granted>> {
    checkCallOptions(options);
    const { refreshToken, scope } = readRefreshToken(token);
    const form = { grant_type: "refresh_token", refresh_token: refreshToken };
    return await this.#requestToken(form, scope ?? this.#scope, {
      signal: options?.signal,
      lostHint:
        "The refresh token may be used up: use the access token to its end, then try once more, then start a new login",
      oauthErrorOf: refreshErrorOf,
      oauthHint: refreshHint,
    }, refreshToken);
  }

  /**
   * Revokes a token. **On this platform that ends every token the application has of that person, on every device**, so a logout
   * of one browser should only forget its token.
   *
   * A token that is unknown or has expired counts as revoked. After a `NetworkError` it does no harm to call it again.
   *
   * @param token The whole token, or one of its two tokens. If a whole token has a refresh token, that is sent.
   * @throws {TypeError} If the token is wrong.
   * @see {@link https://www.rfc-editor.org/rfc/rfc7009#section-2.1 | RFC 7009 section 2.1},
   * {@link https://docs.discord.com/developers/topics/oauth2#authorization-code-grant-token-revocation-example | Token Revocation in the platform's documentation}
   */
  async revoke(token: string | TokenObj, options?: CallOptions | null): Promise<void> {
    checkCallOptions(options);
    await this.#post("/oauth2/token/revoke", revocationForm(token), {
      signal: options?.signal,
      lostHint: "It is not known whether the token was revoked; try again",
      mayBeEmpty: true,
    });
  }

  /**
   * Requests a token for the owner of the application, without a login: for tests, and to manage the application's own commands.
   * It has no refresh token.
   *
   * @example
   * ```ts
   * import { PlatformApi } from "@guildpass/sdk";
   * import { createFakePlatform, sampleApplication } from "@guildpass/sdk/testing";
   *
   * const { id, secret } = sampleApplication;
   * const api = new PlatformApi(id, secret, ["identify"], null, createFakePlatform());
   * const token = await api.clientCredentials(["applications.commands.update"]);
   * token.refresh_token; // null
   * ```
   *
   * @param scope The scopes of the token; for an application that belongs to a team, `identify` and `applications.commands.update` only.
   * @throws {TypeError} If the scope is wrong, or the application is a public client, which has no credentials.
   * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-4.4 | RFC 6749 section 4.4},
   * {@link https://docs.discord.com/developers/topics/oauth2#client-credentials-grant | Client Credentials Grant in the platform's documentation}
   */
  async clientCredentials<const Own extends Scope>(
    scope: readonly Own[] & readonly Scope[],
    options?: CallOptions | null,
  ): Promise<TokenObj<Own>> {
    checkCallOptions(options);
    const text = checkedScope(scope);
    if (this.#credentials === null) {
      throw new TypeError(
        "clientCredentials() needs the clientSecret: a public client has no credentials",
      );
    }
    const form = { grant_type: "client_credentials", scope: text };
    return await this.#requestToken(form, text, { signal: options?.signal });
  }

  /**
   * Starts a login on a device without a browser, such as a console or a terminal: the device shows a code, and the person types
   * it in on another one.
   *
   * @example
   * ```ts
   * import { PlatformApi } from "@guildpass/sdk";
   * import { createFakePlatform, sampleApplication } from "@guildpass/sdk/testing";
   *
   * const fake = createFakePlatform();
   * const { id, secret } = sampleApplication;
   * const api = new PlatformApi(id, secret, ["identify"], null, fake);
   *
   * const login = await api.startDeviceLogin();
   * const message = `Open ${login.verificationUri} and type in ${login.userCode}`;
   * await fake.authorizeDevice(login.userCode); // what the person does
   *
   * const logIn = async () => await login.token(); // asks every few seconds, until the person has decided
   * ```
   *
   * @throws {OAuthError} `invalid_scope` for scopes that need a guild and for `role_connections.write`, and `unauthorized_client` if
   * the device login is not enabled for the application.
   * @throws {PayloadError} If a success has no readable `device_code`, `user_code` or `verification_uri`.
   * @see {@link https://www.rfc-editor.org/rfc/rfc8628#section-3.1 | RFC 8628 section 3.1},
   * {@link https://docs.discord.com/developers/discord-social-sdk/development-guides/account-linking-on-consoles | Account Linking on Consoles in the platform's documentation}
   */
  async startDeviceLogin(options?: CallOptions | null): Promise<DeviceLogin<Asked>> {
    checkCallOptions(options);
    const path = "/oauth2/device/authorize";
    const payload = await this.#post(path, { scope: this.#scope }, { signal: options?.signal });
    const authorization = toDeviceAuthorization(payload, this.#reportOf(path));
    const { device_code, user_code } = authorization;
    const form = { grant_type: "urn:ietf:params:oauth:grant-type:device_code", device_code };
    const more = { otherSecrets: [user_code], oauthHint: deviceHint };
    return createDeviceLogin(authorization, () => this.#requestToken(form, this.#scope, more));
  }

  /** @param refreshToken The refresh token that the token keeps if the answer has none. */
  async #requestToken(
    form: Readonly<Record<string, string>>,
    requestedScope: string,
    more: RequestDetails,
    refreshToken: string | null = null,
  ): Promise<TokenObj> {
    const payload = await this.#post(tokenPath, form, more);
    const report = this.#reportOf(tokenPath);
    return toToken(payload, requestedScope, this.#cdnUrl, report, refreshToken);
  }

  /** Sends a form, with the credentials of the application. */
  async #post(
    path: string,
    form: Readonly<Record<string, string>>,
    { oauthHint: hintOf, ...more }: RequestDetails,
  ): Promise<unknown> {
    const isPublicClient = this.#credentials === null;
    return await this.#http({
      path,
      authorization: isPublicClient ? undefined : `Basic ${this.#credentials}`,
      form: { ...form, ...(isPublicClient && { client_id: this.#clientId }) },
      oauthHint: (error, description) =>
        clientHint(error, isPublicClient) ?? hintOf?.(error, description) ?? oauthHint(error),
      ...more,
    });
  }
}

/** The part of a request that differs between operations. */
type RequestDetails = Omit<HttpRequest, "path" | "form" | "authorization">;

const tokenPath = "/oauth2/token";

function checkedScope(scope: readonly Scope[]): string {
  const text = joinScopes(scope);
  checkScopeSpelling(scope);
  return text;
}

/** Encodes client id and secret as a form does, joins them, and encodes the text in Base64 (RFC 6749 section 2.3.1). */
function basicCredentials(clientId: string, clientSecret: string): string {
  checkSecret("clientSecret", clientSecret);
  const encoded = new URLSearchParams([["", clientSecret]]).toString().slice(1);
  return btoa(`${clientId}:${encoded}`);
}

/**
 * Reads the token that is refreshed.
 *
 * @returns The refresh token, and the scopes of its token, or `null` if they are not known.
 * @throws {TypeError} If it is not a token, or has no refresh token.
 */
function readRefreshToken(
  given: string | TokenObj,
): { readonly refreshToken: string; readonly scope: string | null } {
  if (!isTokenObj(given)) {
    checkSecret("token", given);
    return { refreshToken: given, scope: null };
  }
  const { refresh_token, scope } = given;
  if (refresh_token == null) {
    throw new TypeError(
      "token has no refresh_token, as a token of the implicit grant or of client credentials: start a new login",
    );
  }
  checkSecret("token.refresh_token", refresh_token);
  return { refreshToken: refresh_token, scope: scope || null };
}

/**
 * Returns the form that revokes a token. It has the refresh token if there is one, since that lives longer (RFC 7009 section 2.1).
 *
 * @throws {TypeError} If it is not a token.
 */
function revocationForm(given: string | TokenObj): Record<string, string> {
  if (!isTokenObj(given)) {
    checkSecret("token", given);
    return { token: given };
  }
  const { refresh_token, access_token } = given;
  const token = refresh_token ?? access_token;
  checkSecret("token", token);
  return { token, token_type_hint: token === refresh_token ? "refresh_token" : "access_token" };
}
