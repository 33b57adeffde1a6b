/**
 * A login in Fastify. The hook runs before Fastify reads the body, because Fastify would refuse the form of a logout button.
 *
 * @module
 */

import { env } from "node:process";
import { toRequest } from "@guildpass/sdk/node";
import fastify from "fastify";
import { login } from "./login.ts";

const app = fastify();

app.addHook("onRequest", async ({ raw }, reply) => {
  const response = await login.handle(toRequest(raw, reply.raw));
  if (response) return await reply.send(response);
});

app.get("/bye", () => "You are logged out");

app.get("/", async ({ raw }, reply) => {
  const request = toRequest(raw, reply.raw);
  const session = await login.session(request);
  if (!session) return await reply.send(await login.start(request));
  return await reply.header("cache-control", "no-store").send(`Hello, ${session.user.username}`);
});

const port = Number(env.PORT ?? 3000);
app.listen({ port }, () => console.log(`http://localhost:${port}`));
