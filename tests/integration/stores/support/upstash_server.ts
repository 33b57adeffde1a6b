/**
 * Speaks the REST protocol of Upstash in front of a real Redis.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { createClient } from "redis";
import { nodeListener } from "../../../../src/testing/mod.ts";
import { serveListener } from "../../../support/node_server.ts";

/** Serves a Redis by HTTP. */
export async function serveUpstash(
  redisUrl: string,
): Promise<AsyncDisposable & { origin: string }> {
  const redis = await createClient({ url: redisUrl }).connect();
  const run = async (command: unknown[]) => ({
    result: encoded(await redis.sendCommand(command.map(String))),
  });
  const server = await serveListener(nodeListener(async (request) => {
    const isPipeline = new URL(request.url).pathname === "/pipeline";
    const commands = await request.json() as unknown[][];
    return Response.json(await (isPipeline ? Promise.all(commands.map(run)) : run(commands)));
  }));
  return {
    origin: server.origin,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      redis.destroy();
    },
  };
}

/** Returns a result with texts in base64, which the client asks for. */
function encoded(result: unknown): unknown {
  if (Array.isArray(result)) return result.map(encoded);
  return typeof result === "string" ? Buffer.from(result).toString("base64") : result;
}
