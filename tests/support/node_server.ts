import { createServer, type RequestListener, type Server, type ServerOptions } from "node:http";
import type { AddressInfo } from "node:net";
import { nodeListener } from "../../src/testing/mod.ts";

/** A server on this machine. */
export interface NodeServer extends AsyncDisposable {
  readonly origin: string;
}

/** Serves HTTP on a free port. */
export async function serveListener(
  listener: RequestListener,
  options: ServerOptions = {},
): Promise<NodeServer> {
  const server = createServer(options, listener);
  return opened(server, `http://127.0.0.1:${await listen(server)}`);
}

/** Serves a request handler on a free port, under the name `localhost`. */
export async function serveHandler(
  handler: (request: Request) => Promise<Response>,
): Promise<NodeServer> {
  const server = createServer();
  const origin = `http://localhost:${await listen(server)}`;
  server.on("request", nodeListener(handler, { origin }));
  return opened(server, origin);
}

function opened(server: Server, origin: string): NodeServer {
  return {
    origin,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Makes a server listen on a free port of this machine, and returns the port. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}
