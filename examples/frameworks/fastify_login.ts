/**
 * A login for Fastify: the handler of its paths, the session, and the start of a login on the way to a page.
 *
 * @module
 */

import { toRequest } from "@guildpass/sdk/node";
import type { FastifyReply, FastifyRequest } from "fastify";
import { getLogin } from "./login.ts";
import type { Session } from "./pages.ts";

export const handleLogin = async (
  { raw }: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> =>
  await reply.send(await getLogin().handle(toRequest(raw, reply.raw)));

export const startLogin = async (
  { raw }: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> =>
  await reply.send(await getLogin().start(toRequest(raw, reply.raw)));

export function sessionOf(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Session | null> {
  reply.header("cache-control", "no-store");
  return getLogin().session(toRequest(request.raw, reply.raw));
}
