/**
 * The session of the visitor in Nest: a decorator for the parameters of a route, and a function for guards.
 *
 * @module
 */

import type { SessionOf } from "@guildpass/sdk/login";
import {
  createParamDecorator,
  type ExecutionContext,
} from "@nestjs/common";
import { webRequest } from "./adapter.js";
import { getLogin } from "./login.js";

export type Session = SessionOf<ReturnType<typeof getLogin>>;
const sessions = new WeakMap<object, Promise<Session | null>>();

export function sessionOf(
  context: ExecutionContext,
): Promise<Session | null> {
  const [req, res] = context.getArgs();
  res.header("cache-control", "no-store");
  const session = sessions.get(req) ??
    getLogin().session(webRequest(req, res));
  sessions.set(req, session);
  return session;
}

export const CurrentSession = createParamDecorator((
  _data: unknown,
  context,
) => sessionOf(context));
