/**
 * A login in Express. Add it after middlewares such as `compression` and `helmet`, and before or after the parsers of bodies.
 *
 * @module
 */

import { env } from "node:process";
import { sendResponse, toRequest } from "@guildpass/sdk/node";
import express from "express";
import { getLogin, loginPaths } from "./login.ts";

const app = express();

app.use(loginPaths, async (req, res, next) => {
  const response = await getLogin().handle(toRequest(req, res));
  return response ? await sendResponse(res, response) : next();
});

app.get("/bye", (_req, res) => void res.send("You are logged out"));

app.get("/", async (req, res) => {
  const request = toRequest(req, res);
  const session = await getLogin().session(request);
  if (!session) {
    return await sendResponse(res, await getLogin().start(request));
  }
  res.set("cache-control", "no-store").type("text").send(
    `Hello, ${session.user.username}`,
  );
});

const port = Number(env.PORT ?? 3000);
app.listen(port, () => console.log(`http://localhost:${port}`));
