// Serves the built application.
import { createServer } from "node:http";
import { env } from "node:process";
import { sendResponse, toRequest } from "@guildpass/sdk/node";
import handler from "./dist/server/server.js";

const port = Number(env.PORT);
createServer(async (req, res) => sendResponse(res, await handler.fetch(toRequest(req, res))))
  .listen(port, () => console.log(`http://localhost:${port}`));
