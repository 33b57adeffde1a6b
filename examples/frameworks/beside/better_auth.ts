/**
 * An Express application with Better Auth, and a login with Discord.
 *
 * @module
 */

import { sendResponse, toRequest } from "@guildpass/sdk/node";
import { fromNodeHeaders, toNodeHandler } from "better-auth/node";
import express from "express";
import { auth } from "./auth.ts";
import { getLogin, loginPaths } from "./login.ts";

export const app = express();
app.all("/api/auth/*splat", toNodeHandler(auth));
app.use(loginPaths, async (req, res, next) => {
  const response = await getLogin().handle(toRequest(req, res));
  return response ? await sendResponse(res, response) : next();
});
app.get("/", async (req, res) => {
  const discord = await getLogin().session(toRequest(req, res));
  const other = await auth.api.getSession({
    headers: fromNodeHeaders(req.headers),
  });
  res.set("cache-control", "no-store");
  res.json({
    discord: discord?.user.username ?? null,
    other: other?.user.name ?? null,
  });
});
