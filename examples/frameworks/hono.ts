/**
 * A login in Hono, on any runtime. As a Worker, this is the entry module; `hono_node.ts` serves it on Node.
 *
 * @module
 */

import { type Context, Hono } from "hono";
import { login } from "./login.ts";

const app = new Hono();
// Hono drops the cookies of earlier middlewares, unless it makes the response.
const send = (c: Context, response: Response) => c.newResponse(response.body, response);

app.use(async (c, next) => {
  const response = await login.handle(c.req.raw);
  return response ? send(c, response) : await next();
});

app.get("/bye", (c) => c.text("You are logged out"));

app.get("/", async (c) => {
  const session = await login.session(c.req.raw);
  if (!session) return send(c, await login.start(c.req.raw));
  return c.text(`Hello, ${session.user.username}`, 200, { "cache-control": "no-store" });
});

export default app;
