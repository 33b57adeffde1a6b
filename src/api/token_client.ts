/**
 * The token requests that every login needs: exchange, refresh and revocation. `PlatformApi` has more, and documents them.
 *
 * @module
 */

import {
  checkedRedirectUri,
  checkSecret,
  checkSetting,
  checkSnowflake,
} from "../core/arguments.ts";
import { deadlineIn } from "../core/wait.ts";
import { oauthHint } from "../core/errors.ts";
import { codeForm } from "../links/parse_callback.ts";
import { checkPkceValue, scopeWithoutPkce, usesPkce } from "../links/pkce.ts";
import { checkScopeSpelling, joinScopes, type Scope } from "../links/scopes.ts";
import type { Claim } from "../http/limits/claim.ts";
import {
  type CallOptions,
  checkCallOptions,
  checkClientOptionNames,
  type CheckedOptions,
  checkOptions,
  checkTimeout,
  type ClientOptions,
  createReport,
  type NamesOf,
} from "../http/options.ts";
import type { HttpRequest } from "../http/request.ts";
import { requestJson } from "../http/send.ts";
import { edgeBlock, throwIfBlocked } from "../http/limits/pause.ts";
import { paceOf, platformState } from "../http/limits/platform_state.ts";
import { takeSlot, tokenEndpoint, tokenPath } from "../http/limits/token_pace.ts";
import type { Report } from "../resources/reading.ts";
import { type TokenObj, toToken } from "../resources/token.ts";
import { clientHint, codeHint, refreshErrorOf, refreshHint } from "../tokens/token_hints.ts";
import { type RefreshOptions, takeRefreshSlot } from "../tokens/token_api.ts";
import { isTokenObj } from "./access_token.ts";

/** Options of `PlatformApi.accessToken`. */
export interface AccessTokenOptions extends CallOptions {
  /** The PKCE verifier of the login (RFC 7636 section 4.5). A public client must pass it. */
  readonly codeVerifier?: string | null | undefined;
}

const codeOptions: NamesOf<AccessTokenOptions, CallOptions> = { codeVerifier: true };

const refreshOptions: NamesOf<RefreshOptions, CallOptions> = { timeout: true, onIssued: true };

/** The exchange of a code. The parameters are checked. */
export interface CodeExchange {
  readonly code: string;
  /** `null` without PKCE. */
  readonly codeVerifier: string | null;
  /** The redirect URI of the authorization URL; `null` without one. */
  readonly redirectUri: string | null;
  /** The scopes of the authorization URL, separated by spaces. */
  readonly scope: string;
  /** True if a visitor has chosen the code or the redirect URI, and may have caused a block by the edge. */
  readonly isShapedByCaller: boolean;
  readonly signal?: AbortSignal | null | undefined;
}

/** Requests, refreshes and revokes the tokens of an application. */
export class TokenClient {
  /** The time limit of one call, in milliseconds. */
  readonly timeout: number;
  /** True if the application has no secret. */
  readonly isPublic: boolean;
  /** The scopes of the application, separated by spaces. */
  readonly scope: string;
  readonly #clientId: string;
  /** The Basic credentials; `null` for a public client. */
  readonly #credentials: string | null;
  readonly #redirectUri: string | null;
  readonly #options: CheckedOptions;
  readonly #onUnexpected: ClientOptions["onUnexpected"];

  /** @throws {TypeError} If an argument is wrong. */
  constructor(
    clientId: string,
    clientSecret: string | null,
    scope: readonly Scope[],
    redirectUri: string | URL | null,
    options?: ClientOptions | null,
  ) {
    this.scope = checkApplication(clientId, clientSecret, scope);
    this.#clientId = clientId;
    this.isPublic = clientSecret === null;
    this.#credentials = clientSecret === null ? null : basicCredentials(clientId, clientSecret);
    checkSetting("redirectUri", redirectUri);
    this.#redirectUri = redirectUri === null ? null : checkedRedirectUri(redirectUri);
    const checked = checkOptions(options ?? {});
    checkClientOptionNames(options);
    this.timeout = checked.timeout;
    this.#options = checked;
    this.#onUnexpected = options?.onUnexpected;
  }

  /** See `PlatformApi.accessToken`. */
  async accessToken(code: string, options?: AccessTokenOptions | null): Promise<TokenObj> {
    // An application may pass all that it kept of the login.
    checkCallOptions(options, codeOptions, ["state", "nonce"]);
    const { codeVerifier, signal } = options ?? {};
    checkSecret("code", code);
    if (/(^|[?&])code=/.test(code)) {
      throw new TypeError(
        "code must be the code alone, not the callback's URL: use parseCallback()",
      );
    }
    if (codeVerifier != null || this.isPublic) checkPkceValue("codeVerifier", codeVerifier);
    return await this.exchange({
      code,
      codeVerifier: codeVerifier ?? null,
      redirectUri: this.#redirectUri,
      scope: this.scope,
      isShapedByCaller: !codeForm.test(code),
      signal,
    });
  }

  /** Exchanges the code of one authorization URL. */
  async exchange(
    { code, codeVerifier, redirectUri, scope, isShapedByCaller, signal }: CodeExchange,
  ): Promise<TokenObj> {
    const form = {
      grant_type: "authorization_code",
      ...(redirectUri !== null && { redirect_uri: redirectUri }),
      code,
      ...(codeVerifier !== null && { code_verifier: codeVerifier }),
    };
    return await this.requestToken(form, scope, {
      signal,
      usesUpCode: true,
      isShapedByCaller,
      lostHint: "The code may be used up; start a new login",
      oauthHint: (error, description) => codeHint(error, description, redirectUri),
    });
  }

  /** See `PlatformApi.refresh`. */
  async refresh(token: string | TokenObj, options?: RefreshOptions | null): Promise<TokenObj> {
    checkCallOptions(options, refreshOptions);
    const { signal, timeout, onIssued } = options ?? {};
    if (timeout != null) checkTimeout(timeout);
    const { refreshToken, scope } = readRefreshToken(token);
    const form = { grant_type: "refresh_token", refresh_token: refreshToken };
    return await this.requestToken(form, scope ?? this.scope, {
      signal,
      deadline: deadlineIn(timeout ?? this.timeout),
      onIssued,
      lostHint:
        "The refresh token may be used up: use the access token until it expires, try once more, then start a new login",
      oauthErrorOf: refreshErrorOf,
      oauthHint: refreshHint,
    }, refreshToken);
  }

  /** See `PacedTokenApi`. */
  async [takeRefreshSlot](token: TokenObj, latest: number): Promise<Claim | null> {
    const { refreshToken } = readRefreshToken(token);
    const call = { requestLine: `POST ${this.#options.apiUrl}${tokenPath}`, signal: null };
    const platform = platformState(this.#options);
    throwIfBlocked(platform, call);
    return await takeSlot(paceOf(platform, this.#clientId), refreshToken, call, latest);
  }

  /** See `PlatformApi.revoke`. */
  async revoke(token: string | TokenObj, options?: CallOptions | null): Promise<void> {
    checkCallOptions(options);
    await this.post("/oauth2/token/revoke", revocationForm(token), {
      signal: options?.signal,
      lostHint: "The token may not be revoked yet; try again",
      mayBeEmpty: true,
    });
  }

  /**
   * Requests a token of any grant.
   *
   * @param refreshToken The refresh token to keep if the response does not have a new one.
   */
  async requestToken(
    form: Readonly<Record<string, string>>,
    requestedScope: string,
    more: RequestDetails,
    refreshToken: string | null = null,
  ): Promise<TokenObj> {
    const payload = await this.post(tokenPath, form, {
      ...more,
      onIssued: more.onIssued ?? (() => {}),
    });
    const report = this.reportOf(tokenPath);
    return toToken(payload, requestedScope, this.#options.cdnUrl, report, refreshToken);
  }

  /** Sends a form, with the credentials of the application. */
  async post(
    path: string,
    form: Readonly<Record<string, string>>,
    { oauthHint: hintOf, ...more }: RequestDetails,
  ): Promise<unknown> {
    const request: HttpRequest = {
      method: "POST",
      path,
      authorization: this.isPublic ? undefined : `Basic ${this.#credentials}`,
      form: { ...form, ...(this.isPublic && { client_id: this.#clientId }) },
      oauthHint: (error, description) =>
        clientHint(error, this.isPublic) ?? hintOf?.(error, description) ?? oauthHint(error),
      ...more,
    };
    const platform = platformState(this.#options);
    // Revocations are sent during a pause too. Otherwise the token would stay valid.
    const limits = path === tokenPath
      ? [tokenEndpoint(paceOf(platform, this.#clientId)), edgeBlock]
      : [edgeBlock];
    return await requestJson(request, this.#options, platform, limits);
  }

  /** Returns the report of unexpected values in the responses of a path. */
  reportOf(path: string): Report {
    return createReport(this.#onUnexpected, { method: "POST", path });
  }
}

/** The part of a request that differs between operations. */
export type RequestDetails = Omit<HttpRequest, "method" | "path" | "form" | "authorization">;

/** Returns the Base64 of the client id and the form-encoded secret (RFC 6749 section 2.3.1). */
function basicCredentials(clientId: string, clientSecret: string): string {
  const encoded = new URLSearchParams([["", clientSecret]]).toString().slice(1);
  return btoa(`${clientId}:${encoded}`);
}

/**
 * Reads the token argument of `refresh()`.
 *
 * @returns The refresh token, and the scopes of the whole token, or `null` if the scopes are not known.
 * @throws {TypeError} If the value is not a token, or does not have a refresh token.
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
      "token has no refresh_token (the implicit and client credentials grants issue none): start a new login",
    );
  }
  checkSecret("token.refresh_token", refresh_token);
  return { refreshToken: refresh_token, scope: scope || null };
}

/**
 * Returns the form that revokes a token. It has the refresh token if there is one, since a refresh token lives longer (RFC 7009
 * section 2.1).
 *
 * @throws {TypeError} If the value is not a token.
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

/**
 * Checks the application of a client.
 *
 * @param clientSecret `null` for a public client.
 * @returns The scopes, separated by spaces.
 * @throws {TypeError} If an argument is wrong, or a public client can't ask for one of the scopes.
 */
export function checkApplication(
  clientId: string,
  clientSecret: string | null,
  scope: readonly Scope[],
): string {
  checkSetting("clientId", clientId);
  checkSnowflake("clientId", clientId);
  if (clientSecret !== null) checkSecret("clientSecret", clientSecret);
  const text = checkedScope(scope);
  if (clientSecret === null && !usesPkce(scope)) {
    throw new TypeError(
      `scope has "${scopeWithoutPkce}", which needs a clientSecret: the platform refuses it with PKCE, which a public client needs`,
    );
  }
  return text;
}

/** Joins scopes in Discord's spelling. @throws {TypeError} If a scope is wrong. */
export function checkedScope(scope: readonly Scope[]): string {
  const text = joinScopes(scope);
  checkScopeSpelling(scope);
  return text;
}
