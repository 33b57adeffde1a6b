/**
 * Starts the demo: a whole login on `http://localhost:8787`, without an account.
 *
 * It runs on the fake platform of this library, which has a consent page of its own. With `DISCORD_CLIENT_ID` and
 * `DISCORD_CLIENT_SECRET` in the environment it runs on the real platform, and with `DISCORD_BOT_TOKEN` it shows the
 * details of guilds there. `PORT` sets another port; if it is taken, the demo uses the next free one.
 *
 * @module
 */

import { discord } from "../../mod.ts";
import { createFakePlatform, sampleApplication } from "../../src/testing/mod.ts";
import { choosePort } from "../shared/port.ts";
import { createDemo, type DemoSettings } from "./app.ts";

const port = choosePort(8787);
const origin = `http://localhost:${port}`;
const redirectUri = `${origin}/callback`;
const clientId = Deno.env.get("DISCORD_CLIENT_ID");
const clientSecret = Deno.env.get("DISCORD_CLIENT_SECRET");

if (Boolean(clientId) !== Boolean(clientSecret)) {
  console.error(
    "Set both DISCORD_CLIENT_ID and DISCORD_CLIENT_SECRET, or neither for the fake platform",
  );
  Deno.exit(1);
}

const demo = createDemo(
  clientId && clientSecret ? realPlatform(clientId, clientSecret) : fakePlatform(),
);
const server = Deno.serve({ hostname: "127.0.0.1", port, onListen: printInstructions }, demo);
const stop = () => server.shutdown();
Deno.addSignalListener("SIGINT", stop);
if (Deno.build.os !== "windows") Deno.addSignalListener("SIGTERM", stop);
await server.finished;
Deno.removeSignalListener("SIGINT", stop);
if (Deno.build.os !== "windows") Deno.removeSignalListener("SIGTERM", stop);
console.log("Stopped");

function printInstructions(): void {
  const where = clientId ? "the real platform" : "a fake platform, no account needed";
  console.log(`Open ${origin} and log in (${where})`);
  if (clientId) console.log(`The application must have the redirect URI ${redirectUri}`);
  console.log("Ctrl+C stops it");
}

function realPlatform(clientId: string, clientSecret: string): DemoSettings {
  const botToken = Deno.env.get("DISCORD_BOT_TOKEN") ?? null;
  return { clientId, clientSecret, botToken, redirectUri, platform: discord };
}

function fakePlatform(): DemoSettings {
  const fake = createFakePlatform({
    origin,
    applications: [{ ...sampleApplication, redirectUris: [redirectUri] }],
  });
  return {
    clientId: sampleApplication.id,
    clientSecret: sampleApplication.secret,
    botToken: sampleApplication.botToken,
    redirectUri,
    platform: fake.platform,
    fake,
  };
}
