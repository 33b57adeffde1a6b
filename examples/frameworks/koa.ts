/**
 * A Koa application with a login.
 *
 * @module
 */

import { env } from "node:process";
import Koa from "koa";
import { handleLogin } from "./koa_login.ts";
import { showMe, showMembers } from "./koa_members.ts";
import { showErrors, showHome } from "./koa_pages.ts";

const app = new Koa();

app.use(showErrors);
app.use(handleLogin);

app.use(async (ctx) => {
  if (ctx.path === "/") await showHome(ctx);
  if (ctx.path === "/bye") ctx.body = "You are logged out";
  if (ctx.path === "/members") await showMembers(ctx);
  if (ctx.path === "/api/me") await showMe(ctx);
});

const port = Number(env.PORT ?? 3000);
app.listen(port, () => console.log(`http://localhost:${port}`));
