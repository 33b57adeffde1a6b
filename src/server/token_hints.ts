/**
 * What to do about a refusal by the token endpoint.
 *
 * @module
 */

/** What was sent with a token request, as far as a hint may show it. */
export interface SentWithTokenRequest {
  readonly redirectUri: string;
  readonly isPublicClient: boolean;
}

/**
 * The hint for a refused token request; `undefined` where there is nothing better to say than `OAuthError` does.
 *
 * The platform answers a wrong parameter with `invalid_grant` or with `invalid_request`, so the description counts too: it
 * names the parameter, as in `Invalid "code" in request.`
 */
export function tokenHint(
  error: string,
  description: string,
  { redirectUri, isPublicClient }: SentWithTokenRequest,
): string | undefined {
  if (error === "invalid_client" && isPublicClient) {
    return "Without a client secret the application must be a public client: switch that on in the Developer Portal under " +
      "OAuth2, or pass the clientSecret";
  }
  if (error !== "invalid_grant" && error !== "invalid_request") return undefined;

  const sent = withoutSecrets(redirectUri);
  if (/redirect.?uri/i.test(description)) {
    return `redirectUri must be the one in the link, to the letter; sent was ${sent}`;
  }
  if (/code.?(verifier|challenge)|pkce/i.test(description)) {
    return "codeVerifier must be the one that the link was made with; start a new login";
  }
  if (/refresh.?token/i.test(description)) {
    return "A refresh token works once, until it expires or the person revokes the access; start a new login";
  }
  if (error === "invalid_request" && !/\bcode\b/i.test(description)) return undefined;
  return "A code works once, for about 100 seconds, with the codeVerifier of its login and with the redirectUri of its " +
    `link, to the letter; sent was ${sent}; start a new login`;
}

/**
 * Scheme, host and path of a URL as they were written: a query, a fragment and a password may be secrets.
 *
 * Apart from the one in `arguments.ts`, which shows what may be no URL at all and so has it parsed: that changes case, port and
 * final slash, and here each letter counts.
 */
function withoutSecrets(url: string): string {
  return url.replace(/[?#].*$/, "").replace(/^([a-z][\w+.-]*:[/\\]*)[^/\\]*@/i, "$1");
}
