/**
 * The server of the extension, with a fake platform, so that you need no account. Its argument is the id of the extension.
 *
 * @module
 */

import { generateState, MemoryStore } from "@guildpass/sdk";
import { Login } from "@guildpass/sdk/login";
import { createFakePlatform, type FakePlatform, sampleApplication } from "@guildpass/sdk/testing";

/** Creates the request handler of the server at an origin. */
export function createServer(
  origin: string,
  extensionId: string,
  fake: FakePlatform,
): (request: Request) => Promise<Response> {
  const login = new Login({
    clientId: sampleApplication.id,
    clientSecret: sampleApplication.secret,
    scope: ["identify"],
    // The sessions end with the process.
    secret: generateState(),
    store: new MemoryStore(),
    redirectUri: `${origin}/callback`,
    sessionPath: "/session",
    appPath: "/app",
    appTargets: [`https://${extensionId}.chromiumapp.org/`],
    appOrigins: [`chrome-extension://${extensionId}`],
    platform: fake.platform,
    fetch: fake.fetch,
  });
  return async (request) => await login.handle(request) ?? await fake.fetch(request);
}

if (import.meta.main) {
  const origin = "http://localhost:8787";
  const server = createServer(origin, Deno.args[0] ?? "", createFakePlatform({ origin }));
  Deno.serve({ hostname: "127.0.0.1", port: 8787 }, server);
}
