/**
 * Serves the Worker on `localhost`, and a fake platform on `127.0.0.1` at the same port, to try it without an account.
 * Never deploy this: every visitor of the fake platform can log in as any of its users.
 *
 * @module
 */

import { generateState } from "@guildpass/sdk";
import { createFakePlatform, type FakePlatform, sampleApplication } from "@guildpass/sdk/testing";
import type { Env } from "../src/env.ts";
import worker from "../src/index.ts";

export { StoredEntry } from "@guildpass/sdk/stores/durable-object";

/** The fake platform of each port. If the usual port is taken, wrangler uses the next free one. */
const fakes = new Map<string, FakePlatform>();

/** The login secret. It is made at the first request, since a Worker has no random numbers before. */
let secret: string | undefined;

export default {
  async fetch(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
    const { hostname, pathname, port } = new URL(request.url);
    const site = `http://localhost:${port}`;
    const fake = fakes.get(port) ?? createFakePlatform({
      origin: `http://127.0.0.1:${port}`,
      applications: [{ ...sampleApplication, redirectUris: [`${site}/callback`] }],
    });
    fakes.set(port, fake);
    if (hostname !== "127.0.0.1") {
      const LOGIN_SECRET = secret ??= generateState();
      const settings = { ...env, LOGIN_SECRET, PLATFORM: fake.platform };
      return await worker.fetch(request, settings, context);
    }
    // Wrangler prints this address.
    return pathname === "/" ? Response.redirect(site) : await fake.fetch(request);
  },
};
