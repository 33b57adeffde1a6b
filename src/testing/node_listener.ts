/**
 * Serves a fetch handler with `node:http`.
 *
 * It is written against the shape of Node's requests and responses, without an import from Node: the rest of
 * the fake platform runs in pages and Workers too.
 *
 * @module
 */

import { isPlannedCut } from "./faults/bodies.ts";
import { parseOrigin } from "./world/origin.ts";

/** What {@link nodeListener} takes besides the handler. */
export interface NodeListenerOptions {
  /**
   * Scheme, host and port of the URLs that the handler sees. Set it behind a proxy: `X-Forwarded-Proto` and
   * the like are not read, as anybody can send them.
   * @default the `Host` header, with `https:` on a TLS connection and `http:` on any other
   */
  readonly origin?: string;
  /**
   * Called with what the handler threw, or with what broke the body of its answer.
   * @default console.error
   */
  readonly onError?: (error: unknown) => void;
}

/** The part of Node's `IncomingMessage` that is used here. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  /** The method. */
  readonly method?: string | undefined;
  /** The request target: path and query, or a whole URL as proxies are sent. */
  readonly url?: string | undefined;
  /** The headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The connection; a TLS one has `encrypted: true`. */
  readonly socket: object;
}

/** The part of Node's `ServerResponse` that is used here. */
export interface NodeResponse {
  /** Whether the status and the headers were sent. */
  readonly headersSent: boolean;
  /** Whether everything was handed over to the system. */
  readonly writableFinished: boolean;
  /** Sends status and headers. */
  writeHead(status: number, headers: Record<string, string | string[]>): unknown;
  /** Sends a part of the body, and calls back when that is done. */
  write(chunk: Uint8Array, done: () => void): unknown;
  /** Ends the response. */
  end(body?: string): unknown;
  /** Closes the connection without ending the response. */
  destroy(): unknown;
  /** Listens for the end of the response or of the connection. */
  on(event: "close", listener: () => void): unknown;
}

/**
 * Makes a handler into a listener for `createServer` of `node:http` or `node:https`.
 *
 * - Bodies are streamed both ways, and each `Set-Cookie` header is sent as one.
 * - When the client disconnects, `request.signal` aborts and the body of the answer is cancelled.
 * - When the handler throws, the client gets a 500 that says no more than that. When the body of an answer
 *   breaks, or a failure with `cut` was asked for, the connection is closed.
 * - A request whose URL or method can't be put into a `Request` is answered with 400.
 *
 * @throws {TypeError} When `origin` is not scheme, host and port of an HTTP server.
 *
 * @example The fake platform on a port of its own
 * ```ts
 * import { createServer } from "node:http";
 * import { createFakePlatform, nodeListener } from "@guildpass/sdk/testing";
 *
 * const fake = createFakePlatform({ origin: "http://127.0.0.1:8788" });
 * const server = createServer(nodeListener(fake.fetch));
 * // server.listen(8788, "127.0.0.1");
 * ```
 */
export function nodeListener(
  handler: (request: Request) => Response | Promise<Response>,
  { origin, onError = console.error }: NodeListenerOptions = {},
): (incoming: NodeRequest, outgoing: NodeResponse) => void {
  const fixedOrigin = origin === undefined ? undefined : parseOrigin(origin);
  return (incoming, outgoing) => {
    serve(incoming, outgoing, handler, fixedOrigin).catch(onError);
  };
}

/** Answers one request. Rejects, after the client was answered, with what the handler threw. */
async function serve(
  incoming: NodeRequest,
  outgoing: NodeResponse,
  handler: (request: Request) => Response | Promise<Response>,
  origin: string | undefined,
): Promise<void> {
  const gone = new AbortController();
  outgoing.on("close", () => {
    // It also closes after the answer was sent, which must not abort what the handler still does.
    if (!outgoing.writableFinished) gone.abort();
  });
  const request = readRequest(incoming, origin, gone);
  if (request === null) return sendText(outgoing, 400, "Bad Request");
  try {
    const response = await handler(request);
    outgoing.writeHead(response.status, headersOf(response));
    if (request.method === "HEAD") await response.body?.cancel();
    else await sendBody(response, outgoing, gone.signal);
    if (!gone.signal.aborted) outgoing.end();
  } catch (error) {
    // Nobody is left to answer, and most handlers reject with the reason of the signal then.
    if (gone.signal.aborted) return;
    const planned = isPlannedCut(error);
    if (planned || outgoing.headersSent) outgoing.destroy();
    else sendText(outgoing, 500, "Internal Server Error");
    if (!planned) throw error;
  }
}

/** `null` when the target, the `Host` header or the method can't be part of a `Request`. */
function readRequest(
  incoming: NodeRequest,
  origin: string | undefined,
  gone: AbortController,
): Request | null {
  const { method = "GET", headers } = incoming;
  const url = readUrl(incoming, origin);
  // The methods that a `Request` refuses (Fetch section 2.2.1).
  if (url === null || /^(CONNECT|TRACE|TRACK)$/.test(method)) return null;
  const init = {
    method,
    signal: gone.signal,
    headers: Object.entries(headers).flatMap(([name, value = []]) =>
      [value].flat().map((one): [string, string] => [name, one])
    ),
  };
  if (method === "GET" || method === "HEAD") return new Request(url, init);
  // A body that is a stream needs `duplex`, which the types do not know everywhere.
  const duplex: object = { duplex: "half" };
  return new Request(url, { ...init, body: streamOf(incoming, gone), ...duplex });
}

function readUrl(incoming: NodeRequest, origin: string | undefined): string | null {
  const { url = "/", headers: { host = "localhost" }, socket } = incoming;
  const scheme = "encrypted" in socket && socket.encrypted === true ? "https" : "http";
  // Joined as text: resolved against a base, "//other.example/" would be another host.
  if (url.startsWith("/")) {
    if (origin !== undefined) return origin + url;
    return isHost(host) && URL.canParse(`${scheme}://${host}`) ? `${scheme}://${host}${url}` : null;
  }
  // Whole URLs are sent to proxies, but servers must take them too (RFC 9112 section 3.2.2).
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return null;
  const { pathname, search, host: named } = new URL(url);
  return `${origin ?? `${scheme}://${named}`}${pathname}${search}`;
}

/** Whether a `Host` header is a name or an address with an optional port, so that it can't change the path. */
function isHost(host: unknown): host is string {
  return typeof host === "string" && /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(host);
}

/** A body that is read from the connection as fast as the handler reads it. */
function streamOf(
  incoming: NodeRequest,
  gone: AbortController,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks = incoming[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(new Uint8Array(value));
      } catch (error) {
        // The client disconnected. Some runtimes say so here before the response closes.
        gone.abort();
        throw error;
      }
    },
  }, { highWaterMark: 0 });
}

function headersOf(response: Response): Record<string, string | string[]> {
  const cookies = response.headers.getSetCookie();
  return {
    ...Object.fromEntries(response.headers),
    ...(cookies.length > 0 ? { "set-cookie": cookies } : {}),
  };
}

/** Sends the body as fast as the client takes it, and cancels it when the client disconnects. */
async function sendBody(
  { body }: Response,
  outgoing: NodeResponse,
  gone: AbortSignal,
): Promise<void> {
  if (body === null) return;
  const reader = body.getReader();
  let goOn = (): void => {};
  gone.addEventListener("abort", () => {
    goOn();
    // What a body does when it is cancelled is not the concern of a client that has left.
    reader.cancel(gone.reason).catch(() => {});
  });
  for (;;) {
    const { done, value } = await reader.read();
    if (done || gone.aborted) return;
    await new Promise<void>((resolve) => {
      goOn = resolve;
      // Waits until it was sent, so that closing the connection after a failure loses nothing before it.
      outgoing.write(value, () => resolve());
    });
  }
}

function sendText(outgoing: NodeResponse, status: number, text: string): void {
  outgoing.writeHead(status, { "content-type": "text/plain; charset=utf-8" });
  outgoing.end(`${text}\n`);
}
