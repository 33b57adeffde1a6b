/**
 * Starts the Activity on three ports of this machine, so that you need no account. A page on `http://localhost:8790` or `PORT` plays Discord.
 * The next free ports have the proxy and the server of the Activity. The proxy is at `127.0.0.1`, since this is another site than `localhost`.
 *
 * @module
 */

import { createFakePlatform } from "../../src/testing/mod.ts";
import { choosePort, nextFreePort } from "../shared/port.ts";
import { createDiscord, createProxy } from "./discord.ts";
import { createServer } from "./server.ts";

const port = choosePort(8790);
const proxyPort = nextFreePort(port + 1);
const serverPort = nextFreePort(proxyPort + 1);
const discord = `http://localhost:${port}`;
const activity = `http://127.0.0.1:${proxyPort}`;
const fake = createFakePlatform({ origin: discord });
const options = { hostname: "127.0.0.1", onListen() {} };
const servers = [
  Deno.serve({ ...options, port }, createDiscord(activity, fake)),
  Deno.serve({ ...options, port: proxyPort }, createProxy(`http://localhost:${serverPort}`)),
  Deno.serve({ ...options, port: serverPort }, createServer(activity, discord, fake)),
];
console.log(`Open ${discord} (a fake platform, no account needed). Press Ctrl+C to stop it`);
await Promise.all(servers.map(({ finished }) => finished));
