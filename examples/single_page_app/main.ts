/**
 * Starts a single-page application and its API on two ports of this machine: on `http://localhost:8787` or `PORT`, and on the next
 * free port. The API also serves a fake platform, so that you need no account.
 *
 * @module
 */

import { choosePort, nextFreePort } from "../shared/port.ts";
import { createFakePlatform } from "../../src/testing/mod.ts";
import { createApi } from "./api.ts";
import { serveFrontend } from "./frontend.ts";

const port = choosePort(8787);
const apiPort = nextFreePort(port + 1);
const [frontend, origin] = [`http://localhost:${port}`, `http://localhost:${apiPort}`];
const api = createApi(origin, frontend, createFakePlatform({ origin }));
const options = { hostname: "127.0.0.1", onListen() {} };
const servers = [
  Deno.serve({ ...options, port }, (request) => serveFrontend(request, origin)),
  Deno.serve({ ...options, port: apiPort }, api),
];
console.log(`Open ${frontend} and log in (a fake platform, no account needed)`);
console.log(`The API is on ${origin}. Ctrl+C stops both`);
await Promise.all(servers.map(({ finished }) => finished));
