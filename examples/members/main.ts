/**
 * Starts the page for members on a fake platform, without an account. With `DISCORD_CLIENT_ID`, `DISCORD_CLIENT_SECRET`, `GUILD_ID` and
 * `LOGIN_SECRET` in the environment, it runs on Discord.
 *
 * @module
 */

import { env } from "node:process";
import { MemoryStore } from "@guildpass/sdk";
import { createFakePlatform, sampleApplication, sampleGuilds } from "@guildpass/sdk/testing";
import { choosePort } from "../shared/port.ts";
import { createApp } from "./app.ts";

const port = choosePort(8791);
const origin = `http://localhost:${port}`;
const fake = env.DISCORD_CLIENT_ID ? null : createFakePlatform({ origin });
const read = (name: string, sample: string) => fake ? sample : env[name] ?? "";
const respond = createApp({
  clientId: read("DISCORD_CLIENT_ID", sampleApplication.id),
  clientSecret: read("DISCORD_CLIENT_SECRET", sampleApplication.secret),
  secret: read("LOGIN_SECRET", crypto.randomUUID()),
  guildId: read("GUILD_ID", sampleGuilds[0].id),
  redirectUri: `${origin}/callback`,
  store: new MemoryStore(),
  client: fake ? { platform: fake.platform, fetch: fake.fetch } : {},
});

const onListen = () => console.log(`Open ${origin}`);
Deno.serve({ hostname: "127.0.0.1", port, onListen }, (request) => {
  // The pages of the fake platform are beside those of the application. An invalid Host header leaves no path.
  const path = URL.parse(request.url)?.pathname ?? "";
  return fake && /^\/(oauth2|api|cdn)\//.test(path) ? fake.handler(request) : respond(request);
});
