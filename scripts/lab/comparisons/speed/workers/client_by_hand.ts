/**
 * The part of a Worker written by hand that speaks with the platform.
 *
 * @module
 */

import { type Client, toBase64Url } from "./by_hand.ts";
import { application, platform } from "./platform.ts";
import { readUser, requestJson, type Send } from "./requests_by_hand.ts";

const { clientId, clientSecret, redirectUri, scope } = application;

/** Creates the client, which sends its requests with the given function. */
export function createClient(send: Send): Client {
  return {
    async link(state, codeVerifier) {
      const bytes = new TextEncoder().encode(codeVerifier);
      const digest = await crypto.subtle.digest("SHA-256", bytes);
      const query = new URLSearchParams({
        response_type: "code",
        client_id: clientId,
        scope: scope.join(" "),
        state,
        redirect_uri: redirectUri,
        code_challenge: toBase64Url(new Uint8Array(digest)),
        code_challenge_method: "S256",
      });
      return `${platform.authorizeUrl}?${query}`;
    },
    async exchange(code, codeVerifier) {
      const token = await requestJson(send, `${platform.apiUrl}/oauth2/token`, {
        method: "POST",
        headers: {
          authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
          accept: "application/json",
        },
        body: new URLSearchParams({
          grant_type: "authorization_code",
          code,
          redirect_uri: redirectUri,
          code_verifier: codeVerifier,
        }),
      });
      const { access_token: accessToken, token_type: type, expires_in: expiresIn } = token;
      if (typeof accessToken !== "string" || String(type).toLowerCase() !== "bearer") {
        throw new Error("The answer has no token");
      }
      return { accessToken, expiresIn: typeof expiresIn === "number" ? expiresIn : 604_800 };
    },
    readUser: (accessToken) => readUser(send, accessToken),
  };
}
