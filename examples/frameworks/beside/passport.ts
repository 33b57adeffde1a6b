/**
 * An Express application with Passport, `express-session`, and a login with Discord.
 *
 * @module
 */

import { env } from "node:process";
import { sendResponse, toRequest } from "@guildpass/sdk/node";
import express from "express";
import session from "express-session";
import passport from "passport";
import { getLogin, loginPaths } from "./login.ts";

export const app = express();
app.use(
  session({
    secret: env.SESSION_SECRET ?? "",
    resave: false,
    saveUninitialized: false,
  }),
);
app.use(passport.session());
app.use(loginPaths, async (req, res, next) => {
  const response = await getLogin().handle(toRequest(req, res));
  return response ? await sendResponse(res, response) : next();
});
app.get("/", async (req, res) => {
  const discord = await getLogin().session(toRequest(req, res));
  res.set("cache-control", "no-store");
  res.json({
    discord: discord?.user.username ?? null,
    other: req.user ?? null,
  });
});
