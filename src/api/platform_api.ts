/**
 * Requests, refreshes and revokes the tokens of an application.
 *
 * @module
 */

import type { Scope, SpelledScope } from "../links/scopes.ts";
import { type CallOptions, checkCallOptions, type ClientOptions } from "../http/options.ts";
import type { Claim } from "../http/limits/claim.ts";
import { type RefreshOptions, takeRefreshSlot } from "../tokens/token_api.ts";
import { deviceAuthorizationSchema } from "../resources/device_authorization.ts";
import { readPayload } from "../resources/reading.ts";
import type { TokenObj } from "../resources/token.ts";
import { deviceHint } from "../tokens/token_hints.ts";
import { createDeviceLogin, type DeviceLogin } from "./device_login.ts";
import { type AccessTokenOptions, checkedScope, TokenClient } from "./token_client.ts";

/**
 * Requests, refreshes and revokes tokens for your application. For servers, because it holds the client secret. Logs and
 * `JSON.stringify` do not show the secret.
 *
 * Every request is sent once: a code and a refresh token are single-use, and a retry would end the login. The runtime may still
 * send a request again after 421 Misdirected Request, which means that the request was not processed (RFC 9110 section 15.5.20).
 * A browser may send a request again when a keep-alive connection breaks.
 *
 * Every method rejects with
 *
 * - {@link OAuthError} if Discord rejects the request, for example `invalid_client` (401) for a wrong secret;
 * - {@link RateLimitError} on 429, and {@link ApiError} on any other unsuccessful response, such as a 5xx;
 * - {@link PayloadError} if a successful response has no readable `access_token` or `token_type`; every other field that is missing or
 *   can't be read is `null`. {@link PayloadTooLargeError} if the response is longer than `maxBytes`;
 * - {@link NetworkError} if no complete response arrives, {@link TimeoutError} if none arrives within `timeout`. Discord may still
 *   have processed the request, and `hint` names the next step;
 * - the reason of the `signal` if it fires. Discord may still have processed the request.
 *
 * @example
 * ```ts
 * import { AuthUrl, parseCallback, PlatformApi } from "@guildpass/sdk";
 * import {
 *   createFakePlatform,
 *   sampleApplication,
 * } from "@guildpass/sdk/testing";
 *
 * const fake = createFakePlatform();
 * const { id, secret } = sampleApplication;
 * const redirectUri = "https://app.example/callback";
 * const auth = new AuthUrl(id, ["identify"], redirectUri, null, fake);
 * const link = await auth.makeUrl({ state: "s7ate" });
 * const { code } = parseCallback(await fake.authorize(link), {
 *   state: "s7ate",
 * });
 *
 * const api = new PlatformApi(
 *   id,
 *   secret,
 *   ["identify"],
 *   redirectUri,
 *   fake,
 * );
 * const token = await api.accessToken(code);
 * token.scopes; // ["identify"]
 *
 * const next = await api.refresh(token); // uses up token.refresh_token
 * await api.revoke(next);
 * ```
 *
 * @typeParam Requested The scopes of the authorization URL. The compiler then knows which calls a token of this application allows.
 * @throws {TypeError} If an argument is wrong. The message names the argument, and never shows the secret.
 */
// deno-lint-ignore no-explicit-any -- as for TokenObj
export class PlatformApi<const Requested extends Scope = any> {
  readonly #client: TokenClient;

  /**
   * Creates a client for one application, without a request.
   *
   * @param clientId The application's client id.
   * @param clientSecret The client secret; `null` for a public client, which uses PKCE instead.
   * @param scope The scopes of the authorization URL. If Discord does not list the granted scopes, these were granted (RFC 6749
   * section 5.1).
   * @param redirectUri The exact redirect URI of the authorization URL. `null` if the authorization URL has none, as in an Activity
   * (Embedded App SDK), or if the application does not exchange codes.
   * @param options The options of the client, such as the platform and the time limit.
   */
  constructor(
    clientId: string,
    clientSecret: string | null,
    scope: readonly SpelledScope<Requested>[] & readonly Scope[],
    redirectUri: string | URL | null,
    options?: ClientOptions | null,
  ) {
    this.#client = new TokenClient(clientId, clientSecret, scope, redirectUri, options);
  }

  /** The time limit of one call, in milliseconds. */
  get timeout(): number {
    return this.#client.timeout;
  }

  /**
   * Exchanges the code of a callback for an access token.
   *
   * @param code The code from `parseCallback`. If the code has characters other than letters, digits, `-` and `_`, Discord's edge servers may block
   * it as an attack. Such a block does not pause other requests.
   * @param options The `codeVerifier` of the login, and a `signal`.
   * @throws {TypeError} If the code is not text without whitespace, the verifier does not have 43 to 128 unreserved characters, or a
   * public client passes no verifier.
   * @throws {OAuthError} `invalid_grant` (400) if the code was used or has expired, or the verifier or the redirect URI does not match.
   * @throws The {@link PlatformApi | errors of every method}
   * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3 | RFC 6749 section 4.1.3}
   */
  async accessToken(
    code: string,
    options?: AccessTokenOptions | null,
  ): Promise<TokenObj<Requested>> {
    return await this.#client.accessToken(code, options);
  }

  /**
   * Refreshes a token. The refresh token is then used up, and the new token has a new refresh token. Two refreshes with the same
   * refresh token end the login; a `TokenSource` prevents this.
   *
   * The new token does not have a `guild`, a `webhook` or an `id_token`: only a login returns these.
   *
   * @example
   * ```ts
   * import { OAuthError, PlatformApi, type TokenObj } from "@guildpass/sdk";
   *
   * export async function refreshed(
   *   api: PlatformApi,
   *   token: TokenObj,
   * ): Promise<TokenObj | null> {
   *   try {
   *     return await api.refresh(token);
   *   } catch (error) {
   *     // The user must log in again. After any other error,
   *     // the refresh token may still work.
   *     if (
   *       error instanceof OAuthError && error.error === "invalid_grant"
   *     ) return null;
   *     throw error;
   *   }
   * }
   * ```
   *
   * @param token The whole token, or its `refresh_token`. The scopes of the whole token are kept if the
   * platform does not name them again.
   * @param options A `timeout` in milliseconds, and a `signal`.
   * @returns The new token. It keeps the refresh token if the response does not have a new one (RFC 6749 section 6).
   * @throws {TypeError} If the token is wrong or has no refresh token.
   * @throws {OAuthError} `invalid_grant` if the refresh token will not work again: it was used before, it has expired, or the access
   * was revoked; Discord does not state the cause. An `invalid_request` about the refresh token also becomes `invalid_grant`.
   * After any other error the refresh token may still work.
   * @throws The {@link PlatformApi | errors of every method}
   * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-6 | RFC 6749 section 6}
   */
  async refresh<Granted extends Scope = Requested>(
    token: string | TokenObj<Granted>,
    options?: RefreshOptions | null,
  ): Promise<TokenObj<Granted>> {
    return await this.#client.refresh(token, options);
  }

  /** See `PacedTokenApi`. Only a `TokenSource` calls it. */
  private async [takeRefreshSlot](token: TokenObj, latest: number): Promise<Claim | null> {
    return await this.#client[takeRefreshSlot](token, latest);
  }

  /**
   * Revokes a token. **On this platform, this revokes all tokens of the application for this user, on all devices.** For a logout
   * in one browser, only delete the token of that browser.
   *
   * Revoking an unknown or expired token succeeds. After a `NetworkError` it is safe to call this method again.
   *
   * @param token The whole token, its `access_token` or its `refresh_token`. If a whole token has a refresh token, the refresh token is
   * sent.
   * @param options A `signal` to abort the call.
   * @throws {TypeError} If the token is wrong.
   * @throws The {@link PlatformApi | errors of every method}
   * @see {@link https://www.rfc-editor.org/rfc/rfc7009#section-2.1 | RFC 7009 section 2.1},
   * {@link https://docs.discord.com/developers/topics/oauth2#authorization-code-grant-token-revocation-example | Discord: Token Revocation}
   */
  async revoke(token: string | TokenObj, options?: CallOptions | null): Promise<void> {
    await this.#client.revoke(token, options);
  }

  /**
   * Requests a token for the owner of the application, without a login: for tests, and to manage the application's own commands.
   * The token does not have a refresh token; {@link ClientCredentials} requests a new one when needed.
   *
   * @example
   * ```ts
   * import { PlatformApi } from "@guildpass/sdk";
   * import {
   *   createFakePlatform,
   *   sampleApplication,
   * } from "@guildpass/sdk/testing";
   *
   * const { id, secret } = sampleApplication;
   * const api = new PlatformApi(
   *   id,
   *   secret,
   *   ["identify"],
   *   null,
   *   createFakePlatform(),
   * );
   * const token = await api.clientCredentials([
   *   "applications.commands.update",
   * ]);
   * token.refresh_token; // null
   * ```
   *
   * @param scope The scopes. A team's application can only get `identify` and `applications.commands.update`.
   * @param options A `signal` to abort the call.
   * @throws {TypeError} If the scope is wrong, or the application is a public client, which does not have credentials.
   * @throws The {@link PlatformApi | errors of every method}
   * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-4.4 | RFC 6749 section 4.4},
   * {@link https://docs.discord.com/developers/topics/oauth2#client-credentials-grant | Discord: Client Credentials Grant}
   */
  async clientCredentials<const Own extends Scope>(
    scope: readonly SpelledScope<Own>[] & readonly Scope[],
    options?: CallOptions | null,
  ): Promise<TokenObj<Own>> {
    checkCallOptions(options);
    const text = checkedScope(scope);
    if (this.#client.isPublic) {
      throw new TypeError(
        "clientCredentials() needs a clientSecret: a public client has no credentials",
      );
    }
    const form = { grant_type: "client_credentials", scope: text };
    return await this.#client.requestToken(form, text, { signal: options?.signal });
  }

  /**
   * Starts a login on a device without a browser, such as a console or a terminal: the device shows a code, and the user enters
   * the code on another device.
   *
   * @example
   * ```ts
   * import { PlatformApi } from "@guildpass/sdk";
   * import {
   *   createFakePlatform,
   *   sampleApplication,
   * } from "@guildpass/sdk/testing";
   *
   * const fake = createFakePlatform();
   * const { id, secret } = sampleApplication;
   * const api = new PlatformApi(id, secret, ["identify"], null, fake);
   *
   * const login = await api.startDeviceLogin();
   * const message =
   *   `Open ${login.verificationUri} and type in ${login.userCode}`;
   * await fake.authorizeDevice(login.userCode); // what the user does
   *
   * // Asks every few seconds, until the user has decided.
   * const logIn = async () => await login.token();
   * ```
   *
   * @param options A `signal` to abort the call.
   * @throws {OAuthError} `invalid_scope` for scopes that need a guild and for `role_connections.write`, and `unauthorized_client` if
   * the device login is not enabled for the application.
   * @throws {PayloadError} If a successful response has no readable `device_code`, `user_code` or `verification_uri`.
   * @throws The {@link PlatformApi | errors of every method}
   * @see {@link https://www.rfc-editor.org/rfc/rfc8628#section-3.1 | RFC 8628 section 3.1},
   * {@link https://docs.discord.com/developers/discord-social-sdk/development-guides/account-linking-on-consoles | Discord: Account Linking on Consoles}
   */
  async startDeviceLogin(options?: CallOptions | null): Promise<DeviceLogin<Requested>> {
    checkCallOptions(options);
    const client = this.#client;
    const path = "/oauth2/device/authorize";
    const payload = await client.post(path, { scope: client.scope }, { signal: options?.signal });
    const authorization = readPayload(deviceAuthorizationSchema, payload, client.reportOf(path));
    const { device_code, user_code } = authorization;
    const form = { grant_type: "urn:ietf:params:oauth:grant-type:device_code", device_code };
    const more = { otherSecrets: [user_code], oauthHint: deviceHint };
    return createDeviceLogin(authorization, () => client.requestToken(form, client.scope, more));
  }
}
