/**
 * Makes the next matching requests fail, as planned with `failNext`.
 *
 * @module
 */

import { readCredentials } from "../http/authentication.ts";
import { type Call, readApiPath } from "../http/call.ts";
import { readForm } from "../http/parameters.ts";
import { statusError, withCors } from "../http/responses.ts";
import { edgePage } from "../pages/page.ts";
import { findUser } from "../world/find.ts";
import * as f from "../world/schema.ts";
import { type Check, type Fields, namingMethod, throwUnless } from "../world/schema.ts";
import type { User } from "../world/user.ts";
import type { World } from "../world/world.ts";
import { tooManyRequests } from "./rate_limits.ts";

/**
 * A failure, and which requests fail. At least one field must say what fails: `status`, `body` and `edge` replace the platform's
 * response; `hang` and `cut: "before"` prevent any response. The others change the response: it comes later (`delay`), with other
 * `headers`, or with a `slow`, `endless` or cut body.
 *
 * @example
 * ```ts
 * import type { Failure } from "@guildpass/sdk/testing";
 *
 * const failures: Failure[] = [
 *   { path: "/users/@me", status: 500, times: 2 },
 *   { path: "/oauth2/token", status: 400, body: "{}" },
 *   { cut: "before" }, // a lost connection
 *   { delay: 2_000 }, // a slow response
 * ];
 * ```
 */
export interface Failure {
  /** Only requests with this method fail. */
  readonly method?: string | undefined;
  /**
   * Only requests to this path fail: the whole path, or the part after the API's base, such as `/users/@me`. A regular
   * expression tests the whole path.
   */
  readonly path?: string | RegExp | undefined;
  /** Only requests with these query parameters fail, such as `{ after: "7" }`. A regular expression tests the whole value. */
  readonly query?: Readonly<Record<string, string | RegExp>> | undefined;
  /** Only requests with an access token, a refresh token or a code of this user fail. The value is an id or a username. */
  readonly as?: string | undefined;
  /** Only requests with this token fail: an access token in the header, or a token in the form of a refresh or revocation. */
  readonly token?: string | undefined;
  /**
   * The number of requests that fail.
   * @default 1
   */
  readonly times?: number | undefined;
  /**
   * The status of the response, 200–599.
   * @default 200 with a `body`, 403 with `edge`, otherwise the status of the platform's response
   */
  readonly status?: number | undefined;
  /**
   * The body of the response. A string is sent unchanged, for example HTML, truncated JSON or an empty string. Any other value is
   * sent as JSON.
   * @default the platform's body for this status
   */
  readonly body?: unknown;
  /** The headers of the response. If they are set, a 429 does not have the default `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The delay of the response, in milliseconds of real time. */
  readonly delay?: number | undefined;
  /**
   * Cuts the connection `"before"` the response, so that `fetch` rejects, or in the middle of the `"body"`, so that reading the
   * body rejects. {@link nodeListener} closes the connection in both cases. Other HTTP servers treat `"before"` as an error of
   * the handler.
   */
  readonly cut?: "before" | "body" | undefined;
  /** True to never respond: the call ends when its signal aborts. */
  readonly hang?: boolean | undefined;
  /**
   * True to respond like the edge in front of the platform when it blocks a client or an IP address: with an HTML page, without
   * the headers of the API. The default `status` is then 403; the edge also uses 429.
   * @default false
   */
  readonly edge?: boolean | undefined;
  /** The pause before each of ten pieces of the body, in milliseconds of real time. */
  readonly slow?: number | undefined;
  /**
   * True to never end the body: spaces follow without end.
   * @default false
   */
  readonly endless?: boolean | undefined;
}

/** The failures that were planned with `failNext`. */
export interface FailureQueue {
  /** Adds a failure. Returns a function that removes the failure. */
  add(failure: Failure): () => void;
  /** Returns the first failure that matches the request, and counts it as used. */
  take(call: Call): Failure | null;
}

export function createFailureQueue(world: World): FailureQueue {
  const queue: { readonly failure: Failure; left: number }[] = [];

  function remove(at: number): void {
    if (at >= 0) queue.splice(at, 1);
  }

  return {
    add(failure) {
      namingMethod("failNext", () => checkFailure(world, failure));
      const entry = { failure: copyFailure(failure), left: failure.times ?? 1 };
      queue.push(entry);
      return () => remove(queue.indexOf(entry));
    },
    take(call) {
      const at = queue.findIndex(({ failure }) => matches(failure, call));
      const entry = queue[at];
      if (entry === undefined) return null;
      entry.left -= 1;
      if (entry.left <= 0) remove(at);
      return entry.failure;
    },
  };
}

/** Returns true if the failure replaces the platform's response. */
export function replacesResponse(failure: Failure): boolean {
  return failure.status !== undefined || failure.body !== undefined || failure.edge === true;
}

/** Creates the response that a failure describes. */
export function failureResponse(failure: Failure): Response {
  const { edge = false, status = edge ? 403 : 200, body, headers } = failure;
  if (edge) return edgeResponse(status);
  return withCors(
    body === undefined ? defaultResponse(status, headers) : bodyResponse(status, bodyText(body)),
  );
}

/** Returns the error response of the edge, without the headers of the API, rate limits and CORS. */
function edgeResponse(status: number): Response {
  const response = edgePage(status);
  response.headers.set("server", "cloudflare");
  response.headers.set("cf-ray", "0123456789abcdef-FAK");
  if (status === 429) response.headers.set("retry-after", "60");
  return response;
}

function bodyResponse(status: number, text: string): Response {
  const type = text.trimStart().startsWith("<") ? "text/html; charset=utf-8" : "application/json";
  return new Response(text === "" ? null : text, {
    status,
    headers: text === "" ? {} : { "content-type": type },
  });
}

function defaultResponse(status: number, headers: Failure["headers"]): Response {
  if (status === 429) {
    const seconds = Number(new Headers(headers).get("retry-after") ?? 1);
    const response = tooManyRequests(Number.isNaN(seconds) ? 1 : seconds, "user");
    if (headers !== undefined) response.headers.delete("retry-after");
    return response;
  }
  return status < 400 ? new Response(null, { status }) : statusError(status);
}

/** Copies a failure, so that later changes to the caller's object have no effect. */
function copyFailure(failure: Failure): Failure {
  const { body, headers, query } = failure;
  return {
    ...failure,
    ...(query === undefined ? {} : { query: { ...query } }),
    ...(body === undefined ? {} : { body: bodyText(body) }),
    ...(headers === undefined ? {} : { headers: { ...headers } }),
  };
}

function bodyText(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body);
}

function matches(failure: Failure, call: Call): boolean {
  const { method, path, query, as, token } = failure;
  return (method === undefined || method.toUpperCase() === call.method) &&
    (path === undefined || matchesPath(path, call.url.pathname)) &&
    Object.entries(query ?? {}).every(([name, value]) =>
      call.url.searchParams.getAll(name).some((given) => matchesText(value, given))
    ) &&
    (token === undefined || credentialsOf(call).includes(token)) &&
    (as === undefined || personsOf(call).includes(findUser(call.world, as)));
}

function matchesPath(wanted: string | RegExp, path: string): boolean {
  return matchesText(wanted, path) || wanted === readApiPath(path)?.path;
}

function matchesText(wanted: string | RegExp, text: string): boolean {
  // Not `test()`, which starts at `lastIndex`: a global expression would match only every second time.
  return typeof wanted === "string" ? wanted === text : text.search(wanted) !== -1;
}

/** Returns the tokens and codes in a request. */
function credentialsOf(call: Call): string[] {
  const form = readForm(call);
  const names = ["refresh_token", "token", "code"];
  return [readCredentials(call.headers, "Bearer"), ...names.map((name) => form.get(name))]
    .filter((value) => value !== null);
}

/** Returns the users of the tokens and codes in a request. */
function personsOf(call: Call): (User | undefined)[] {
  const { accessTokens, refreshTokens, codes } = call.world;
  return credentialsOf(call).map((value) =>
    (accessTokens.get(value)?.grant ?? refreshTokens.get(value) ?? codes.get(value)?.grant)?.user
  );
}

/**
 * Checks a failure.
 *
 * @throws {TypeError} If an option is wrong, contradicts another option, or names an unknown user.
 */
function checkFailure(world: World, failure: Failure): void {
  f.objectOf(failureFields())(failure, "");
  if (failure.as !== undefined) findUser(world, failure.as);
  const { status, body, headers, cut, delay, edge = false, hang = false } = failure;
  const hasBody = body !== undefined && body !== "";
  if (hasBody && status !== undefined && [204, 205, 304].includes(status)) {
    throw new TypeError(`body can't be used: a response with status ${status} has none`);
  }
  if (edge && (body !== undefined || status !== undefined && status < 400)) {
    throw new TypeError(
      "edge can't be combined with body or a status below 400: the edge has its own pages",
    );
  }
  // Throws if a name or a value is not valid.
  new Headers(headers);
  const bodyChanges = [cut === "body", failure.slow !== undefined, failure.endless === true];
  if (bodyChanges.filter(Boolean).length > 1) {
    throw new TypeError(
      'only one of cut: "body", slow and endless can be used: each changes the body',
    );
  }
  const responds = status !== undefined || body !== undefined || edge || bodyChanges.includes(true);
  if (!responds && !hang && cut === undefined && delay === undefined && headers === undefined) {
    throw new TypeError(
      "nothing would fail: pass status, body, edge, hang, cut, slow, endless, delay or headers",
    );
  }
  if ((hang || cut === "before") && responds || hang && cut === "before") {
    throw new TypeError(
      'hang and cut: "before" can\'t be combined with options that change the response: there is none',
    );
  }
}

function failureFields(): Fields<Failure> {
  return {
    method: f.optional(f.string),
    path: f.optional(path),
    query: f.optional(f.recordOf(textOrPattern)),
    as: f.optional(f.string),
    token: f.optional(f.secretString),
    times: f.optional(f.positiveIntegerOrInfinity),
    status: f.optional(status),
    body: f.optional(f.anyValue),
    headers: f.optional(f.anyValue),
    delay: f.optional(milliseconds),
    cut: f.optional(cut),
    hang: f.optional(f.boolean),
    edge: f.optional(f.boolean),
    slow: f.optional(milliseconds),
    endless: f.optional(f.boolean),
  };
}

const path: Check = (value, where) => {
  // Any other text would never match a request, and a test would pass for the wrong reason.
  const holds = value instanceof RegExp || typeof value === "string" && value.startsWith("/");
  throwUnless(holds, "a path with a leading slash, or a regular expression", value, where);
};

const textOrPattern: Check = (value, where) => {
  const holds = value instanceof RegExp || typeof value === "string";
  throwUnless(holds, "a string or a regular expression", value, where);
};

const status: Check = (value, where) => {
  const holds = Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599;
  throwUnless(holds, "an integer from 200 to 599", value, where);
};

const milliseconds: Check = (value, where) => {
  const holds = typeof value === "number" && Number.isFinite(value) && value >= 0;
  throwUnless(holds, "a number of milliseconds, 0 or more", value, where);
};

const cut: Check = (value, where) => {
  throwUnless(value === "before" || value === "body", '"before" or "body"', value, where);
};
