/**
 * A login in Koa.
 *
 * @module
 */

import { env } from "node:process";
import { toRequest } from "@guildpass/sdk/node";
import Koa from "koa";
import { handleLogin, send } from "./koa_login.ts";
import { login } from "./login.ts";

const app = new Koa();

app.use(handleLogin);

app.use(async (ctx) => {
  const request = toRequest(ctx.req, ctx.res);
  const session = await login.session(request);
  if (ctx.path === "/bye") ctx.body = "You are logged out";
  else if (!session) await send(ctx, await login.start(request));
  else ctx.body = `Hello, ${session.user.username}`;
  ctx.set("cache-control", "no-store");
});

const port = Number(env.PORT ?? 3000);
app.listen(port, () => console.log(`http://localhost:${port}`));
