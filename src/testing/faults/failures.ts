/**
 * Failures on demand: which requests fail, and what they are answered.
 *
 * @module
 */

import { readApiPath } from "../http/call.ts";
import { statusError, withCors } from "../http/responses.ts";
import { edgePage } from "../pages/page.ts";
import type { Check, Fields } from "../world/schema.ts";
import { anyValue, boolean, objectOf, optional, string, throwUnless } from "../world/schema.ts";
import { tooManyRequests } from "./rate_limits.ts";

/** The failures that are still to happen. */
export interface FailureQueue {
  add(failure: Failure): () => void;
  /** Takes the first failure that matches the request. */
  take(method: string, path: string): Failure | null;
}

export function createFailureQueue(): FailureQueue {
  const queue: { readonly failure: Failure; left: number }[] = [];

  function remove(at: number): void {
    if (at >= 0) queue.splice(at, 1);
  }

  return {
    add(failure) {
      checkFailure(failure);
      const entry = { failure: copyFailure(failure), left: failure.times ?? 1 };
      queue.push(entry);
      return () => remove(queue.indexOf(entry));
    },
    take(method, path) {
      const at = queue.findIndex(({ failure }) => matches(failure, method, path));
      const entry = queue[at];
      if (entry === undefined) return null;
      entry.left -= 1;
      if (entry.left <= 0) remove(at);
      return entry.failure;
    },
  };
}

/** Whether the failure replaces the platform's own answer. */
export function replacesResponse(failure: Failure): boolean {
  return failure.status !== undefined || failure.body !== undefined || failure.edge === true;
}

/** The answer that a failure asks for. */
export function failureResponse(failure: Failure): Response {
  const { edge = false, status = edge ? 403 : 200, body, headers } = failure;
  if (edge) return edgeResponse(status);
  return withCors(
    body === undefined ? defaultResponse(status, headers) : bodyResponse(status, bodyText(body)),
  );
}

/** The page of the edge, which knows nothing of the API, its rate limits, or CORS. */
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
    const answer = tooManyRequests(Number.isNaN(seconds) ? 1 : seconds, "user");
    if (headers !== undefined) answer.headers.delete("retry-after");
    return answer;
  }
  return status < 400 ? new Response(null, { status }) : statusError(status);
}

/** A copy, so that later changes of the caller's object have no effect. */
function copyFailure(failure: Failure): Failure {
  const { body, headers } = failure;
  return {
    ...failure,
    ...(body === undefined ? {} : { body: bodyText(body) }),
    ...(headers === undefined ? {} : { headers: { ...headers } }),
  };
}

function bodyText(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body);
}

function matches(failure: Failure, method: string, path: string): boolean {
  if (failure.method !== undefined && failure.method.toUpperCase() !== method) return false;
  if (failure.path === undefined) return true;
  if (typeof failure.path === "string") {
    return failure.path === path || failure.path === readApiPath(path)?.path;
  }
  // Not `test`, which starts at `lastIndex`: a global expression would match only every other time.
  return path.search(failure.path) !== -1;
}

function checkFailure(failure: Failure): void {
  objectOf(failureFields())(failure, "");
  const { status, body, headers, cut, edge = false, hang = false } = failure;
  if (
    body !== undefined && body !== "" && status !== undefined && [204, 205, 304].includes(status)
  ) {
    throw new TypeError(`an answer of status ${status} has no body`);
  }
  if (edge && (body !== undefined || status !== undefined && status < 400)) {
    throw new TypeError(
      "the edge has pages of its own, so it goes with no body and a status from 400",
    );
  }
  // Throws for names and values that cannot be sent.
  new Headers(headers);
  const ways = [cut === "body", failure.slow !== undefined, failure.endless === true];
  if (ways.filter(Boolean).length > 1) {
    throw new TypeError(
      'cut: "body", slow and endless each change the body, so only one of them can',
    );
  }
  const answers = status !== undefined || body !== undefined || edge || ways.includes(true);
  if ((hang || cut === "before") && answers || hang && cut === "before") {
    throw new TypeError(
      'hang and cut: "before" answer nothing, so they go with nothing that answers',
    );
  }
}

function failureFields(): Fields<Failure> {
  return {
    method: optional(string),
    path: optional(path),
    times: optional(times),
    status: optional(status),
    body: optional(anyValue),
    headers: optional(anyValue),
    delay: optional(milliseconds),
    cut: optional(cut),
    hang: optional(boolean),
    edge: optional(boolean),
    slow: optional(milliseconds),
    endless: optional(boolean),
  };
}

const path: Check = (value, where) => {
  // Any other text would match no request, and the test would pass for the wrong reason.
  const holds = value instanceof RegExp || typeof value === "string" && value.startsWith("/");
  throwUnless(holds, "a regular expression, or begin with a slash", value, where);
};

const times: Check = (value, where) => {
  const holds = value === Infinity || Number.isInteger(value) && Number(value) >= 1;
  throwUnless(holds, "a positive integer or Infinity", value, where);
};

const status: Check = (value, where) => {
  const holds = Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599;
  throwUnless(holds, "an integer from 200 to 599", value, where);
};

const milliseconds: Check = (value, where) => {
  const holds = typeof value === "number" && Number.isFinite(value) && value >= 0;
  throwUnless(holds, "milliseconds, not negative", value, where);
};

const cut: Check = (value, where) => {
  throwUnless(value === "before" || value === "body", '"before" or "body"', value, where);
};

/**
 * What goes wrong, and with which requests. Without `status`, `body`, `edge`, `cut: "before"` and `hang` the platform
 * answers as usual, only later (`delay`), with other `headers`, or with a body that is `slow`, `endless` or cut short.
 */
export interface Failure {
  /** Only requests with this method. */
  readonly method?: string;
  /**
   * Only requests to this path: exactly the path of the request, or that below the API's base, such as
   * `/users/@me`. A regular expression is tried on the whole path.
   */
  readonly path?: string | RegExp;
  /**
   * How many requests fail.
   * @default 1
   */
  readonly times?: number;
  /**
   * The status of the answer, 200–599.
   * @default 200 when there is a `body`
   */
  readonly status?: number;
  /**
   * The body of the answer: a string is sent as it is (HTML, half of a JSON text, nothing), anything else
   * as JSON.
   * @default what the platform sends with this status
   */
  readonly body?: unknown;
  /** Headers of the answer. When given, `Retry-After` is not added to a 429. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds to wait first, in real time. */
  readonly delay?: number;
  /**
   * Cuts the connection: `"before"` the answer, so that `fetch` rejects, or in the middle of the `"body"`,
   * so that reading it rejects. {@link nodeListener} closes the connection for both; another HTTP
   * server does for `"before"` what it does when its handler fails.
   */
  readonly cut?: "before" | "body";
  /** Never answers: the call ends when its signal aborts. */
  readonly hang?: boolean;
  /**
   * Answers as the edge in front of the platform does when it blocks a client or an address: with an HTML page, and
   * without the headers of the API. Its `status` is 403 unless given; 429 is usual too.
   * @default false
   */
  readonly edge?: boolean;
  /** Sends the body in ten pieces, with so many milliseconds before each, in real time. */
  readonly slow?: number;
  /**
   * Never ends the body: spaces follow what the platform answers, for as long as somebody reads.
   * @default false
   */
  readonly endless?: boolean;
}
