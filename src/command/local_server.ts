/**
 * Starts an HTTP server that only this machine can reach.
 *
 * @module
 */

import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { CommandError, type Terminal } from "./terminal.ts";

/** The ports that a server may use. */
export interface Ports {
  /** The only port to try; 0 for any free port; `null` for the first free port from `first` on. */
  readonly wanted: number | null;
  /** The port to try first. */
  readonly first: number;
  /**
   * True to skip a port that another program uses on `[::1]`, since a browser may resolve `localhost` to `[::1]`.
   * @default {false}
   */
  readonly isLocalhost?: boolean;
}

/** The IP address of the server. */
export const loopback = "127.0.0.1";

/**
 * Starts a server. The server stops when the terminal's signal aborts, or if `createListener` throws.
 *
 * @param createListener Creates the request listener for the port in use.
 * @throws {CommandError} If no port is free.
 */
export async function startServer(
  ports: Ports,
  { signal }: Terminal,
  createListener: (port: number) => RequestListener | Promise<RequestListener>,
): Promise<void> {
  const server = createServer();
  const port = await listen(server, ports);
  const stop = (): void => {
    server.close();
    server.closeAllConnections();
  };
  signal?.addEventListener("abort", stop);
  try {
    server.on("request", await createListener(port));
  } catch (error) {
    stop();
    throw error;
  }
}

/** Listens on the wanted port, or on the first free port. Returns the port. */
async function listen(server: Server, { wanted, first, isLocalhost }: Ports): Promise<number> {
  const last = Math.min(first + 100, 65535);
  let port = wanted ?? first;
  for (;;) {
    try {
      if (isLocalhost && await servesIpv6(port)) throw new Error("another program uses [::1]");
      await once(server.listen(port, loopback), "listening");
      return (server.address() as AddressInfo).port;
    } catch (error) {
      if (wanted !== null || port === last) {
        const { message } = error as Error;
        throw new CommandError(`Can't use port ${port}: ${message}; give another one with --port`);
      }
      port++;
    }
  }
}

function servesIpv6(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "::1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
