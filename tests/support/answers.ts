/**
 * Answers and failures that neither the real platform nor the fake one gives on purpose.
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

export type Answer = (request: Request) => Response | Promise<Response>;

/** A `fetch` that gives these answers in turn, the last one from then on, and the requests it got. */
export function answering(...answers: readonly Answer[]): {
  readonly fetch: Fetch;
  readonly requests: readonly Request[];
} {
  const requests: Request[] = [];
  return {
    requests,
    async fetch(input, init) {
      const request = new Request(input, init);
      const answer = answers[Math.min(requests.length, answers.length - 1)];
      requests.push(request);
      if (!answer) throw new Error("There is no answer to give");
      return await answer(request);
    },
  };
}

/** An answer with a body: a string as it is, anything else as JSON. */
export function saying(body: unknown, init?: ResponseInit): Answer {
  return () => new Response(typeof body === "string" ? body : JSON.stringify(body), init);
}

/** No answer, but what `fetch` rejects with. */
export function failing(error: unknown): Answer {
  return () => Promise.reject(error);
}

/** Neither an answer nor an end, whatever the signal says. */
export function hanging(): Promise<Response> {
  return new Promise(() => {});
}

/** An answer whose body begins and never ends, whatever the signal says. */
export function stalling(): Response {
  return new Response(
    new ReadableStream({
      start: (body) => body.enqueue(new TextEncoder().encode('{"id":')),
      pull: () => new Promise(() => {}),
    }),
  );
}

/** Serves HTTP on this machine until the test has finished, and gives where. */
export function serving(listener: RequestListener): Promise<Platform> {
  const server = createServer(listener);
  onTestFinished(() => server.closeAllConnections());
  return listening(server);
}

/** Accepts connections on this machine until the test has finished; each is handed over when it has sent something. */
export function accepting(greet: (socket: Socket) => void): Promise<Platform> {
  const sockets = new Set<Socket>();
  const server = createSocketServer((socket) => {
    sockets.add(socket);
    // What the other side does to a connection is not what is tested.
    socket.on("error", () => {});
    socket.once("data", () => greet(socket));
  });
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  return listening(server);
}

/** A port of this machine where nobody listens. */
export async function refusing(): Promise<Platform> {
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

/** What a call throws. */
export async function thrownBy(call: () => unknown): Promise<unknown> {
  try {
    await call();
  } catch (error) {
    return error;
  }
  throw new Error("It threw nothing");
}
