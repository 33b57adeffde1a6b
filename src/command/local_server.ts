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

/** A server's listener, and the text that says how to use the server. */
export interface Service {
  readonly listener: RequestListener;
  readonly instructions: string;
}

/** The IP address of the server. */
export const loopback = "127.0.0.1";

/**
 * Starts a server, and prints its instructions. The server stops when the terminal's signal aborts, or if `createService` throws.
 *
 * @param createService Creates the service for the port in use.
 * @throws {CommandError} If no port is free.
 */
export async function startServer(
  ports: Ports,
  { print, signal }: Terminal,
  createService: (port: number) => Service | Promise<Service>,
): Promise<void> {
  const server = createServer();
  const port = await listen(server, ports);
  const stop = (): void => {
    server.close();
    server.closeAllConnections();
  };
  signal?.addEventListener("abort", stop);
  try {
    const { listener, instructions } = await createService(port);
    const { wanted, first } = ports;
    if (wanted === null && port !== first) {
      print(`Port ${first} is taken, so the server uses ${port}`);
    }
    print(`${instructions}\nPress Ctrl+C to stop it`);
    server.on("request", listener);
  } catch (error) {
    stop();
    throw error;
  }
}

/** Listens on the wanted port, or on the first free port. Returns the port. */
async function listen(server: Server, { wanted, first, isLocalhost }: Ports): Promise<number> {
  try {
    return wanted === null
      ? await listenFrom(server, first, isLocalhost)
      : await listenAt(server, wanted, isLocalhost);
  } catch (error) {
    const port = wanted ?? first;
    const spare = createServer();
    const next = await listenFrom(spare, port + 1, isLocalhost).catch(() => null);
    spare.close();
    throw new CommandError(portProblem(port, error, next));
  }
}

/** Listens on the first free port of a hundred. Returns the port. */
async function listenFrom(server: Server, first: number, isLocalhost?: boolean): Promise<number> {
  const last = Math.min(first + 100, 65535);
  for (let port = first;; port++) {
    try {
      return await listenAt(server, port, isLocalhost);
    } catch (error) {
      if (port >= last) throw error;
    }
  }
}

async function listenAt(server: Server, port: number, isLocalhost?: boolean): Promise<number> {
  if (isLocalhost && await servesIpv6(port)) {
    throw Object.assign(new Error("Another program uses [::1]"), { code: "EADDRINUSE" });
  }
  await once(server.listen(port, loopback), "listening");
  return (server.address() as AddressInfo).port;
}

/**
 * Says why a port can't be used, and what to do.
 *
 * @param error The error of the server.
 * @param next A free port, or `null` if there is none.
 */
export function portProblem(port: number, error: unknown, next: number | null): string {
  const { code, message } = error as Error & { readonly code?: string };
  const problem = code === "EADDRINUSE"
    ? `Port ${port} is taken`
    : `Can't use port ${port} (${message})`;
  return next === null
    ? `${problem}: choose another one with --port`
    : `${problem}: use the next free one with --port ${next}`;
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
