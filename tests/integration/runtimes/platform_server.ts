/**
 * A fake platform over HTTP on loopback, for the `fetch` of the runtime under test.
 *
 * @module
 */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createFakePlatform, nodeListener } from "../../../src/testing/mod.ts";
import { countTokenRequests } from "./smoke.ts";

/** A running server. Its disposal stops it. */
export interface PlatformServer extends AsyncDisposable {
  /** Scheme, host and port. */
  readonly origin: string;
  /** The names of the checks that the page at `/` has sent. Rejects if a check failed. */
  readonly pageResult: Promise<string>;
}

/**
 * Serves a new platform, with extra endpoints for the suite:
 *
 * - `POST /-/authorize` consents to the authorization link in the body, and responds with the callback;
 * - `POST /-/fail` makes a later request fail;
 * - `POST /-/token-requests` responds with the number of token requests so far;
 * - The script of the page `/` sends its result to `POST /-/passed` or `/-/failed`.
 */
export async function servePlatform(script = ""): Promise<PlatformServer> {
  const pageResult = Promise.withResolvers<string>();
  // Some tests wait for no page, and a rejection without a handler would end the process.
  pageResult.promise.catch(() => {});
  // A busy machine may need longer than the default of 5 s between two requests, and a request on a connection that closes is lost.
  const server = createServer({ keepAliveTimeout: 120_000 }, nodeListener(handle));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fake = createFakePlatform({ origin });

  async function handle(request: Request): Promise<Response> {
    switch (new URL(request.url).pathname) {
      case "/":
        return textResponse(
          "text/html",
          '<!doctype html><script type="module" src="/-/script"></script>',
        );
      case "/-/script":
        return textResponse("text/javascript", script);
      case "/-/authorize":
        return new Response(await fake.authorize(await request.text()));
      case "/-/fail":
        fake.failNext(await request.json());
        return new Response();
      case "/-/token-requests":
        return new Response(String(countTokenRequests(fake)));
      case "/-/passed":
        pageResult.resolve(await request.text());
        return new Response();
      case "/-/failed":
        pageResult.reject(new Error(await request.text()));
        return new Response();
      default:
        return await fake.fetch(request);
    }
  }

  return {
    origin,
    pageResult: pageResult.promise,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function textResponse(type: string, body: string): Response {
  return new Response(body, { headers: { "content-type": `${type}; charset=utf-8` } });
}
