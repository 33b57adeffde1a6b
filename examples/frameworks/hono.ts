/**
 * A Hono application with a login, on any runtime. As a Worker, this is the entry module; `hono_node.ts` serves it on Node.
 *
 * @module
 */

import { Hono } from "hono";
import { handleLogin, sessionOf, startLogin } from "./hono_login.ts";
import { homePage, showError } from "./hono_pages.ts";
import { loginPaths } from "./login.ts";

const app = new Hono();
app.onError(showError);
app.on("ALL", loginPaths, handleLogin);

app.get("/", async (c) => c.html(homePage(await sessionOf(c))));
app.get("/bye", (c) => c.text("You are logged out"));

app.get("/members", async (c) => {
  const session = await sessionOf(c);
  return session ? c.html(homePage(session)) : await startLogin(c);
});

app.get("/api/me", async (c) => {
  const session = await sessionOf(c);
  return session
    ? c.json(session.user)
    : c.json({ error: "login_required" }, 401);
});

export default app;
