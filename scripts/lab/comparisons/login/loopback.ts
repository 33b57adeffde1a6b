/**
 * Serves an application on loopback, and forwards requests to it.
 *
 * @module
 */

import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { Handler } from "./browser.ts";

/** Serves on a free port and returns the port. */
export async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** Returns a handler that forwards requests to a server, as a proxy does. */
export function forwardTo(port: number): Handler {
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const { method, headers } = request;
    const body = await request.text();
    const response = await fetch(`http://127.0.0.1:${port}${pathname}${search}`, {
      method,
      headers,
      redirect: "manual",
      ...(body && { body }),
    });
    // The server may end in the middle of the body.
    const text = await response.text();
    const forwarded = new Response(text === "" ? null : text, response);
    // It is no longer compressed.
    forwarded.headers.delete("content-encoding");
    forwarded.headers.delete("content-length");
    return forwarded;
  };
}
