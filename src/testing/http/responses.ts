/**
 * Requests as the endpoints see them, and the platform's ways to answer and to refuse.
 *
 * @module
 */

import type { Application } from "../world/application.ts";
import type { AccessToken, World } from "../world/world.ts";

/** One request, its body already read. */
export interface Call {
  readonly world: World;
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string;
  /** The version of the API that the path names; 10 for what is not the API. */
  readonly apiVersion: number;
  /** The parts of the path that the route's template names in braces. */
  readonly params: Readonly<Record<string, string>>;
}

export type Handler = (call: Call) => Response | Promise<Response>;

/** The handlers by method of every path template. */
export type Routes = Readonly<Record<string, Readonly<Record<string, Handler>>>>;

/** Thrown anywhere in an endpoint to answer with an error. */
export class Refusal extends Error {
  readonly response: Response;

  constructor(response: Response) {
    super("the fake platform refuses the request");
    this.response = response;
  }
}

/** The version and the rest of an API path; `null` for any other path. */
export function readApiPath(pathname: string): { version: number; path: string } | null {
  const [, version, path] = /^\/api(?:\/v(\d+))?(\/.*)$/.exec(pathname) ?? [];
  if (path === undefined) return null;
  return { version: version === undefined ? defaultApiVersion : Number(version), path };
}

/** Addresses without a version mean version 6. */
const defaultApiVersion = 6;

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}

/** A redirect that is not stored, and whose target does not learn the address that it came from. */
export function redirect(location: string): Response {
  return new Response(null, {
    status: 302,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  });
}

/** Lets pages of every origin read the answer. */
export function withCors(response: Response): Response {
  response.headers.set("access-control-allow-origin", "*");
  response.headers.set(
    "access-control-expose-headers",
    "Retry-After, X-RateLimit-Global, X-RateLimit-Limit, X-RateLimit-Remaining, " +
      "X-RateLimit-Reset, X-RateLimit-Reset-After, X-RateLimit-Bucket, X-RateLimit-Scope",
  );
  return response;
}

/** The body of an API error that has no code of its own, such as `401: Unauthorized`. */
export function plainError(status: number, headers: Record<string, string> = {}): Response {
  return json({ message: `${status}: ${reasons[status] ?? "Error"}`, code: 0 }, status, headers);
}

export function apiError(status: number, code: number, message: string): Response {
  return json({ message, code }, status);
}

/** Error 50035, with one entry for the field; a list of names is the path to a field inside of others, or to the body itself. */
export function formError(
  field: string | readonly string[],
  code: string,
  message: string,
): Response {
  const errors = [field].flat().reduceRight<Record<string, unknown>>(
    (inner, name) => ({ [name]: inner }),
    { _errors: [{ code, message }] },
  );
  return json({ message: "Invalid Form Body", code: 50035, errors }, 400);
}

/** An error of an OAuth endpoint (RFC 6749 section 5.2). */
export function oauthError(error: string, description?: string, status = 400): Response {
  const body = description === undefined ? { error } : { error, error_description: description };
  return json(body, status, noStore);
}

/** The headers of answers that must not be stored (RFC 6749 section 5.1). */
export const noStore: Record<string, string> = {
  "cache-control": "no-store",
  "pragma": "no-cache",
};

/**
 * The live access token of a request.
 *
 * @throws {Refusal} 401 when there is none, or when it lacks the scope.
 */
export function requireBearer(call: Call, scope: string | null): AccessToken {
  const token = findToken(call.world, credentials(call.headers, "Bearer"));
  if (token === null || (scope !== null && !token.scopes.includes(scope))) {
    throw new Refusal(plainError(401));
  }
  return token;
}

/** The access token, if it is known, not revoked and not expired. */
export function findToken(world: World, value: string | null): AccessToken | null {
  const token = value === null ? undefined : world.accessTokens.get(value);
  if (token === undefined || token.grant.revoked || token.expiresAt <= world.now()) return null;
  return token;
}

/** The application whose bot sends the request, if a bot does. */
export function findBot(call: Call): Application | null {
  const token = credentials(call.headers, "Bot");
  if (token === null) return null;
  return [...call.world.applications.values()].find(({ botToken }) => botToken === token) ?? null;
}

/**
 * The application whose bot sends the request.
 *
 * @throws {Refusal} 401 when no bot does.
 */
export function requireBot(call: Call): Application {
  const application = findBot(call);
  if (application === null) throw new Refusal(plainError(401));
  return application;
}

/** What follows the scheme in the `Authorization` header. */
export function credentials(headers: Headers, scheme: string): string | null {
  const [given = "", value = null] = (headers.get("authorization") ?? "").split(" ", 2);
  return given.toLowerCase() === scheme.toLowerCase() ? value : null;
}

/** The JSON object in the body; an absent body counts as an empty one. */
export function readJson(call: Call): Record<string, unknown> {
  const value = call.body === "" ? {} : parseJson(call.body);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw new Refusal(invalidJson());
}

/** The JSON list in the body; `null` counts as an empty one. */
export function readJsonList(call: Call): readonly unknown[] {
  const value = parseJson(call.body) ?? [];
  if (Array.isArray(value)) return value;
  throw new Refusal(invalidJson());
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(invalidJson());
  }
}

function invalidJson(): Response {
  return apiError(400, 50109, "The request body contains invalid JSON.");
}

/** Whether the body is declared to be of a media type. */
export function hasType(headers: Headers, type: string): boolean {
  return (headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() === type;
}

const reasons: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};
