/**
 * A login in Hono, on any runtime. As a Worker, this is the entry module; `hono_node.ts` serves it on Node.
 *
 * @module
 */

import { Hono } from "hono";
import { login } from "./login.ts";

const app = new Hono();

app.use(async ({ req }, next) => await login.handle(req.raw) ?? await next());

app.get("/", async ({ req, text }) => {
  const session = await login.session(req.raw);
  return session ? text(`Hello, ${session.user.username}`) : await login.start(req.raw);
});

export default app;
