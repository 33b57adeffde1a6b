/**
 * A Koa application with a login, behind a middleware that sets a header, and, with `EARLIER`, a cookie. It is not TypeScript,
 * because the types of Koa have an error.
 *
 * @module
 */

import { env } from "node:process";
import { sendResponse, toRequest } from "@guildpass/sdk/node";
import Koa from "koa";
import { login } from "./login.ts";

const app = new Koa();
app.use(async (ctx, next) => {
  ctx.set("x-earlier", "1");
  if (env.EARLIER) ctx.cookies.set("earlier", "1");
  await next();
});
app.use(async (ctx, next) => {
  const response = await login.handle(toRequest(ctx.req, ctx.res));
  return response ? await send(ctx, response) : await next();
});
app.use(async (ctx) => {
  const request = toRequest(ctx.req, ctx.res);
  const session = await login.session(request);
  ctx.set("cache-control", "no-store");
  if (ctx.path === "/bye") ctx.body = "You are logged out";
  else if (session) ctx.body = `Hello, ${session.user.username}`;
  else await send(ctx, await login.start(request));
});
const port = Number(env.PORT);
app.listen(port, () => console.log(`http://localhost:${port}`));

async function send(ctx, response) {
  ctx.respond = false;
  await sendResponse(ctx.res, response);
}
