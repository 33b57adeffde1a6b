/**
 * The session, the home page and the error page of a Koa application.
 *
 * @module
 */

import { toRequest } from "@guildpass/sdk/node";
import type { Context, Next } from "koa";
import { getLogin } from "./login.ts";
import { errorPage, homePage, type Session } from "./pages.ts";

export function sessionOf(ctx: Context): Promise<Session | null> {
  ctx.set("cache-control", "no-store");
  return getLogin().session(toRequest(ctx.req, ctx.res));
}

export async function showHome(ctx: Context): Promise<void> {
  ctx.body = homePage(await sessionOf(ctx));
}

export const showErrors = (
  ctx: Context,
  next: Next,
): Promise<unknown> =>
  next().catch((error) => {
    // Koa shows its message, as in ctx.throw(404)
    if (error.expose) throw error;
    ctx.app.emit("error", error, ctx);
    Object.assign(ctx, { status: 500, body: errorPage });
  });
