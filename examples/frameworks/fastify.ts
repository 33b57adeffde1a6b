/**
 * A Fastify application with a login. The hook `onRequest` runs before Fastify reads the body, because Fastify would refuse the form
 * of a logout button.
 *
 * @module
 */

import { env } from "node:process";
import fastify, { type FastifyError } from "fastify";
import { handleLogin } from "./fastify_login.ts";
import { showHome, showMe, showMembers } from "./fastify_pages.ts";
import { loginPaths } from "./login.ts";
import { errorPage } from "./pages.ts";

const app = fastify();

app.setErrorHandler(async (error: FastifyError, _request, reply) => {
  if (Number(error.statusCode) < 500) return await reply.send(error);
  console.error(error);
  return await reply.code(500).type("text/html; charset=utf-8").send(
    errorPage,
  );
});
for (const path of loginPaths) {
  app.all(path, { onRequest: handleLogin }, handleLogin);
}

app.get("/", showHome);
app.get("/bye", () => "You are logged out");
app.get("/members", showMembers);
app.get("/api/me", showMe);

const port = Number(env.PORT ?? 3000);
app.listen({ port }, () => console.log(`http://localhost:${port}`));
