/**
 * The fake platform on a port, which loses, delays and refuses requests, and records every code and refresh token.
 *
 * @module
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import {
  createFakePlatform,
  type FakePlatform,
  type FakeUser,
  nodeListener,
} from "../../../src/testing/mod.ts";
import { type NodeServer, serveListener } from "../../../tests/support/node_server.ts";
import type { SimulatedClock } from "./clock.ts";
import type { Grant, Ledger, Sender, Sending } from "./ledger.ts";
import type { Random } from "./random.ts";
import { sendingHeader } from "./headers.ts";

/** The fates of a request for tokens, with their weights. */
export const fates = {
  "works": 9000,
  "works late": 400,
  "request is lost": 60,
  "never answered": 15,
  "answer is lost": 40,
  "answered after the time limit": 15,
  "arrives after the time limit": 15,
  "answered with 503, and not processed": 60,
  "processed, and answered with 500": 25,
  "answered with 429": 8,
  "blocked by the edge": 2,
  "sender is killed before": 3,
  "sender is killed after": 3,
  "sender is killed as it gets the answer": 3,
} as const;
export type Fate = keyof typeof fates;
export type Fates = Readonly<Record<Fate, number>>;

/** The weights without trouble. */
export const calmPlatform: Fates = {
  ...Object.fromEntries(Object.keys(fates).map((fate) => [fate, 0])) as Record<Fate, number>,
  works: 1,
};

/** The share of the other requests that fail. */
const otherFailures = 0.02;

/** The parts of the soak that the platform uses. */
export interface PlatformParts {
  readonly clock: SimulatedClock;
  readonly random: Random;
  readonly ledger: Ledger;
  readonly users: readonly FakeUser[];
  /** Finds a process by the name in its `User-Agent`. */
  readonly senderOf: (name: string) => Sender | null;
  readonly mayBeKilled: (sender: Sender | null) => boolean;
  /** Kills the process that may be killed. */
  readonly kill: () => void;
}

/** Serves the platform on a free port. */
export async function servePlatform(parts: PlatformParts): Promise<SoakPlatform> {
  let listener = (_request: IncomingMessage, _response: ServerResponse): void => {};
  const server = await serveListener((request, response) => listener(request, response));
  const platform = new SoakPlatform(parts, server);
  listener = platform.listener;
  return platform;
}

/** The platform. */
export class SoakPlatform implements AsyncDisposable {
  readonly origin: string;
  fates: Fates = calmPlatform;
  /** The number of requests that are being answered. */
  pending = 0;
  readonly #fake: FakePlatform;
  #sendings = 0;
  /** The people who have consented, by code. */
  readonly #people = new Map<string, string>();
  readonly #parts: PlatformParts;
  readonly #server: NodeServer;

  constructor(parts: PlatformParts, server: NodeServer) {
    const { clock, users } = parts;
    this.#parts = parts;
    this.#server = server;
    this.origin = server.origin;
    const now = () => clock.now();
    this.#fake = createFakePlatform({ origin: server.origin, now, users, maxRequests: 1 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }

  /** Consents as a person, and returns the callback. */
  async consent(link: string, person: string): Promise<string> {
    const callback = await this.#fake.authorize(link, { as: person });
    this.#people.set(new URL(callback).searchParams.get("code") ?? "", person);
    return callback;
  }

  readonly listener = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    this.pending++;
    const closed = new Promise((resolve) => outgoing.once("close", resolve));
    const connection: Connection = {
      end: () => {},
      async cut() {
        outgoing.destroy();
        await closed;
        throw new Error("The connection was cut");
      },
    };
    outgoing.once("close", () => connection.end(outgoing.writableFinished));
    const handler = async (request: Request) => {
      try {
        return await this.#answer(request, connection);
      } finally {
        this.pending--;
      }
    };
    nodeListener(handler, { onError: () => {} })(incoming, outgoing);
  };

  async #answer(incoming: Request, connection: Connection): Promise<Response> {
    const { url, method, headers } = incoming;
    const body = method === "GET" ? null : await incoming.text();
    // Without the signal of the connection: the platform goes on when its client has left.
    const request = new Request(url, { method, headers, body });
    const { random } = this.#parts;
    if (!url.endsWith("/oauth2/token")) {
      if (this.fates !== calmPlatform && random.chance(otherFailures)) await connection.cut();
      return await this.#fake.handler(request);
    }
    return await this.#exchange(request, new URLSearchParams(body ?? ""), connection);
  }

  /** Answers a request for tokens. */
  async #exchange(
    request: Request,
    form: URLSearchParams,
    connection: Connection,
  ): Promise<Response> {
    const { clock, ledger } = this.#parts;
    const [, name = ""] = /, (\S+)\)$/.exec(request.headers.get("user-agent") ?? "") ?? [];
    const by = this.#parts.senderOf(name);
    const fate = this.#chooseFate(by);
    const sending: Sending = {
      id: ++this.#sendings,
      at: clock.now(),
      by,
      fate,
      result: "none",
      endedAt: null,
      isDelivered: false,
    };
    connection.end = (isDelivered) => {
      sending.endedAt = clock.now();
      // A process that was killed has read nothing, and a 500 does not say that the token was used.
      sending.isDelivered = isDelivered && by?.killedAt === null &&
        fate !== "processed, and answered with 500";
    };
    const refreshToken = form.get("refresh_token");
    const code = form.get("code") ?? "";
    ledger.count(`platform: ${fate}`);
    const grant: Grant | null = refreshToken === null
      ? { person: this.#people.get(code) ?? "", isLost: false, lastDone: null, refusedAt: null }
      : ledger.grantOf(refreshToken);
    if (refreshToken === null) ledger.sendCode(code, sending);
    else ledger.sendRefreshToken(refreshToken, sending);

    const process = async (): Promise<Response> => {
      const response = await this.#fake.handler(request);
      if (!response.ok) {
        sending.result = "refused";
        if (grant) grant.refusedAt = clock.now();
        return response;
      }
      sending.result = "done";
      const issuedAt = clock.now();
      const tokens = await response.clone().json();
      if (grant) {
        ledger.issue(grant, tokens, issuedAt);
        if (refreshToken !== null) grant.lastDone = sending;
      }
      return response;
    };
    const response = await this.#carryOut(fate, sending, process, connection);
    response.headers.set(sendingHeader, String(sending.id));
    return response;
  }

  /** Carries out a fate. */
  async #carryOut(
    fate: Fate,
    sending: Sending,
    process: () => Promise<Response>,
    connection: Connection,
  ): Promise<Response> {
    const { clock, random, kill } = this.#parts;
    const wait = (low: number, high: number) => clock.sleep(random.between(low, high));
    const notProcessed = (response: Response) => {
      sending.result = "not processed";
      return response;
    };
    await wait(10, 200);
    switch (fate) {
      case "works":
        return await process();
      case "works late": {
        await wait(0, 2000);
        const response = await process();
        await wait(0, 2000);
        return response;
      }
      case "request is lost":
        return await connection.cut();
      case "never answered":
        await wait(13_000, 14_000);
        return await connection.cut();
      case "answer is lost":
        return withBrokenBody(await process());
      case "answered after the time limit": {
        const response = await process();
        await wait(13_000, 14_000);
        return response;
      }
      case "arrives after the time limit":
        await wait(11_500, 13_500);
        return await process();
      case "answered with 503, and not processed":
        return notProcessed(new Response("Service Unavailable", { status: 503 }));
      case "processed, and answered with 500":
        await process();
        return Response.json({ message: "Internal Server Error", code: 0 }, { status: 500 });
      case "answered with 429": {
        const retryAfter = random.between(1, 8);
        const body = { message: "You are being rate limited.", retry_after: retryAfter };
        const headers = { "retry-after": String(Math.ceil(retryAfter)) };
        return notProcessed(Response.json({ ...body, global: false }, { status: 429, headers }));
      }
      case "blocked by the edge": {
        const headers = { "content-type": "text/html", "retry-after": "5" };
        return notProcessed(new Response("<h1>Blocked</h1>", { status: 403, headers }));
      }
      case "sender is killed before":
        kill();
        return await process();
      case "sender is killed after": {
        const response = await process();
        kill();
        return response;
      }
      case "sender is killed as it gets the answer":
        setTimeout(kill, random.between(0, 10));
        return await process();
    }
  }

  #chooseFate(by: Sender | null): Fate {
    const fate = this.#parts.random.weighted(this.fates);
    return fate.startsWith("sender is killed") && !this.#parts.mayBeKilled(by) ? "works" : fate;
  }
}

/** The connection of a request. */
interface Connection {
  /** Called once, with true if the whole response was sent. */
  end: (isDelivered: boolean) => void;
  /** Closes it without an answer. */
  cut(): Promise<never>;
}

/** Returns a response that breaks off in the middle of its body. */
function withBrokenBody(response: Response): Response {
  const { status, headers } = response;
  let pulls = 0;
  const body = new ReadableStream({
    pull(controller) {
      if (pulls++ === 0) controller.enqueue(new TextEncoder().encode('{"access_token":'));
      else controller.error(new Error("Cut"));
    },
  }, { highWaterMark: 0 });
  return new Response(body, { status, headers });
}
