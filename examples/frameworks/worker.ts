/**
 * A Cloudflare Worker without a framework. It needs the compatibility flag `nodejs_compat`, for `node:process`.
 *
 * @module
 */

import { login } from "./login.ts";

export default {
  async fetch(request: Request): Promise<Response> {
    const response = await login.handle(request);
    if (response) return response;
    if (new URL(request.url).pathname === "/bye") return new Response("You are logged out");
    const session = await login.session(request);
    if (!session) return await login.start(request);
    const headers = { "cache-control": "no-store" };
    return new Response(`Hello, ${session.user.username}`, { headers });
  },
};
