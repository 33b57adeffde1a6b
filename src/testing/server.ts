/**
 * Responds to a request: records it, applies a planned failure, and calls the endpoint or page.
 *
 * @module
 */

import { sleep, unlessAborted } from "../core/wait.ts";
import { serveImage } from "./endpoints/cdn.ts";
import { connectionError, endlessBody, slowBody, truncateBody } from "./faults/bodies.ts";
import {
  type Failure,
  type FailureQueue,
  failureResponse,
  replacesResponse,
} from "./faults/failures.ts";
import type { RateLimits } from "./faults/rate_limits.ts";
import { refuseForeignForm } from "./form_origin.ts";
import { type Call, readApiPath } from "./http/call.ts";
import { ownProperty } from "./http/parameters.ts";
import { readBody } from "./http/request_body.ts";
import { apiError, preflight, redirect, statusError, withCors } from "./http/responses.ts";
import { indexRoutes } from "./pages/index_page.ts";
import { notFoundPage } from "./pages/page.ts";
import { createRequestRecords, type RecordedRequest } from "./recorded_requests.ts";
import { apiRoutes, findRoute, type RouteMatch, siteRoutes } from "./routes.ts";
import { cdnHost } from "./world/origin.ts";
import { throwUnless } from "./world/schema.ts";
import type { World } from "./world/world.ts";

export interface ServerParts {
  readonly world: World;
  readonly failures: FailureQueue;
  readonly rateLimits: RateLimits;
  readonly requireUserAgent: boolean;
  readonly maxRequests: number;
}

/** The parts with the recorded requests, which the index page shows. */
interface Parts extends ServerParts {
  readonly requests: readonly RecordedRequest[];
}

export interface Server {
  readonly fetch: (input: Request | URL | string, init?: RequestInit) => Promise<Response>;
  readonly requests: readonly RecordedRequest[];
}

/** The signal that aborts a request. It can be missing in a Worker, although the types say otherwise. */
type Signal = AbortSignal | null | undefined;

export function createServer(parts: ServerParts): Server {
  const { world, failures } = parts;
  const records = createRequestRecords(parts.maxRequests);
  return {
    requests: records.list,
    async fetch(input, init) {
      const isUrl = typeof input === "string" || typeof Object(input).href === "string";
      const isRequest = typeof Object(input).url === "string";
      throwUnless(isUrl || isRequest, "a Request or a URL", input, "input");
      const url = typeof input === "string" ? new URL(input, world.origin) : input;
      const request = new Request(url, init);
      const signal: Signal = request.signal;
      signal?.throwIfAborted();
      // Read before the body: after reading the body, Bun removes a content type that it has added.
      const { method, headers } = request;
      const body = await readBody(request);
      const call: Call = {
        world,
        method,
        url: new URL(request.url),
        headers,
        body: body ?? "",
        params: {},
        apiVersion: 10,
      };
      const record = records.add(call);
      const failure = failures.take(call);
      if (failure !== null) await failBefore(failure, signal);
      const response = failure !== null && replacesResponse(failure)
        ? failureResponse(failure)
        : body === null
        ? withCors(apiError(413, 40005, "Request entity too large"))
        : await respond({ ...parts, requests: records.list }, call);
      signal?.throwIfAborted();
      for (const [name, value] of Object.entries(failure?.headers ?? {})) {
        response.headers.set(name, value);
      }
      record.status = response.status;
      return failure === null ? response : await failAfter(failure, response, signal);
    },
  };
}

/** Applies the part of a failure that comes before the response: `hang`, `delay` or `cut: "before"`. */
async function failBefore({ hang, delay, cut }: Failure, signal: Signal): Promise<void> {
  if (hang) await unlessAborted(new Promise<never>(() => {}), signal);
  if (delay !== undefined) await sleep(delay, signal);
  if (cut === "before") throw connectionError();
}

/** Applies the part of a failure that changes the body: `cut: "body"`, `slow` or `endless`. */
async function failAfter(
  { cut, slow, endless }: Failure,
  response: Response,
  signal: Signal,
): Promise<Response> {
  if (cut === "body") return await truncateBody(response);
  if (slow !== undefined) return await slowBody(response, slow, signal);
  return endless ? await endlessBody(response, signal) : response;
}

/** Passes a call to the image CDN, the API or the site. */
async function respond(parts: Parts, call: Call): Promise<Response> {
  const { hostname, pathname } = call.url;
  if (hostname === cdnHost) return respondAsCdn(call, pathname);
  if (pathname.startsWith("/cdn/")) return respondAsCdn(call, pathname.slice("/cdn".length));
  const api = readApiPath(pathname);
  if (api === null) return await respondAsSite(parts, call);
  if (api.path === "/oauth2/authorize") return redirectToAuthorize(call);
  return withCors(await respondAsApi(parts, { ...call, apiVersion: api.version }, api.path));
}

function respondAsCdn({ world, method, url }: Call, path: string): Response {
  return method === "GET" ? serveImage(world, path, url.searchParams) : methodNotAllowed(["GET"]);
}

async function respondAsSite({ requests }: Parts, call: Call): Promise<Response> {
  const route = findRoute({ ...siteRoutes, ...indexRoutes(requests) }, call.url.pathname);
  if (route === null) return notFoundPage();
  return refuseForeignForm(call) ?? await handle(route, call);
}

function redirectToAuthorize({ world, method, url }: Call): Response {
  return method === "GET"
    ? redirect(`${world.origin}/oauth2/authorize${url.search}`)
    : methodNotAllowed(["GET"]);
}

async function respondAsApi(parts: ServerParts, call: Call, path: string): Promise<Response> {
  if (call.method === "OPTIONS") return preflight();
  if (parts.requireUserAgent && lacksUserAgent(call.headers)) {
    return apiError(403, 40333, "internal network error");
  }
  if (call.apiVersion < 6 || call.apiVersion > 10) {
    return apiError(400, 50041, "Invalid API version provided");
  }
  const route = findRoute(apiRoutes, path);
  const { headers, refusal } = parts.rateLimits.count({
    method: call.method,
    template: route?.template ?? "unknown",
    topLevelId: route?.params["guild_id"] ?? "",
    authorization: call.headers.get("authorization") ?? "",
  });
  const response = refusal ?? (route === null ? statusError(404) : await handle(route, call));
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

async function handle({ methods, params }: RouteMatch, call: Call): Promise<Response> {
  const handler = ownProperty(methods, call.method);
  if (handler === undefined) return methodNotAllowed(Object.keys(methods));
  try {
    return await handler({ ...call, params });
  } catch (error) {
    if (error instanceof Response) return error;
    throw error;
  }
}

function methodNotAllowed(allowed: readonly string[]): Response {
  return statusError(405, { allow: allowed.join(", ") });
}

/**
 * Returns true if the edge blocks a client for its missing `User-Agent`. A request inside a page is accepted: the browser would
 * add the header only when sending the request.
 */
function lacksUserAgent(headers: Headers): boolean {
  return (headers.get("user-agent") ?? "").trim() === "" &&
    !headers.has("origin") &&
    !headers.has("sec-fetch-mode") &&
    !globalThis.navigator?.userAgent?.startsWith("Mozilla/");
}
