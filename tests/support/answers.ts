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

/** Makes a `fetch` that gives these answers in turn and then repeats the last one, and records its requests. */
export function fakeFetch(...answers: readonly Responder[]): {
  readonly fetch: Fetch;
  readonly requests: readonly Request[];
} {
  const requests: Request[] = [];
  const fetch: Fetch = async (input, init) => {
    const request = new Request(input, init);
    const answer = answers[Math.min(requests.length, answers.length - 1)];
    requests.push(request);
    if (!answer) throw new Error("There is no answer to give");
    return await answer(request);
  };
  // The list is not enumerable, so that a client, which refuses options with unknown names, takes the whole as its options.
  return Object.defineProperty({ fetch, requests }, "requests", { enumerable: false });
}

/** Answers with a body: a string as it is, anything else as JSON. */
export function respondWith(body: unknown, init?: ResponseInit): Responder {
  return () => new Response(typeof body === "string" ? body : JSON.stringify(body), init);
}

/** Rejects with an error, as `fetch` does. */
export function rejectWith(error: unknown): Responder {
  return () => Promise.reject(error);
}

/** Never settles, and ignores the signal. */
export function neverRespond(): Promise<Response> {
  return new Promise(() => {});
}

/** Answers with a body that begins and never ends, and ignores the signal. */
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

/** Accepts connections on this machine until the test has finished, and passes each to `greet` once it has sent something. */
export function acceptConnections(greet: (socket: Socket) => void): Promise<Platform> {
  const sockets = new Set<Socket>();
  const server = createSocketServer((socket) => {
    sockets.add(socket);
    // A connection that the other side breaks does not fail the test.
    socket.on("error", () => {});
    socket.once("data", () => greet(socket));
  });
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  return listening(server);
}

/** Returns a platform on a port of this machine on which nothing listens. */
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

/** Returns the error that a call throws. */
export async function thrownBy(call: () => unknown): Promise<unknown> {
  try {
    await call();
  } catch (error) {
    return error;
  }
  throw new Error("It threw nothing");
}

/** Returns a responder that answers after a time. */
export function late(milliseconds: number, answer: Responder): Responder {
  return async (request) => {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    return answer(request);
  };
}
