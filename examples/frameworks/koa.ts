/**
 * A login in Koa.
 *
 * @module
 */

import { env } from "node:process";
import { toRequest } from "@guildpass/sdk/node";
import Koa from "koa";
import { handleLogin, send } from "./koa_login.ts";
import { getLogin } from "./login.ts";

const app = new Koa();

app.use(handleLogin);

app.use(async (ctx) => {
  if (ctx.path === "/bye") return void (ctx.body = "You are logged out");
  const request = toRequest(ctx.req, ctx.res);
  const session = await getLogin().session(request);
  if (!session) return await send(ctx, await getLogin().start(request));
  ctx.set("cache-control", "no-store");
  ctx.body = `Hello, ${session.user.username}`;
});

const port = Number(env.PORT ?? 3000);
app.listen(port, () => console.log(`http://localhost:${port}`));
