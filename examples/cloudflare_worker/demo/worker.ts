/**
 * The Worker on `localhost`, beside a platform in memory on `127.0.0.1`, to look at without an account. It is never
 * deployed: the fake platform lets everybody in as anybody.
 *
 * @module
 */

import { createFakePlatform } from "@guildpass/sdk/testing";
import type { Env } from "../src/env.ts";
import worker from "../src/index.ts";

const origin = "http://127.0.0.1:8787";
const fake = createFakePlatform({ origin });

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const url = new URL(request.url);
    if (url.origin !== origin) return await worker.fetch(request, env);
    // The address that wrangler prints.
    if (url.pathname === "/") return Response.redirect("http://localhost:8787/");
    return await fake.fetch(request);
  },
};
