import { createServer, type RequestListener, type Server, type ServerOptions } from "node:http";
import type { AddressInfo } from "node:net";

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
  const port = await listen(server);
  return {
    origin: `http://127.0.0.1:${port}`,
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
