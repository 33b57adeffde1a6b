/**
 * A login in Fastify. The hook runs before Fastify reads the body, because Fastify would refuse the form of a logout button.
 *
 * @module
 */

import { env } from "node:process";
import fastify from "fastify";
import { NodeRequest } from "srvx/node";
import { login } from "./login.ts";

const app = fastify();

app.addHook("onRequest", async ({ raw }, reply) => {
  const answer = await login.handle(new NodeRequest({ req: raw, res: reply.raw }));
  if (answer) return await reply.send(answer);
});

app.get("/", async ({ raw }, reply) => {
  const request = new NodeRequest({ req: raw, res: reply.raw });
  const session = await login.session(request);
  return session ? `Hello, ${session.user.username}` : await reply.send(await login.start(request));
});

await app.listen({ port: Number(env.PORT ?? 3000) });
