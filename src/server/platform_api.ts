/**
 * The token endpoint: exchanges an authorization code for an access token.
 *
 * @module
 */

import { checkSecret, checkSnowflake, redirectUriText, refuse } from "../arguments.ts";
import { checkCodeVerifier } from "../links/pkce.ts";
import { checkedBases, discord } from "../links/platform.ts";
import { checkSpelling, type Scope, scopeText } from "../links/scopes.ts";
import { createHttp, type Http } from "./http/http.ts";
import type { CallOptions, ClientOptions } from "./http/options.ts";
import { createReport } from "./report.ts";
import type { Report } from "./resources/reading.ts";
import { type TokenObj, toToken } from "./resources/token.ts";
import { tokenHint } from "./token_hints.ts";

/** Options of {@link PlatformApi.accessToken}. */
export interface AccessTokenOptions extends CallOptions {
  /** The PKCE verifier of the login (RFC 7636 section 4.5); a public client must have one. */
  readonly codeVerifier?: string | null | undefined;
}

/**
 * Your application at the token endpoint. For servers: it holds the client secret, where no log and no `JSON.stringify`
 * shows it.
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
 * const token = await new PlatformApi(id, secret, ["identify"], redirectUri, fake).accessToken(code);
 * token.scopes; // ["identify"]
 * ```
 *
 * @typeParam Asked The scopes that the link asks for. The compiler then knows what a token of this application can be used for.
 */
// deno-lint-ignore no-explicit-any -- as for TokenObj
export class PlatformApi<const Asked extends Scope = any> {
  readonly #clientId: string;
  /** The Basic credentials; `null` for a public client. */
  readonly #credentials: string | null;
  readonly #scope: string;
  readonly #redirectUri: string;
  readonly #cdnUrl: string;
  readonly #http: Http;
  readonly #report: Report;

  /**
   * Takes what belongs to the application.
   *
   * @param clientId The application's client id.
   * @param clientSecret Its secret; `null` for a public client, which proves itself by PKCE alone.
   * @param scope What the authorize link asked for; what is granted when the platform does not say (RFC 6749 section 5.1).
   * @param redirectUri The redirect URI of the authorize link, exactly.
   * @throws {TypeError} When an argument is wrong, with its name. The secret is never shown.
   */
  constructor(
    clientId: string,
    clientSecret: string | null,
    scope: readonly Asked[],
    redirectUri: string | URL,
    options?: ClientOptions | null,
  ) {
    checkSnowflake("clientId", clientId);
    this.#clientId = clientId;
    this.#credentials = clientSecret === null ? null : basicCredentials(clientId, clientSecret);
    this.#scope = scopeText(scope);
    checkSpelling(scope);
    this.#redirectUri = redirectUriText(redirectUri);
    this.#cdnUrl = checkedBases(options?.platform ?? discord).cdnUrl;
    this.#http = createHttp(options ?? {});
    this.#report = createReport(options?.onUnexpected, { method: "POST", path: tokenPath });
  }

  /**
   * Exchanges the code of a callback for an access token. The request is sent exactly once: a code is single-use, and a
   * repetition would end the login. Below this library, a runtime may send it again after 421 Misdirected Request, which
   * says that it was not processed (RFC 9110 section 15.5.20), and a browser may when a kept-open connection breaks.
   *
   * @param code The code from `parseCallback`.
   * @throws {TypeError} When the code or the verifier is wrong, or a public client has no verifier.
   * @throws {OAuthError} When the platform refuses, for example `invalid_grant` (400) for a used or old code and
   * `invalid_client` (401) for a wrong secret.
   * @throws {RateLimitError} On 429.
   * @throws {ApiError} On any other answer that is not a success.
   * @throws {PayloadError} When a success has no readable `access_token` or `token_type`. Everything else that is missing or can't
   * be read is `null`: a token that was issued is not lost to a detail. {@link PayloadTooLargeError} when the answer is longer
   * than `maxBytes`.
   * @throws {NetworkError} When no whole answer came; {@link TimeoutError} when not within `timeout`.
   * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3 | RFC 6749 section 4.1.3}
   */
  async accessToken(
    code: string,
    options?: AccessTokenOptions | null,
  ): Promise<TokenObj<Asked>> {
    if (options != null && typeof options !== "object") {
      refuse("options", "an object, as in { codeVerifier }", options);
    }
    const { codeVerifier, signal } = options ?? {};
    const isPublicClient = this.#credentials === null;
    checkSecret("code", code);
    if (codeVerifier != null || isPublicClient) checkCodeVerifier(codeVerifier);
    const payload = await this.#http({
      path: tokenPath,
      authorization: isPublicClient ? undefined : `Basic ${this.#credentials}`,
      form: {
        grant_type: "authorization_code",
        redirect_uri: this.#redirectUri,
        code,
        ...(codeVerifier && { code_verifier: codeVerifier }),
        ...(isPublicClient && { client_id: this.#clientId }),
      },
      signal,
      oauthHint: (error, description) =>
        tokenHint(error, description, { redirectUri: this.#redirectUri, isPublicClient }),
    });
    return toToken(payload, this.#scope, this.#cdnUrl, this.#report);
  }
}

const tokenPath = "/oauth2/token";

/** Client id and secret are form-encoded before they are joined: RFC 6749 section 2.3.1. */
function basicCredentials(clientId: string, clientSecret: string): string {
  checkSecret("clientSecret", clientSecret);
  const encoded = new URLSearchParams([["", clientSecret]]).toString().slice(1);
  return btoa(`${clientId}:${encoded}`);
}
