/**
 * The recipe for Koa, behind `koa-session` and a middleware that sets a header and a cookie.
 *
 * @module
 */

import { env } from "node:process";
import { toRequest } from "@guildpass/sdk/node";
import Koa from "koa";
import session from "koa-session";
import { handleLogin, send } from "./koa_login.ts";
import { getLogin } from "./login.ts";

const app = new Koa();
app.keys = ["a key for a test"];
app.use(async (ctx, next) => {
  ctx.set("x-earlier", "1");
  ctx.cookies.set("earlier", "1");
  await next();
});
app.use(session({ key: "views" }, app));
app.use(async (ctx, next) => {
  if (ctx.session) ctx.session.views = Number(ctx.session.views ?? 0) + 1;
  await next();
});
app.use(handleLogin);
app.use(async (ctx) => {
  const request = toRequest(ctx.req, ctx.res);
  if (await getLogin().session(request)) ctx.body = `${ctx.session?.views} views`;
  else await send(ctx, await getLogin().start(request));
});

const port = Number(env.PORT);
app.listen(port, () => console.log(`http://localhost:${port}`));
