/**
 * The recipe for Hono, behind a middleware that sets cookies before and after the response.
 *
 * @module
 */

import { env } from "node:process";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { setCookie } from "hono/cookie";
import recipe from "./hono.ts";

const app = new Hono();
app.use(async (c, next) => {
  setCookie(c, "earlier", "1");
  await next();
  setCookie(c, "later", "1");
});
app.route("/", recipe);

const port = Number(env.PORT);
serve({ fetch: app.fetch, port }, () => console.log(`http://localhost:${port}`));
