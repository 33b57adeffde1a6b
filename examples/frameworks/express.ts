/**
 * A login in Express. The package `srvx` turns Node's requests into `Request` without reading their bodies, which other
 * routes may need.
 *
 * @module
 */

import { env } from "node:process";
import express from "express";
import { NodeRequest, sendNodeResponse } from "srvx/node";
import { login } from "./login.ts";

const app = express();

app.use(async (req, res, next) => {
  const answer = await login.handle(new NodeRequest({ req, res }));
  return answer ? await sendNodeResponse(res, answer) : next();
});

app.get("/", async (req, res) => {
  const request = new NodeRequest({ req, res });
  const session = await login.session(request);
  if (!session) return await sendNodeResponse(res, await login.start(request));
  res.type("text").send(`Hello, ${session.user.username}`);
});

app.listen(Number(env.PORT ?? 3000));
