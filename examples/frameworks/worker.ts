/**
 * A Cloudflare Worker without a framework. It needs the compatibility flag `nodejs_compat`, for `node:process`.
 *
 * @module
 */

import { getLogin } from "./login.ts";

export default {
  async fetch(request: Request): Promise<Response> {
    if (new URL(request.url).pathname === "/bye") {
      return new Response("You are logged out");
    }
    const response = await getLogin().handle(request);
    if (response) return response;
    const session = await getLogin().session(request);
    if (!session) return await getLogin().start(request);
    const headers = { "cache-control": "no-store" };
    return new Response(`Hello, ${session.user.username}`, { headers });
  },
};
