/**
 * A fake platform over HTTP on loopback, for the `fetch` of a runtime that is tested.
 *
 * @module
 */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createFakePlatform, nodeListener } from "../../../src/testing/mod.ts";
import { countTokenRequests } from "./smoke.ts";

/** A running server; it stops when it is disposed of. */
export interface PlatformServer extends AsyncDisposable {
  /** Scheme, host and port. */
  readonly origin: string;
  /** The result that the page at `/` sent: the names of the checks. Rejects when a check failed. */
  readonly page: Promise<string>;
}

/**
 * Serves a new platform, with extra endpoints for the suite:
 *
 * - `POST /-/authorize` does what a person does on the consent page; the body is the link, the answer the callback;
 * - `POST /-/fail` makes a later request fail;
 * - `POST /-/token-requests` counts those received;
 * - `/` is a page that runs a script, which sends its result to `POST /-/found` or `/-/failed`.
 */
export async function servePlatform(script = ""): Promise<PlatformServer> {
  const page = Promise.withResolvers<string>();
  // Not every test waits for a page, and a rejection that nobody handles would end the process.
  page.promise.catch(() => {});
  const server = createServer(nodeListener(handle));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fake = createFakePlatform({ origin });

  async function handle(request: Request): Promise<Response> {
    switch (new URL(request.url).pathname) {
      case "/":
        return content(
          "text/html",
          '<!doctype html><script type="module" src="/-/script"></script>',
        );
      case "/-/script":
        return content("text/javascript", script);
      case "/-/authorize":
        return new Response(await fake.authorize(await request.text()));
      case "/-/fail":
        fake.failNext(await request.json());
        return new Response();
      case "/-/token-requests":
        return new Response(String(countTokenRequests(fake)));
      case "/-/found":
        page.resolve(await request.text());
        return new Response();
      case "/-/failed":
        page.reject(new Error(await request.text()));
        return new Response();
      default:
        return await fake.fetch(request);
    }
  }

  return {
    origin,
    page: page.promise,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function content(type: string, body: string): Response {
  return new Response(body, { headers: { "content-type": `${type}; charset=utf-8` } });
}
