/**
 * A login in Deno.
 *
 * @module
 */

import { env } from "node:process";
import { getLogin } from "./login.ts";

Deno.serve({ port: Number(env.PORT ?? 3000) }, async (request) => {
  if (new URL(request.url).pathname === "/bye") {
    return new Response("You are logged out");
  }
  const response = await getLogin().handle(request);
  if (response) return response;
  const session = await getLogin().session(request);
  if (!session) return await getLogin().start(request);
  const headers = { "cache-control": "no-store" };
  return new Response(`Hello, ${session.user.username}`, { headers });
});
