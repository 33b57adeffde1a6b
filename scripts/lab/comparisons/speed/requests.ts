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

/** The ratios to ky that `getCurrentUser` should not exceed. */
export const requestGoals =
  "Goals of getCurrentUser: with one User 1.2 in Node and 1.6 in Deno; with a User and token for each call, as a server has " +
  "them, 1.5 and 1.85.";

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
  const nextToken = tokensOfPeople();
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
  const requestUser = () =>
    ky(`${apiUrl}/users/@me`, {
      headers: { authorization: `Bearer ${token.access_token}`, "user-agent": userAgent },
      ...kyOptions,
    });
  const options = {
    [oauth.customFetch]: (url: string, init: object) => fetch(url, init),
    [oauth.allowInsecureRequests]: true,
  };

  return {
    getCurrentUser: {
      "ky + json()": () => requestUser().json(),
      "ky, its body read by hand": async () => JSON.parse(await readBody(await requestUser())),
      "fetch + json()": async () => {
        const response = await fetch(`${apiUrl}/users/@me`, {
          headers: {
            authorization: `Bearer ${token.access_token}`,
            "user-agent": userAgent,
          },
        });
        return await response.json();
      },
      "@guildpass/sdk, one User": () => user.getCurrentUser(),
      "@guildpass/sdk, a User and token for each call": () =>
        new User(nextToken(), { fetch, platform }).getCurrentUser(),
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
      "ky + json()": () =>
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

/** Returns a function that returns the tokens of 10,000 people in turn. A server has them from JSON, too. */
function tokensOfPeople(): () => string {
  const tokens: string[] = JSON.parse(JSON.stringify(Array.from(
    { length: 10_000 },
    (_, number) => token.access_token.slice(0, -5) + String(number).padStart(5, "0"),
  )));
  let next = 0;
  return () => tokens[next++ % tokens.length] ?? "";
}

/** Reads a body as text, piece by piece. */
async function readBody({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of body ?? []) text += decoder.decode(piece, { stream: true });
  return text + decoder.decode();
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
