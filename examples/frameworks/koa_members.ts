/**
 * A page and an API route of a Koa application for its members. The page begins a login, and the route responds with a 401.
 *
 * @module
 */

import { toRequest } from "@guildpass/sdk/node";
import type { Context } from "koa";
import { send } from "./koa_login.ts";
import { sessionOf } from "./koa_pages.ts";
import { getLogin } from "./login.ts";
import { homePage } from "./pages.ts";

export async function showMembers(ctx: Context): Promise<void> {
  const session = await sessionOf(ctx);
  if (session) ctx.body = homePage(session);
  else {await send(
      ctx,
      await getLogin().start(toRequest(ctx.req, ctx.res)),
    );}
}

export async function showMe(ctx: Context): Promise<void> {
  const session = await sessionOf(ctx);
  ctx.status = session ? 200 : 401;
  ctx.body = session?.user ?? { error: "login_required" };
}
