/**
 * Translates between `node:http` and `fetch`, for Express, Koa, Next's Pages Router, Fastify and Node's own servers. This module
 * imports nothing from Node.
 *
 * @module
 */

/**
 * The part of Node's `IncomingMessage` that {@link toRequest} uses. The requests of Express, Koa (`ctx.req`) and Next have these
 * fields.
 */
export interface IncomingRequest extends AsyncIterable<Uint8Array> {
  /** The method. */
  readonly method?: string | undefined;
  /** The request target: a path with a query, or a whole URL. */
  readonly url?: string | undefined;
  /** The request target before Express removed the router's path. */
  readonly originalUrl?: string | undefined;
  /** The headers by lowercase name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The connection. A TLS connection has `encrypted: true`. */
  readonly socket: object;
  /** True once a part of the body was read. */
  readonly readableDidRead?: boolean | undefined;
}

/** The part of Node's `ServerResponse` that {@link toRequest} uses. */
export interface ConnectionState {
  /** True once the connection is closed. */
  readonly destroyed: boolean;
  /** True once the application has ended the response. */
  readonly writableEnded: boolean;
  /** Listens for the end of the connection. */
  on(event: "close", listener: () => void): unknown;
}

/** The part of Node's `ServerResponse` that {@link toRequest} and {@link sendResponse} use. */
export interface OutgoingResponse extends ConnectionState {
  /** The status. */
  statusCode: number;
  /** The request. */
  readonly req: { readonly method?: string | undefined };
  /** Returns the current value of a header. */
  getHeader(name: string): number | string | string[] | undefined;
  /** Sets a header. */
  setHeader(name: string, value: string | string[]): unknown;
  /** Sends a part of the body. Returns false if the caller should wait for the event `drain`. */
  write(chunk: Uint8Array): boolean;
  /** Ends the response. */
  end(): unknown;
  /** Closes the connection without ending the response. */
  destroy(): unknown;
  /** Listens for the end of the connection (`close`), or for free space in the write buffer (`drain`). */
  on(event: "close" | "drain", listener: () => void): unknown;
}

/**
 * Builds a `Request` from Node's request. It never throws because of the client.
 *
 * - The body stays unread until the application reads it from the `Request`, so other routes can parse it. If a parser has
 *   already read the body, reading it from the `Request` rejects with a `TypeError`.
 * - The URL has the host of the `Host` header, and `https:` only on a TLS connection. Headers such as `X-Forwarded-Proto` are
 *   ignored, since any client can send them. For an invalid `Host` header, the host is `unknown.invalid`.
 * - `signal` aborts when the client disconnects before the response ends, even in a `clone()`. A copy by `new Request(request)` needs
 *   the option `{ signal: request.signal }` for this.
 * - `CONNECT`, `TRACE` and `TRACK` become `OPTIONS`, since a `Request` can't have these methods. Invalid headers are left out,
 *   for example a header with a NUL.
 *
 * @example
 * ```ts
 * import { createServer } from "node:http";
 * import { sendResponse, toRequest } from "@guildpass/sdk/node";
 *
 * const server = createServer(async (req, res) => {
 *   const request = toRequest(req, res);
 *   const { pathname } = new URL(request.url);
 *   await sendResponse(res, new Response(`You are at ${pathname}`));
 * });
 * // server.listen(3000);
 * ```
 *
 * @param incoming Node's request.
 * @param outgoing Node's response.
 * @throws {TypeError} If an argument is not an object of Node, such as a `Request`.
 */
export function toRequest(incoming: IncomingRequest, outgoing: ConnectionState): Request {
  const { method = "GET", headers, socket } = Object(incoming) as IncomingRequest;
  if (!headers || !socket) {
    throwBadArgument("incoming must be Node's request, as in toRequest(req, res)", incoming);
  }
  if (!outgoing?.on) throwBadArgument(outgoingExpected, outgoing);
  // A body that is a stream needs `duplex`, which some types of `RequestInit` lack.
  const duplex: object = { duplex: "half" };
  const create = (headers: HeadersInit) => {
    const request = new Request(readUrl(incoming), {
      // A `Request` refuses these methods (Fetch section 2.2.1).
      method: /^(CONNECT|TRACE|TRACK)$/i.test(method) ? "OPTIONS" : method,
      headers,
      ...(!/^(GET|HEAD)$/i.test(method) && { body: bodyStream(incoming), ...duplex }),
    });
    return withLateSignal(request, outgoing);
  };
  try {
    // A `Request` reads an object faster than a `Headers`.
    if (hasOneValueEach(headers)) return create(headers);
  } catch {
    // Some headers are invalid.
  }
  return create(validHeaders(headers));
}

const outgoingExpected =
  "outgoing must be Node's response, as in toRequest(req, res) and sendResponse(res, response)";

/** Throws the error for a wrong argument. It names the kind of the received value, as in `Request` and `Null`. */
function throwBadArgument(expectation: string, received: unknown): never {
  const kind = Object.prototype.toString.call(received).slice(8, -1);
  throw new TypeError(`${expectation}, received ${kind}`);
}

/**
 * Makes a request create its signal when it is first read. In Node, a `Request` that follows a signal from the start costs more than
 * all its other parts together.
 */
function withLateSignal(request: Request, outgoing: ConnectionState): Request {
  const { clone } = request;
  let signal: AbortSignal | undefined;
  const readSignal = () => signal ??= disconnectionOf(outgoing);
  const cloneWithSignal = () => {
    // The types of Workers give the method type parameters.
    const copy: unknown = Reflect.apply(clone, request, []);
    return new Request(copy as Request, { signal: readSignal() });
  };
  return Object.defineProperties(request, {
    signal: { get: readSignal },
    clone: { value: cloneWithSignal },
  });
}

/** Returns a signal that aborts when the client disconnects before the response ends. */
function disconnectionOf(outgoing: ConnectionState): AbortSignal {
  const disconnection = new AbortController();
  const abortIfLeft = () => {
    if (!outgoing.writableEnded) disconnection.abort();
  };
  if (outgoing.destroyed) abortIfLeft();
  outgoing.on("close", abortIfLeft);
  return disconnection.signal;
}

function hasOneValueEach(
  headers: IncomingRequest["headers"],
): headers is Readonly<Record<string, string>> {
  return Object.values(headers).every((value) => typeof value === "string");
}

function validHeaders(incoming: IncomingRequest["headers"]): Headers {
  const headers = new Headers();
  for (const [name, value = []] of Object.entries(incoming)) {
    for (const one of [value].flat()) {
      try {
        headers.append(name, one);
      } catch {
        // HTTP/2 headers include `:path` and others, and some parsers accept control characters.
      }
    }
  }
  return headers;
}

function readUrl({ headers, socket, url, originalUrl = url ?? "/" }: IncomingRequest): string {
  const scheme = "encrypted" in socket && socket.encrypted === true ? "https" : "http";
  const host = headers[":authority"] ?? headers.host ?? "localhost";
  const origin = `${scheme}://${host}`;
  // With the slash, since a URL loses the control characters at its end.
  const isHost = /^[^\s/\\?#@]+$/.test(`${host}`) && URL.canParse(`${origin}/`);
  // Clients send whole URLs to proxies only, but every server must accept them (RFC 9112 section 3.2.2).
  const target = URL.canParse(originalUrl) ? pathOf(new URL(originalUrl)) : originalUrl;
  const path = target.startsWith("/") ? target : `/${target}`;
  // Joined as text: resolved against a base, "//other.example/" would be another host.
  return (isHost ? origin : `${scheme}://unknown.invalid`) + path;
}

function pathOf({ pathname, search }: URL): string {
  return pathname + search;
}

/** Reads the body from the connection only as fast as the application reads the stream. */
function bodyStream(incoming: IncomingRequest): ReadableStream<Uint8Array<ArrayBuffer>> {
  let chunks: AsyncIterator<Uint8Array> | undefined;
  return new ReadableStream({
    async pull(controller) {
      if (!chunks && incoming.readableDidRead) {
        throw new TypeError(
          "The body of the request was already read, such as by express.json(): use its result, or add that parser after this handler",
        );
      }
      chunks ??= incoming[Symbol.asyncIterator]();
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
    cancel() {
      // Node discards an unread body, but not the rest of a partly read one: the next request would wait.
      if (chunks) discard(chunks).catch(() => {});
    },
  }, { highWaterMark: 0 });
}

/** Reads and drops the rest of the body. Rejects when the client disconnects. */
async function discard(chunks: AsyncIterator<Uint8Array>): Promise<void> {
  while (!(await chunks.next()).done);
}

/**
 * Sends a `Response` through Node's response, and waits until the body is written or the client has disconnected.
 *
 * - Cookies and `Vary` are added to the values that a middleware has set. Any other header replaces an existing header.
 * - Headers are set one by one, for middlewares that hook `res.writeHead()`.
 * - The response's body is canceled when the client disconnects. If reading the body fails, the connection is closed, and the
 *   promise rejects.
 *
 * @example
 * ```ts
 * import { generateState } from "@guildpass/sdk";
 * import { Login } from "@guildpass/sdk/login";
 * import {
 *   type IncomingRequest,
 *   type OutgoingResponse,
 *   sendResponse,
 *   toRequest,
 * } from "@guildpass/sdk/node";
 *
 * const login = new Login({
 *   clientId: "1024000000000000000",
 *   clientSecret: "the-text-that-you-copied",
 *   scope: ["identify"],
 *   secret: generateState(), // yours: from the environment
 * });
 *
 * // In Express: app.use(handleLogin);
 * async function handleLogin(
 *   req: IncomingRequest,
 *   res: OutgoingResponse,
 *   next: () => void,
 * ) {
 *   const response = await login.handle(toRequest(req, res));
 *   return response ? await sendResponse(res, response) : next();
 * }
 * ```
 *
 * @param outgoing Node's response.
 * @param response The response to send.
 * @throws {TypeError} If an argument is wrong, such as `null`, which `handle` returns for other paths.
 */
export async function sendResponse(
  outgoing: OutgoingResponse,
  response: Response,
): Promise<void> {
  const { status, headers, body } = Object(response) as Response;
  if (!outgoing?.setHeader) throwBadArgument(outgoingExpected, outgoing);
  if (!headers?.getSetCookie) {
    throwBadArgument("response must be a Response (handle returns null for other paths)", response);
  }
  if (outgoing.destroyed) return await body?.cancel();
  outgoing.statusCode = status;
  for (const [name, value] of headers) {
    const earlier = outgoing.getHeader(name) ?? [];
    if (name === "set-cookie") outgoing.setHeader(name, [earlier, value].flat().map(String));
    else if (name === "vary") outgoing.setHeader(name, [earlier, value].flat().join(", "));
    else outgoing.setHeader(name, value);
  }
  if (outgoing.req.method === "HEAD") await body?.cancel();
  else if (body) await sendBody(outgoing, body);
  outgoing.end();
}

/** Sends the body as fast as the client reads it. */
async function sendBody(
  outgoing: OutgoingResponse,
  body: ReadableStream<Uint8Array>,
): Promise<void> {
  const reader = body.getReader();
  let proceed = (): void => {};
  outgoing.on("drain", () => proceed());
  outgoing.on("close", () => {
    proceed();
    // The client has left: a failed cancel has no effect.
    reader.cancel().catch(() => {});
  });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const drained = new Promise<void>((resolve) => proceed = resolve);
      if (!outgoing.write(value) && !outgoing.destroyed) await drained;
    }
  } catch (error) {
    // Otherwise `destroy()` would drop what was just written.
    await new Promise((resolve) => setTimeout(resolve));
    outgoing.destroy();
    throw error;
  }
}
