/**
 * The home page of a Fastify application, and a page and an API route for its members. The page begins a login, and the route
 * responds with a 401.
 *
 * @module
 */

import type { FastifyReply, FastifyRequest } from "fastify";
import { sessionOf, startLogin } from "./fastify_login.ts";
import { homePage } from "./pages.ts";

export async function showHome(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const page = homePage(await sessionOf(request, reply));
  return await reply.type("text/html; charset=utf-8").send(page);
}

export async function showMembers(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const session = await sessionOf(request, reply);
  if (!session) return await startLogin(request, reply);
  return await reply.type("text/html; charset=utf-8").send(
    homePage(session),
  );
}

export async function showMe(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const session = await sessionOf(request, reply);
  return session?.user ??
    await reply.code(401).send({ error: "login_required" });
}
