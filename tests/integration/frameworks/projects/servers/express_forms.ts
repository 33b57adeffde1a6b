/**
 * An Express application that parses forms, before or after the login.
 *
 * @module
 */

import { env } from "node:process";
import { sendResponse, toRequest } from "@guildpass/sdk/node";
import express from "express";
import { getLogin } from "./login.ts";

const app = express();
const parser = express.urlencoded({ extended: false, limit: "1mb" });
if (env.PARSER === "before") app.use(parser);
app.use(async (req, res, next) => {
  const response = await getLogin().handle(toRequest(req, res));
  return response ? await sendResponse(res, response) : next();
});
if (env.PARSER === "after") app.use(parser);
app.post("/echo", (req, res) => {
  res.type("text").send(req.body.text);
});
app.listen(Number(env.PORT));
