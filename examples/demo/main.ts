/**
 * Starts the demo: a whole login on `http://localhost:8787`, with no account anywhere.
 *
 * It runs on the fake platform of this library, which brings its own consent page. With `DISCORD_CLIENT_ID` and
 * `DISCORD_CLIENT_SECRET` in the environment it runs on the real one; `DISCORD_BOT_TOKEN` adds the details of guilds.
 * `PORT` chooses another port.
 *
 * @module
 */

import { discord } from "../../mod.ts";
import { createFakePlatform, sampleApplication } from "../../src/testing/mod.ts";
import { createDemo, type DemoSettings } from "./app.ts";

const port = Number(Deno.env.get("PORT") ?? 8787);
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
const server = serve();
const stop = () => server.shutdown();
Deno.addSignalListener("SIGINT", stop);
if (Deno.build.os !== "windows") Deno.addSignalListener("SIGTERM", stop);
await server.finished;
Deno.removeSignalListener("SIGINT", stop);
if (Deno.build.os !== "windows") Deno.removeSignalListener("SIGTERM", stop);
console.log("Stopped");

function serve(): Deno.HttpServer {
  try {
    return Deno.serve({
      hostname: "127.0.0.1",
      port,
      onListen() {
        console.log(
          `Open ${origin} and log in (${
            clientId ? "the real platform" : "a fake platform, no account needed"
          })`,
        );
        if (clientId) console.log(`The application must have the redirect URI ${redirectUri}`);
        console.log("Ctrl+C stops it");
      },
    }, demo);
  } catch (error) {
    if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    console.error(`Port ${port} is taken; choose another one: PORT=8788 deno task demo`);
    Deno.exit(1);
  }
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
