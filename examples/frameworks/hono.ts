/**
 * A login in Hono, on any runtime. As a Worker, this is the entry module; `hono_node.ts` serves it on Node.
 *
 * @module
 */

import { Hono } from "hono";
import { login } from "./login.ts";

const app = new Hono();

app.use(async ({ req }, next) => await login.handle(req.raw) ?? await next());

app.get("/bye", ({ text }) => text("You are logged out"));

app.get("/", async ({ req, text }) => {
  const session = await login.session(req.raw);
  if (!session) return await login.start(req.raw);
  return text(`Hello, ${session.user.username}`, 200, { "cache-control": "no-store" });
});

export default app;
