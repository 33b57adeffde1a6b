/**
 * Responses and failures that neither the real platform nor the fake one produces.
 *
 * @module
 */

import { createServer, type RequestListener } from "node:http";
import {
  type AddressInfo,
  createServer as createSocketServer,
  type Server,
  type Socket,
} from "node:net";
import { onTestFinished } from "vitest";
import { discord, type Fetch, type Platform } from "../../mod.ts";

export type Responder = (request: Request) => Response | Promise<Response>;

/** Makes a `fetch` that uses these responders in turn, repeats the last, and records its requests. */
export function fakeFetch(...responders: readonly Responder[]): {
  readonly fetch: Fetch;
  readonly requests: readonly Request[];
} {
  const requests: Request[] = [];
  const fetch: Fetch = async (url, init) => {
    const request = new Request(url, init);
    const responder = responders[Math.min(requests.length, responders.length - 1)];
    requests.push(request);
    if (!responder) throw new Error("fakeFetch() needs a responder");
    return await responder(request);
  };
  // The list is not enumerable: a client accepts the whole as its options, though it refuses unknown names.
  return Object.defineProperty({ fetch, requests }, "requests", { enumerable: false });
}

/** Returns a responder with a body: a string as it is, any other value as JSON. */
export function respondWith(body: unknown, init?: ResponseInit): Responder {
  return () => new Response(typeof body === "string" ? body : JSON.stringify(body), init);
}

/** Returns a responder that rejects with an error. */
export function rejectWith(error: unknown): Responder {
  return () => Promise.reject(error);
}

/** Never settles, and ignores the signal. */
export function neverRespond(): Promise<Response> {
  return new Promise(() => {});
}

/** Responds with a body that begins and never ends, and ignores the signal. */
export function respondWithoutEnd(): Response {
  return new Response(
    new ReadableStream({
      start: (body) => body.enqueue(new TextEncoder().encode('{"id":')),
      pull: () => new Promise(() => {}),
    }),
  );
}

/** Serves HTTP on this machine until the test has finished, and returns its platform. */
export function serveHttp(listener: RequestListener): Promise<Platform> {
  const server = createServer(listener);
  onTestFinished(() => server.closeAllConnections());
  return listening(server);
}

/** Accepts connections on this machine until the test has finished, and passes each to `greet` after its first data. */
export function acceptConnections(greet: (socket: Socket) => void): Promise<Platform> {
  const sockets = new Set<Socket>();
  const server = createSocketServer((socket) => {
    sockets.add(socket);
    // A broken connection does not fail the test.
    socket.on("error", () => {});
    socket.once("data", () => greet(socket));
  });
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  return listening(server);
}

/** Returns a platform on a closed port of this machine. */
export async function closedPort(): Promise<Platform> {
  const server = createSocketServer();
  const platform = await listening(server, false);
  await new Promise((resolve) => server.close(resolve));
  return platform;
}

async function listening(server: Server, closes = true): Promise<Platform> {
  if (closes) onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { ...discord, apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Returns the error of a call. */
export async function thrownBy(call: () => unknown): Promise<unknown> {
  try {
    await call();
  } catch (error) {
    return error;
  }
  throw new Error("It threw nothing");
}

/** Delays a responder. */
export function late(milliseconds: number, responder: Responder): Responder {
  return async (request) => {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    return responder(request);
  };
}
