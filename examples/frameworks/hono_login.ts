/**
 * A login for Hono: the handler of its paths, the session, and the start of a login on the way to a page.
 *
 * @module
 */

import type { SessionOf } from "@guildpass/sdk/login";
import type { Context, Next } from "hono";
import { getLogin } from "./login.ts";

// Otherwise Hono would drop the cookies of earlier middlewares.
const send = (c: Context, response: Response) =>
  c.newResponse(response.body, response);

export async function handleLogin(
  c: Context,
  next: Next,
): Promise<Response | void> {
  const response = await getLogin().handle(c.req.raw);
  return response ? send(c, response) : await next();
}

export type Session = SessionOf<ReturnType<typeof getLogin>>;
export async function sessionOf(c: Context): Promise<Session | null> {
  c.header("cache-control", "no-store");
  return await getLogin().session(c.req.raw);
}

export const startLogin = async (c: Context): Promise<Response> =>
  send(c, await getLogin().start(c.req.raw));
