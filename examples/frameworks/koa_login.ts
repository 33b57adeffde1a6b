/**
 * A login for Koa: the middleware, and a function that sends a response.
 *
 * @module
 */

import { toRequest } from "@guildpass/sdk/node";
import type { Context, Next } from "koa";
import { getLogin, loginPaths } from "./login.ts";

export async function handleLogin(
  ctx: Context,
  next: Next,
): Promise<void> {
  if (!loginPaths.includes(ctx.path)) return await next();
  const response = await getLogin().handle(toRequest(ctx.req, ctx.res));
  return response ? await send(ctx, response) : await next();
}

/** Sends by Koa, so that other middlewares can add cookies. */
export async function send(
  ctx: Context,
  response: Response,
): Promise<void> {
  ctx.status = response.status;
  for (const [name, value] of response.headers) {
    if (name === "set-cookie" || name === "vary") {
      ctx.append(name, value);
    } else ctx.set(name, value);
  }
  ctx.body = await response.text();
}
