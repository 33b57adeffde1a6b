/**
 * Serves a fetch handler with `node:http`. This module imports nothing from Node, since the fake platform also runs in pages and
 * Workers.
 *
 * @module
 */

import { type IncomingRequest, type OutgoingResponse, sendResponse, toRequest } from "../node.ts";
import { isPlannedCut } from "./faults/bodies.ts";
import { notePage } from "./pages/page.ts";
import { isHost, isLoopback, parseHostname, parseOrigin } from "./world/origin.ts";

/** The options of {@link nodeListener}. */
export interface NodeListenerOptions {
  /**
   * The scheme, host and port of the handler's URLs. Set this option behind a proxy: headers such as `X-Forwarded-Proto` are
   * ignored, since every client can send them.
   * @default the `Host` header, with `https:` on a TLS connection and `http:` otherwise
   */
  readonly origin?: string | undefined;
  /**
   * The accepted host names in addition to this machine's (`localhost`, `*.localhost`, `127.0.0.1`, `[::1]`) and the host of
   * `origin`. Requests for other hosts get a 403: otherwise, a website could resolve its own name to this machine (DNS
   * rebinding), send any request, and read the response.
   * @default []
   */
  readonly hosts?: readonly string[] | undefined;
  /**
   * Called with the host of a refused request. A browser gets the returned response, or a built-in page. Return a new `Response`
   * each time, since a body can be read only once.
   * @default {a warning on the console}
   */
  readonly onRefusedHost?: ((hostname: string) => Response | void) | undefined;
  /**
   * Called with an error of the handler, of `onRefusedHost`, or of the response's body.
   * @default console.error
   */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** The part of Node's `IncomingMessage` that {@link nodeListener} uses. */
export type NodeRequest = IncomingRequest;

/** The part of Node's `ServerResponse` that {@link nodeListener} uses. */
export interface NodeResponse extends OutgoingResponse {
  /** True once the status and the headers are sent. */
  readonly headersSent: boolean;
}

/**
 * Turns a fetch handler into a listener for `createServer` of `node:http` or `node:https`.
 *
 * - Bodies are streamed in both directions, and several `Set-Cookie` headers stay separate.
 * - `request.signal` aborts and the response's body is canceled when the client disconnects.
 * - If the handler throws, the client gets a 500. An error in the response's body, or a failure with `cut`, closes the
 *   connection.
 * - A request gets a 400 if its URL, method or headers are not valid in a `Request`.
 * - A request for a host other than this machine gets a 403, unless `origin` or `hosts` contains the host.
 * - The body of such a 400, 403 or 500 is a page for a browser, and one line of text for any other client.
 *
 * @param handler The fetch handler.
 * @param options The `origin` behind a proxy, and the accepted `hosts`.
 * @throws {TypeError} If `origin` is not the scheme, host and port of an HTTP server, or an entry of `hosts` is not the name of a
 * host.
 *
 * @example
 * ```ts
 * import { createServer } from "node:http";
 * import {
 *   createFakePlatform,
 *   nodeListener,
 * } from "@guildpass/sdk/testing";
 *
 * const fake = createFakePlatform({ origin: "http://127.0.0.1:8788" });
 * const server = createServer(nodeListener(fake.fetch));
 * // server.listen(8788, "127.0.0.1");
 * ```
 */
export function nodeListener(
  handler: (request: Request) => Response | Promise<Response>,
  options: NodeListenerOptions = {},
): (incoming: NodeRequest, outgoing: NodeResponse) => void {
  const { origin, hosts = [], onRefusedHost = warnOfHost, onError = console.error } = options;
  const fixedOrigin = origin === undefined ? undefined : parseOrigin(origin);
  const named = new Set(hosts.map((name, at) => parseHostname(name, `hosts[${at}]`)));
  if (fixedOrigin !== undefined) named.add(new URL(fixedOrigin).hostname);
  return (incoming, outgoing) => {
    const requested = requestedHostname(incoming);
    if (requested === null || isLoopback(requested) || named.has(requested)) {
      serve(incoming, outgoing, handler, fixedOrigin).catch(onError);
    } else {
      refuseHost(incoming, outgoing, requested, onRefusedHost).catch(onError);
    }
  };
}

function warnOfHost(hostname: string): void {
  console.warn(
    `A request for the host ${hostname} was refused: it is not this machine. To accept it, add it to the option hosts of nodeListener()`,
  );
}

/** Sends the 403 of a refused host. Rejects with an error of `onRefusedHost` or of its response, after the 403 is sent. */
async function refuseHost(
  incoming: NodeRequest,
  outgoing: NodeResponse,
  hostname: string,
  onRefusedHost: (hostname: string) => unknown,
): Promise<void> {
  const refusal = hostError(hostname);
  try {
    const page = onRefusedHost(hostname);
    await sendError(incoming, outgoing, refusal, page instanceof Response ? page : undefined);
  } catch (error) {
    await sendError(incoming, outgoing, refusal);
    throw error;
  }
}

/** Serves one request. Rejects with the handler's error after the response. */
async function serve(
  incoming: NodeRequest,
  outgoing: NodeResponse,
  handler: (request: Request) => Response | Promise<Response>,
  origin: string | undefined,
): Promise<void> {
  const request = requestOf(incoming, outgoing, origin);
  if (request === null) return await sendError(incoming, outgoing, badRequest);
  const { signal } = request;
  try {
    await sendResponse(outgoing, await handler(request));
  } catch (error) {
    const planned = isPlannedCut(error);
    // Some runtimes report a disconnection to the reader of the body first.
    if (request.bodyUsed && !planned) await new Promise((resolve) => setTimeout(resolve));
    // The client has left. In this case, most handlers reject with the signal's reason.
    if (signal.aborted) return;
    if (planned || outgoing.headersSent) outgoing.destroy();
    else await sendError(incoming, outgoing, serverError);
    if (!planned) throw error;
  }
}

/** Builds the request for the handler. Returns `null` if the target, a header or the method is not valid in a `Request`. */
function requestOf(
  incoming: NodeRequest,
  outgoing: NodeResponse,
  origin: string | undefined,
): Request | null {
  const { method = "GET", headers } = incoming;
  const url = readUrl(incoming, origin);
  // A `Request` refuses these methods (Fetch section 2.2.1).
  if (url === null || /^(CONNECT|TRACE|TRACK)$/.test(method)) return null;
  // A `Request` rejects control characters, but some parsers accept them.
  if (Object.values(headers).flat().some((value = "") => /[\0\r\n]/.test(value))) return null;
  const request = toRequest(incoming, outgoing);
  return request.url === url ? request : new Request(url, request);
}

function readUrl(incoming: NodeRequest, origin: string | undefined): string | null {
  const { url = "/", headers: { host = "localhost" }, socket } = incoming;
  const scheme = "encrypted" in socket && socket.encrypted === true ? "https" : "http";
  // Joined as text: resolved against a base, "//other.example/" would be another host.
  if (url.startsWith("/")) {
    if (!isHost(host) || !URL.canParse(`${scheme}://${host}`)) return null;
    return `${origin ?? `${scheme}://${host}`}${url}`;
  }
  // Clients send whole URLs to proxies only, but every server must accept them (RFC 9112 section 3.2.2).
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return null;
  const { pathname, search, host: named } = new URL(url);
  return `${origin ?? `${scheme}://${named}`}${pathname}${search}`;
}

/** Returns the name of the requested host; `null` if it can't be read, so that the request gets a 400. */
function requestedHostname(
  { url = "/", headers: { host = "localhost" } }: NodeRequest,
): string | null {
  const target = url.startsWith("/") && isHost(host) ? `http://${host}` : url;
  return URL.canParse(target) ? new URL(target).hostname : null;
}

/** An error that the handler does not respond to. */
interface ListenerError {
  readonly status: number;
  /** The body for clients other than browsers. */
  readonly text: string;
  /** The title of the page. */
  readonly title: string;
  /** The message of the page. */
  readonly message: string;
}

const badRequest: ListenerError = {
  status: 400,
  text: "Bad Request",
  title: "Wrong address",
  message: "The address, the method or a header of this request is not valid.",
};

const serverError: ListenerError = {
  status: 500,
  text: "Internal Server Error",
  title: "Something went wrong",
  message: "The server has a problem. See its terminal for details.",
};

function hostError(hostname: string): ListenerError {
  const text = `This server does not accept requests for the host ${hostname}`;
  return { status: 403, text, title: "Wrong address", message: `${text}.` };
}

/** Sends a page to a browser, and a text to any other client. */
async function sendError(
  { headers: { accept } }: NodeRequest,
  outgoing: NodeResponse,
  { status, text, title, message }: ListenerError,
  page = notePage(title, message, status),
): Promise<void> {
  const isBrowser = /\btext\/html\b/.test(String(accept));
  const headers = { "content-type": "text/plain; charset=utf-8" };
  await sendResponse(outgoing, isBrowser ? page : new Response(`${text}\n`, { status, headers }));
}
