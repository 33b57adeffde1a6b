/**
 * From a request to its answer: recording, failures on demand, the edge, rate limits, and then the endpoint.
 *
 * @module
 */

import { serveImage } from "./endpoints/cdn.ts";
import { discoveryDocument } from "./endpoints/discovery.ts";
import { oauthRoutes } from "./endpoints/oauth.ts";
import { roleConnectionRoutes } from "./endpoints/role_connections.ts";
import { apiRoutes } from "./endpoints/users.ts";
import { connectionError, cutShort, neverEnd, slowDown, wait } from "./faults/bodies.ts";
import type { FailureQueue } from "./faults/failures.ts";
import { failureResponse, replacesAnswer } from "./faults/failures.ts";
import type { RateLimits } from "./faults/rate_limits.ts";
import type { Call, Handler, Routes } from "./http/responses.ts";
import {
  apiError,
  hasType,
  json,
  plainError,
  readApiPath,
  redirect,
  Refusal,
  withCors,
} from "./http/responses.ts";
import { browserRoutes } from "./pages/authorize.ts";
import { errorPage } from "./pages/consent_page.ts";
import { findRoute, lookUp } from "./routes.ts";
import { cdnHost } from "./world/origin.ts";
import type { World } from "./world/world.ts";

export interface ServerParts {
  readonly world: World;
  readonly failures: FailureQueue;
  readonly rateLimits: RateLimits;
  readonly requireUserAgent: boolean;
}

export interface Server {
  readonly fetch: (input: Request | URL | string, init?: RequestInit) => Promise<Response>;
  readonly requests: readonly RecordedRequest[];
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

export function createServer(parts: ServerParts): Server {
  const { world, failures } = parts;
  const requests: RecordedRequest[] = [];
  return {
    requests,
    async fetch(input, init) {
      const request = new Request(
        typeof input === "string" ? new URL(input, world.origin) : input,
        init,
      );
      // Requests that a Worker receives have no signal, whatever the types say.
      const signal: AbortSignal | null | undefined = request.signal;
      signal?.throwIfAborted();
      // Before the body is read: afterwards Bun drops a content type that it had added itself.
      const { method, headers } = request;
      const body = await request.text();
      const url = new URL(request.url);
      const record: Writable<RecordedRequest> = {
        method,
        url: request.url,
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers: Object.fromEntries(headers),
        body: parseBody(headers, body),
        status: null,
      };
      requests.push(record);
      const failure = failures.take(method, url.pathname);
      if (failure?.hang) await wait(Infinity, signal);
      if (failure?.delay !== undefined) await wait(failure.delay, signal);
      if (failure?.cut === "before") throw connectionError();
      const call: Call = { world, method, url, headers, body, params: {}, apiVersion: 10 };
      const usual = failure !== null && replacesAnswer(failure)
        ? failureResponse(failure)
        : await answer(parts, call);
      signal?.throwIfAborted();
      for (const [name, value] of Object.entries(failure?.headers ?? {})) {
        usual.headers.set(name, value);
      }
      record.status = usual.status;
      if (failure?.cut === "body") return await cutShort(usual);
      if (failure?.slow !== undefined) return await slowDown(usual, failure.slow, signal);
      return failure?.endless ? await neverEnd(usual, signal) : usual;
    },
  };
}

/** The routes of the API, each as its method and its path template. */
export function apiRouteNames(): string[] {
  return Object.entries(allApiRoutes).flatMap(([template, methods]) =>
    Object.keys(methods).map((method) => `${method} ${template}`)
  );
}

async function answer(parts: ServerParts, call: Call): Promise<Response> {
  const { world, method } = call;
  const { hostname, pathname, search } = call.url;
  if (hostname === cdnHost) return answerCdn(call, pathname);
  const api = readApiPath(pathname);
  if (api?.path === "/oauth2/authorize") {
    return method === "GET"
      ? redirect(`${world.origin}/oauth2/authorize${search}`)
      : notAllowed("GET");
  }
  if (api !== null) {
    return withCors(await answerApi(parts, { ...call, apiVersion: api.version }, api.path));
  }
  if (pathname.startsWith("/cdn/")) return answerCdn(call, pathname.slice("/cdn".length));
  const discovery = discoveryDocument(world, pathname);
  if (discovery !== null) return withCors(json(discovery));
  const route = findRoute(browserRoutes, pathname);
  if (route === null) return errorPage("There is no such page on this platform.", 404);
  const handler = lookUp(route.methods, method);
  return handler === undefined
    ? notAllowed(Object.keys(route.methods).join(", "))
    : await handler({ ...call, params: route.params });
}

function answerCdn({ world, method, url }: Call, path: string): Response {
  return method === "GET" ? serveImage(world, path, url.searchParams) : notAllowed("GET");
}

async function answerApi(parts: ServerParts, call: Call, path: string): Promise<Response> {
  if (call.method === "OPTIONS") return preflight();
  if (parts.requireUserAgent && lacksUserAgent(call.headers)) {
    return apiError(403, 40333, "internal network error");
  }
  if (call.apiVersion < 6 || call.apiVersion > 10) {
    return apiError(400, 50041, "Invalid API version provided");
  }
  const route = findRoute(allApiRoutes, path);
  const { headers, refusal } = parts.rateLimits.count({
    method: call.method,
    template: route?.template ?? "unknown",
    topLevelId: route?.params["guild_id"] ?? "",
    authorization: call.headers.get("authorization") ?? "",
  });
  const handler = route === null ? undefined : lookUp(route.methods, call.method);
  const response = refusal ?? (
    route === null
      ? plainError(404)
      : handler === undefined
      ? notAllowed(Object.keys(route.methods).join(", "))
      : await orRefusal(handler, { ...call, params: route.params })
  );
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

const allApiRoutes: Routes = { ...oauthRoutes, ...apiRoutes, ...roleConnectionRoutes };

async function orRefusal(handler: Handler, call: Call): Promise<Response> {
  try {
    return await handler(call);
  } catch (error) {
    if (error instanceof Refusal) return error.response;
    throw error;
  }
}

function notAllowed(allow: string): Response {
  return plainError(405, { allow });
}

/**
 * The edge blocks clients without a User-Agent. Browsers add theirs only when they send a request, so in a page it is
 * not there yet.
 */
function lacksUserAgent(headers: Headers): boolean {
  return (headers.get("user-agent") ?? "").trim() === "" &&
    !headers.has("origin") &&
    !headers.has("sec-fetch-mode") &&
    !globalThis.navigator?.userAgent?.startsWith("Mozilla/");
}

function preflight(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE, OPTIONS",
      "access-control-allow-headers": "Authorization, Content-Type, User-Agent",
      "access-control-max-age": "86400",
    },
  });
}

function parseBody(headers: Headers, body: string): unknown {
  if (body === "") return null;
  if (hasType(headers, "application/x-www-form-urlencoded")) {
    return Object.fromEntries(new URLSearchParams(body));
  }
  if (!hasType(headers, "application/json")) return body;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/** A request that reached the fake platform, with its secrets in clear. */
export interface RecordedRequest {
  /** The method, in capitals. */
  readonly method: string;
  /** The whole URL. */
  readonly url: string;
  /** The path of the URL. */
  readonly path: string;
  /** The query parameters; the last of a repeated one. */
  readonly query: Readonly<Record<string, string>>;
  /** The headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The body: an object of strings for a form, the value for JSON, the text for anything else, `null` when
   * there is none.
   */
  readonly body: unknown;
  /** The status of the answer; `null` until it is sent, and when the connection was cut instead. */
  readonly status: number | null;
}
