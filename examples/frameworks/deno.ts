/**
 * A login in Deno.
 *
 * @module
 */

import { env } from "node:process";
import { login } from "./login.ts";

Deno.serve({ port: Number(env.PORT ?? 3000) }, async (request) => {
  const response = await login.handle(request);
  if (response) return response;
  if (new URL(request.url).pathname === "/bye") return new Response("You are logged out");
  const session = await login.session(request);
  if (!session) return await login.start(request);
  const headers = { "cache-control": "no-store" };
  return new Response(`Hello, ${session.user.username}`, { headers });
});
