/**
 * A Fastify application that parses forms, before or after the login.
 *
 * @module
 */

import { env } from "node:process";
import { toRequest } from "@guildpass/sdk/node";
import formBody from "@fastify/formbody";
import fastify from "fastify";
import { getLogin } from "./login.ts";

const app = fastify();
if (env.PARSER === "before") await app.register(formBody);
app.addHook("onRequest", async ({ raw }, reply) => {
  const response = await getLogin().handle(toRequest(raw, reply.raw));
  if (response) return await reply.send(response);
});
if (env.PARSER === "after") await app.register(formBody);
app.post("/echo", ({ body }) => Object(body).text);
await app.listen({ port: Number(env.PORT) });
