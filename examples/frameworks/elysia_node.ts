/**
 * Serves the Elysia application on Node.
 *
 * @module
 */

import { createServer } from "node:http";
import { env } from "node:process";
import { sendResponse, toRequest } from "@guildpass/sdk/node";
import app from "./elysia.ts";

const port = Number(env.PORT ?? 3000);
createServer(async (req, res) =>
  sendResponse(res, await app.fetch(toRequest(req, res)))
)
  .listen(port, () => console.log(`http://localhost:${port}`));
