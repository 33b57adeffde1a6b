/**
 * Measures two requests of each library: reading the current user and exchanging a code. The answer comes from an injected
 * `fetch`, to measure the library alone, or over HTTP from another process.
 *
 * @module
 */

import ky from "ky";
import * as oauth from "oauth4webapi";
import { PlatformApi, User } from "../../../../mod.ts";
import { answer } from "./answers.ts";
import type { Contests } from "./compare.ts";
import { token } from "./payloads.ts";

const id = "1024000000000000000";
const secret = "Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4";
const redirectUri = "https://app.example/callback";
const code = "NhhvTDYsFcdgNLnnLijcl7Ku7bEEeee";
const userAgent = "DiscordBot (https://example.com, 1.0.0)";

/** Returns the contenders for both requests, with responses at once. */
export function requestsInProcess(): Contests {
  return requests(answerInProcess, "https://discord.com/api/v10");
}

/** Returns the contenders for both requests. Ratios are relative to ky alone. */
export function requests(
  fetch: typeof globalThis.fetch,
  apiUrl: string,
): Contests {
  const platform = {
    authorizeUrl: "https://discord.com/oauth2/authorize",
    apiUrl,
    cdnUrl: "https://cdn.discordapp.com",
  };
  const user = new User(token.access_token, { fetch, platform });
  const api = new PlatformApi(id, secret, ["identify", "guilds"], redirectUri, {
    fetch,
    platform,
  });

  const server: oauth.AuthorizationServer = {
    issuer: "https://discord.com",
    token_endpoint: `${apiUrl}/oauth2/token`,
  };
  const client: oauth.Client = { client_id: id };
  const callback = oauth.validateAuthResponse(
    server,
    client,
    new URLSearchParams({ code }),
  );
  const kyOptions = { fetch, timeout: false, totalTimeout: 10_000 } as const;
  const options = {
    [oauth.customFetch]: (url: string, init: object) => fetch(url, init),
    [oauth.allowInsecureRequests]: true,
  };

  return {
    getCurrentUser: {
      "ky, on which it stands": () =>
        ky(`${apiUrl}/users/@me`, {
          headers: {
            authorization: `Bearer ${token.access_token}`,
            "user-agent": userAgent,
          },
          ...kyOptions,
        }).json(),
      "fetch + json()": async () => {
        const response = await fetch(`${apiUrl}/users/@me`, {
          headers: {
            authorization: `Bearer ${token.access_token}`,
            "user-agent": userAgent,
          },
        });
        return await response.json();
      },
      "@guildpass/sdk": () => user.getCurrentUser(),
      "oauth4webapi": async () => {
        const url = new URL(`${apiUrl}/users/@me`);
        const headers = new Headers({ "user-agent": userAgent });
        const response = await oauth.protectedResourceRequest(
          token.access_token,
          "GET",
          url,
          headers,
          null,
          options,
        );
        return await response.json();
      },
    },
    accessToken: {
      "ky, on which it stands": () =>
        ky.post(`${apiUrl}/oauth2/token`, {
          headers: {
            authorization: `Basic ${btoa(`${id}:${secret}`)}`,
            "user-agent": userAgent,
          },
          body: newForm(),
          ...kyOptions,
        }).json(),
      "fetch + json()": async () => {
        const response = await fetch(`${apiUrl}/oauth2/token`, {
          method: "POST",
          headers: {
            authorization: `Basic ${btoa(`${id}:${secret}`)}`,
            "user-agent": userAgent,
          },
          body: newForm(),
        });
        return await response.json();
      },
      "@guildpass/sdk": () => api.accessToken(code),
      "oauth4webapi": async () => {
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          oauth.ClientSecretBasic(secret),
          callback,
          redirectUri,
          oauth.nopkce,
          options,
        );
        return await oauth.processAuthorizationCodeResponse(
          server,
          client,
          response,
        );
      },
    },
  };
}

/** Creates the form of a token request. */
function newForm(): URLSearchParams {
  return new URLSearchParams({
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
  });
}

/** Responds at once, in this process. */
export const answerInProcess = (
  input: RequestInfo | URL,
): Promise<Response> => {
  const url = input instanceof Request ? input.url : String(input);
  return Promise.resolve(answer(new URL(url).pathname.replace("/api/v10", "")));
};
