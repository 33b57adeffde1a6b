/**
 * A Fastify application with `@fastify/session`, and a login with Discord.
 *
 * @module
 */

import { env } from "node:process";
import cookie from "@fastify/cookie";
import session from "@fastify/session";
import { toRequest } from "@guildpass/sdk/node";
import fastify, {
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import { getLogin, loginPaths } from "./login.ts";

export const app = fastify();
app.register(cookie);
app.register(session, {
  secret: env.SESSION_SECRET ?? "",
  cookie: { secure: "auto" },
});
const handleLogin = async (
  { raw }: FastifyRequest,
  reply: FastifyReply,
) =>
  await reply.send(await getLogin().handle(toRequest(raw, reply.raw)));
for (const path of loginPaths) {
  app.all(path, { onRequest: handleLogin }, handleLogin);
}
app.get("/", async ({ raw, session }, reply) => {
  const discord = await getLogin().session(toRequest(raw, reply.raw));
  reply.header("cache-control", "no-store");
  return {
    discord: discord?.user.username ?? null,
    other: session.get("username") ?? null,
  };
});
