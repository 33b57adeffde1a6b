/**
 * Measures links: an authorize link for a login, with and without PKCE, and bot links.
 *
 * Objects of the application are created once, before the measurement. Every run builds the link of another login,
 * because a compiler computes a constant one in advance, and reads it, because an engine joins a string only when it is
 * read. All contenders run in an asynchronous function, as the handler of a login does.
 *
 * @module
 */

import { OAuth2Client } from "@badgateway/oauth2-client";
import { calculateBits, createOAuth2Link } from "@discordeno/utils";
import { Discord } from "arctic";
import * as openid from "openid-client";
import { AuthUrl, Bot } from "../../../../src/links/mod.ts";
import type { Run } from "./compare.ts";

const id = "1024000000000000000";
const redirectUri = "https://app.example/callback";
const authorizationEndpoint = "https://discord.com/oauth2/authorize";

const states = Array.from(
  { length: 16 },
  (_, i) => `Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyY${i + 10}`,
);
const codeVerifiers = states.map((state) => state + state);
const guildIds = states.map((_, i) => String(41771983423143937n + BigInt(i)));
const names = [
  ["view_channel", "send_messages", "embed_links", "attach_files"],
  ["kick_members", "ban_members", "manage_nicknames", "moderate_members"],
] as const;
const values = [52224n, 1099645845510n];
const discordenoNames = names.map((list) =>
  list.map((name) => name.toUpperCase() as "VIEW_CHANNEL")
);

const next = (() => {
  let turn = 0;
  return <Value>(choices: readonly Value[]): Value => choices[turn++ % choices.length] as Value;
})();

const authUrl = new AuthUrl(id, ["identify", "guilds"], redirectUri);
const bot = new Bot(id, [
  "view_channel",
  "send_messages",
  "embed_links",
  "attach_files",
]);
const arctic = new Discord(id, "secret", redirectUri);
const badgateway = new OAuth2Client({
  clientId: id,
  server: "https://discord.com",
  authorizationEndpoint,
});
const openidConfiguration = new openid.Configuration(
  {
    issuer: "https://discord.com",
    authorization_endpoint: authorizationEndpoint,
  },
  id,
);

/** The contenders for every link. */
export const links: Record<string, Record<string, Run>> = {
  "an authorize link, with state": readers({
    "@guildpass/sdk": () => authUrl.makeUrl({ state: next(states) }),
    "URLSearchParams, by hand": () =>
      `${authorizationEndpoint}?${new URLSearchParams({
        response_type: "code",
        client_id: id,
        scope: "identify guilds",
        state: next(states),
        redirect_uri: redirectUri,
      })}`,
    "@discordeno/utils": () =>
      createOAuth2Link(discordeno({
        responseType: "code",
        clientId: id,
        scope: ["identify", "guilds"],
        state: next(states),
        redirectUri,
      })),
    "arctic": () =>
      arctic.createAuthorizationURL(next(states), null, ["identify", "guilds"])
        .href,
    "@badgateway/oauth2-client": () =>
      badgateway.authorizationCode.getAuthorizeUri({
        redirectUri,
        state: next(states),
        scope: ["identify", "guilds"],
      }),
    "openid-client": () =>
      openid.buildAuthorizationUrl(openidConfiguration, {
        redirect_uri: redirectUri,
        scope: "identify guilds",
        state: next(states),
      }).href,
  }),
  "an authorize link, with state and PKCE": readers({
    "@guildpass/sdk": () =>
      authUrl.makeUrl({
        state: next(states),
        codeVerifier: next(codeVerifiers),
      }),
    "arctic": () => {
      const scopes = ["identify", "guilds"];
      return arctic.createAuthorizationURL(
        next(states),
        next(codeVerifiers),
        scopes,
      ).href;
    },
    "@badgateway/oauth2-client": () =>
      badgateway.authorizationCode.getAuthorizeUri({
        redirectUri,
        state: next(states),
        codeVerifier: next(codeVerifiers),
        scope: ["identify", "guilds"],
      }),
    "openid-client": async () =>
      openid.buildAuthorizationUrl(openidConfiguration, {
        redirect_uri: redirectUri,
        scope: "identify guilds",
        state: next(states),
        code_challenge: await openid.calculatePKCECodeChallenge(
          next(codeVerifiers),
        ),
        code_challenge_method: "S256",
      }).href,
  }),
  "a bot link for a guild": readers({
    "@guildpass/sdk": () => bot.url({ guildId: next(guildIds) }),
    "URLSearchParams, by hand": () =>
      `${authorizationEndpoint}?${new URLSearchParams({
        client_id: id,
        scope: "bot",
        permissions: "52224",
        guild_id: next(guildIds),
      })}`,
    "@discordeno/utils": () =>
      createOAuth2Link(discordeno({
        clientId: id,
        scope: ["bot"],
        permissions: "52224",
        guildId: next(guildIds),
      })),
  }),
  "a bot link from nothing": readers({
    "@guildpass/sdk": () => new Bot(id, next(names)).href,
    "URLSearchParams, by hand": () =>
      `${authorizationEndpoint}?${new URLSearchParams({
        client_id: id,
        scope: "bot",
        permissions: String(next(values)),
      })}`,
    "@discordeno/utils": () =>
      createOAuth2Link(discordeno({
        clientId: id,
        scope: ["bot"],
        permissions: calculateBits(next(discordenoNames)),
      })),
  }),
};

/** Returns contenders that also read the link they build. */
function readers(
  builders: Readonly<Record<string, () => string | Promise<string>>>,
): Record<string, Run> {
  return Object.fromEntries(
    Object.entries(builders).map((
      [name, build],
    ) => [name, async () => read(await build())]),
  );
}

function read(url: string): number {
  return url.charCodeAt(url.length - 1);
}

/** Casts the options: the types of discordeno require enumerations of an internal package. */
function discordeno(
  options: Record<string, unknown>,
): Parameters<typeof createOAuth2Link>[0] {
  return options as unknown as Parameters<typeof createOAuth2Link>[0];
}
