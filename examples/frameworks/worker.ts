/**
 * A Cloudflare Worker without a framework. It needs the compatibility flag `nodejs_compat`, for `node:process`.
 *
 * @module
 */

import { login } from "./login.ts";

export default {
  async fetch(request: Request): Promise<Response> {
    const answer = await login.handle(request);
    if (answer) return answer;
    if (new URL(request.url).pathname === "/bye") return new Response("You are logged out");
    const session = await login.session(request);
    if (!session) return await login.start(request);
    const headers = { "cache-control": "no-store" };
    return new Response(`Hello, ${session.user.username}`, { headers });
  },
};
