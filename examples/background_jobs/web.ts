/** A web process. Start as many as you like: they share everything by the database. @module */

import { createServer } from "node:http";
import process from "node:process";
import { sendResponse, toRequest } from "@guildpass/sdk/node";
import { respond } from "./app.ts";
import { database } from "./database.ts";

const server = createServer(async (req, res) => {
  const response = await respond(toRequest(req, res)).catch((error) => {
    console.error(error); // errors of the library contain no secrets
    return new Response("Something went wrong", { status: 500 });
  });
  await sendResponse(res, response);
});

const port = Number(process.env.PORT ?? 3000);
server.listen(port, "127.0.0.1", () => console.log(`http://127.0.0.1:${port}`));

process.once("SIGTERM", () => {
  server.close();
  // Requests and refreshes that are on their way come to their end. Many hosts end the process after ten seconds.
  setTimeout(() => {
    server.closeAllConnections(); // a proxy keeps some open
    void database.close();
  }, 8000);
});
