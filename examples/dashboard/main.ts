/**
 * Starts the dashboard on a fake platform, without an account. With `DISCORD_CLIENT_ID`, `DISCORD_CLIENT_SECRET`,
 * `DISCORD_BOT_TOKEN`, `DISCORD_PUBLIC_KEY` and `LOGIN_SECRET` in the environment, it runs on Discord. @module
 */

import { env } from "node:process";
import { createFakePlatform, sampleApplication } from "@guildpass/sdk/testing";
import { choosePort } from "../shared/port.ts";
import { createDashboard } from "./app.ts";
import { errorPage } from "./errors.ts";
import { registerNumber } from "./linked_roles.ts";
import type { Settings } from "./login.ts";

const port = choosePort(8789);
const origin = `http://localhost:${port}`;
const fake = env.DISCORD_CLIENT_ID ? null : createFakePlatform({
  origin,
  applications: [{ ...sampleApplication, webhookEvents: `${origin}/webhook-events` }],
});
const read = (name: string, sample: string) => fake ? sample : env[name] ?? "";
const settings: Settings = {
  clientId: read("DISCORD_CLIENT_ID", sampleApplication.id),
  clientSecret: read("DISCORD_CLIENT_SECRET", sampleApplication.secret),
  botToken: read("DISCORD_BOT_TOKEN", sampleApplication.botToken),
  publicKey: read("DISCORD_PUBLIC_KEY", await fake?.webhookPublicKey() ?? ""),
  secret: read("LOGIN_SECRET", crypto.randomUUID()),
  redirectUri: `${origin}/callback`,
  client: fake ? { platform: fake.platform, fetch: fake.fetch } : {},
};
const dashboard = createDashboard(settings);
await registerNumber(settings);
setInterval(dashboard.nightly, 24 * 60 * 60_000);

const onListen = () => console.log(`Open ${origin} (redirect URI: ${settings.redirectUri})`);
Deno.serve({ hostname: "127.0.0.1", port, onListen, onError: errorPage }, (request) => {
  // The pages of the fake platform are beside those of the dashboard. An invalid Host header leaves no path.
  const path = URL.parse(request.url)?.pathname ?? "";
  const isPlatform = fake && /^\/(oauth2|api|cdn)\//.test(path);
  return isPlatform ? fake.handler(request) : dashboard.fetch(request);
});
