/**
 * From a request to its answer: recording, failures on demand, the edge, rate limits, and then the endpoint.
 *
 * @module
 */

import { apiRoutes } from "./api.ts";
import { browserRoutes } from "./browser.ts";
import { serveImage } from "./cdn.ts";
import type { FailureQueue } from "./failures.ts";
import { connectionError, cutShort, failureResponse, replacesAnswer, wait } from "./failures.ts";
import type { Call, Handler, Routes } from "./http.ts";
import { apiError, hasType, json, plainError, Refusal } from "./http.ts";
import { oauthRoutes } from "./oauth.ts";
import { errorPage } from "./pages.ts";
import type { RateLimits } from "./rate_limits.ts";
import { findRoute } from "./router.ts";
import type { RecordedRequest } from "./types.ts";
import type { World } from "./world.ts";
import { lookUp } from "./world.ts";

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
      // Before the body is read: afterwards Bun has forgotten the type of a body it had to name itself.
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
      const call: Call = { world, method, url, headers, body, params: {} };
      const usual = failure !== null && replacesAnswer(failure)
        ? withCors(failureResponse(failure))
        : await answer(parts, call);
      signal?.throwIfAborted();
      for (const [name, value] of Object.entries(failure?.headers ?? {})) {
        usual.headers.set(name, value);
      }
      record.status = usual.status;
      return failure?.cut === "body" ? await cutShort(usual) : usual;
    },
  };
}

const API_BASE = "/api/v10";

async function answer(parts: ServerParts, call: Call): Promise<Response> {
  const { world } = parts;
  const { pathname, searchParams } = call.url;
  if (pathname.startsWith(`${API_BASE}/`)) return withCors(await answerApi(parts, call));
  if (pathname.startsWith("/cdn/")) {
    return call.method === "GET"
      ? serveImage(world, pathname.slice("/cdn".length), searchParams)
      : notAllowed("GET");
  }
  const discovery = discoveryDocument(world, pathname);
  if (discovery !== null) return withCors(json(discovery));
  const route = findRoute(browserRoutes, pathname);
  if (route === null) return errorPage("There is no such page on this platform.", 404);
  const handler = lookUp(route.methods, call.method);
  return handler === undefined
    ? notAllowed(Object.keys(route.methods).join(", "))
    : await handler({ ...call, params: route.params });
}

async function answerApi(parts: ServerParts, call: Call): Promise<Response> {
  if (call.method === "OPTIONS") return preflight();
  if (parts.requireUserAgent && lacksUserAgent(call.headers)) {
    return apiError(403, 40333, "internal network error");
  }
  const route = findRoute(API_ROUTES, call.url.pathname.slice(API_BASE.length));
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

const API_ROUTES: Routes = { ...oauthRoutes, ...apiRoutes };

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
 * The edge turns away clients that do not say who they are. A browser always does, but a page cannot set the
 * header, so inside of one it is not there yet.
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

function withCors(response: Response): Response {
  response.headers.set("access-control-allow-origin", "*");
  response.headers.set(
    "access-control-expose-headers",
    "Retry-After, X-RateLimit-Global, X-RateLimit-Limit, X-RateLimit-Remaining, " +
      "X-RateLimit-Reset, X-RateLimit-Reset-After, X-RateLimit-Bucket, X-RateLimit-Scope",
  );
  return response;
}

/** RFC 8414 and OpenID Connect Discovery, as on the platform. */
function discoveryDocument({ origin }: World, pathname: string): Record<string, unknown> | null {
  const common = {
    issuer: origin,
    authorization_endpoint: `${origin}/oauth2/authorize`,
    token_endpoint: `${origin}${API_BASE}/oauth2/token`,
    jwks_uri: `${origin}${API_BASE}/oauth2/keys`,
  };
  if (pathname === "/.well-known/openid-configuration") {
    return {
      ...common,
      userinfo_endpoint: `${origin}${API_BASE}/oauth2/userinfo`,
      response_types_supported: ["code", "token"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
    };
  }
  if (pathname === "/.well-known/oauth-authorization-server") {
    return {
      ...common,
      revocation_endpoint: `${origin}${API_BASE}/oauth2/token/revoke`,
      response_types_supported: ["code"],
      grant_types_supported: ["authorization_code", "refresh_token", "client_credentials"],
      token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
      revocation_endpoint_auth_methods_supported: [
        "client_secret_basic",
        "client_secret_post",
        "none",
      ],
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
    };
  }
  return null;
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
