/**
 * The Worker on `localhost`, and a fake platform on `127.0.0.1` at the same port, to try it without an account. Never
 * deploy this: the fake platform logs anybody in as anybody.
 *
 * @module
 */

import { createFakePlatform, type FakePlatform, sampleApplication } from "@guildpass/sdk/testing";
import type { Env } from "../src/env.ts";
import worker from "../src/index.ts";

/** One for each port; wrangler takes the next free one when the usual one is taken. */
const platforms = new Map<string, FakePlatform>();

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { hostname, pathname, port } = new URL(request.url);
    const origin = `http://127.0.0.1:${port}`;
    const site = `http://localhost:${port}`;
    if (hostname !== "127.0.0.1") {
      return await worker.fetch(request, { ...env, PLATFORM_ORIGIN: origin });
    }
    // Wrangler prints this address.
    if (pathname === "/") return Response.redirect(site);
    const redirectUris = [`${site}/callback`];
    const platform = platforms.get(port) ??
      createFakePlatform({ origin, applications: [{ ...sampleApplication, redirectUris }] });
    platforms.set(port, platform);
    return await platform.fetch(request);
  },
};
