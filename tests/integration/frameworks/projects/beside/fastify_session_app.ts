/**
 * The recipe with `@fastify/session`, with a login of its own that believes everything.
 *
 * @module
 */

import { env } from "node:process";
import formbody from "@fastify/formbody";
import { app } from "./fastify_session.ts";

declare module "fastify" {
  interface Session {
    username?: string;
  }
}

app.register(formbody);
app.post<{ Body: { name: string } }>("/login", async ({ body, session }, reply) => {
  session.set("username", body.name);
  return await reply.redirect("/");
});
app.post("/logout", async ({ session }, reply) => {
  await session.destroy();
  return await reply.redirect("/");
});

const port = Number(env.PORT);
app.listen({ port }, () => console.log(`http://localhost:${port}`));
