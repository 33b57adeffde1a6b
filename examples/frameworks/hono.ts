/**
 * A login in Hono, on any runtime. As a Worker, this is the entry module; `hono_node.ts` serves it on Node.
 *
 * @module
 */

import { type Context, Hono } from "hono";
import { getLogin, loginPaths } from "./login.ts";

const app = new Hono();
// Hono drops the cookies of earlier middlewares, unless it makes the response.
const send = (c: Context, response: Response) => c.newResponse(response.body, response);

app.on("ALL", loginPaths, async (c, next) => {
  const response = await getLogin().handle(c.req.raw);
  return response ? send(c, response) : await next();
});

app.get("/bye", (c) => c.text("You are logged out"));

app.get("/", async (c) => {
  const session = await getLogin().session(c.req.raw);
  if (!session) return send(c, await getLogin().start(c.req.raw));
  return c.text(`Hello, ${session.user.username}`, 200, { "cache-control": "no-store" });
});

export default app;
