/**
 * A login in Fastify. The hook `onRequest` runs before Fastify reads the body, because Fastify would refuse the form of a logout
 * button.
 *
 * @module
 */

import { env } from "node:process";
import { toRequest } from "@guildpass/sdk/node";
import fastify, { type FastifyReply, type FastifyRequest } from "fastify";
import { getLogin, loginPaths } from "./login.ts";

const app = fastify();

const handleLogin = async ({ raw }: FastifyRequest, reply: FastifyReply) =>
  await reply.send(await getLogin().handle(toRequest(raw, reply.raw)));
for (const path of loginPaths) app.all(path, { onRequest: handleLogin }, handleLogin);

app.get("/bye", () => "You are logged out");

app.get("/", async ({ raw }, reply) => {
  const request = toRequest(raw, reply.raw);
  const session = await getLogin().session(request);
  if (!session) return await reply.send(await getLogin().start(request));
  return await reply.header("cache-control", "no-store").send(`Hello, ${session.user.username}`);
});

const port = Number(env.PORT ?? 3000);
app.listen({ port }, () => console.log(`http://localhost:${port}`));
