/**
 * One request to the platform: sent through ky, its answer as JSON, its failure as an error of this library.
 *
 * @module
 */

import ky, { isTimeoutError } from "npm:ky@^2.1.0";
import { refuse } from "./arguments.ts";
import {
  ApiError,
  NetworkError,
  OAuthError,
  PayloadError,
  RateLimitError,
  TimeoutError,
} from "./errors.ts";
import { discord, type Platform } from "./platform.ts";
import { version } from "./version.ts";

/** Options of the clients that talk to the platform. */
export interface ClientOptions {
  /** Sends the requests, for example through a proxy or to a fake platform. @default {globalThis.fetch} */
  readonly fetch?: Fetch | undefined;
  /** How long one call may take in all, with its retries, in milliseconds. @default {10_000} */
  readonly timeout?: number | undefined;
  /** Where the platform is. @default {discord} */
  readonly platform?: Platform | undefined;
  /**
   * The `User-Agent`, which the platform demands; in a browser it is the browser's own.
   *
   * @default {"DiscordBot (https://github.com/guildpass/sdk, <version>)"}
   */
  readonly userAgent?: string | undefined;
}

/** Options of one call. */
export interface CallOptions {
  /** Stops the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The part of the Fetch API that is needed to send a request. */
export type Fetch = (input: Request, init?: RequestInit) => Promise<Response>;

/** One request. */
export interface HttpRequest {
  readonly method: "GET" | "POST";
  /** What comes after `apiUrl`, with its query. */
  readonly path: string;
  readonly authorization?: string;
  readonly form?: URLSearchParams;
  /** What the request carries and no error may show, even if the platform repeats it. */
  readonly secrets: readonly string[];
  readonly signal?: AbortSignal | undefined;
  /** What to do about a status, where the operation knows. */
  readonly hints?: Readonly<Record<number, string>>;
}

/** Sends a request and gives the JSON of its answer. */
export type Http = (request: HttpRequest) => Promise<unknown>;

/** The longest wait a 429 may ask for, in seconds; a longer one is for the caller to decide about. */
const longestRetryAfter = 5;

/** Milliseconds before the first and the second repetition of a request. */
const backoff = [250, 1000] as const;

/**
 * Makes the function through which a client sends its requests.
 *
 * @throws {TypeError} When an option is wrong, with its name.
 */
export function createHttp(options: ClientOptions): Http {
  const { platform = discord, timeout = 10_000, userAgent = defaultUserAgent } = options;
  if (!/^https?:\/\/./.test(platform.apiUrl)) {
    refuse("platform.apiUrl", "an http or https URL", platform.apiUrl);
  }
  if (!(timeout > 0 && timeout < 2 ** 31)) {
    refuse("timeout", "a number of milliseconds below 2147483648", timeout);
  }
  if (!/^[ -~]+$/.test(userAgent)) refuse("userAgent", "printable ASCII", userAgent);
  if (options.fetch !== undefined && typeof options.fetch !== "function") {
    refuse("fetch", "a function", options.fetch);
  }
  const base = platform.apiUrl.replace(/\/+$/, "");
  return async (request) => {
    const url = base + request.path;
    return read(await send(request, url, timeout, userAgent, options.fetch), request, url);
  };
}

const defaultUserAgent = `DiscordBot (https://github.com/guildpass/sdk, ${version})`;

/** What a request came back with, whatever its status. */
interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

async function send(
  { method, authorization, form, signal }: HttpRequest,
  url: string,
  timeout: number,
  userAgent: string,
  fetch: Fetch = globalThis.fetch,
): Promise<Answer> {
  signal?.throwIfAborted();
  const deadline = performance.now() + timeout;
  let answer: Answer | undefined;
  let begun = false;
  let wait = 0;

  // The body is read within the attempt: a connection that breaks or stalls halfway is a failed attempt to ky then,
  // with its time-out and its repetition, and the text of a refusal is at hand without ky's error.
  const attempt = async (input: unknown, init?: RequestInit): Promise<Response> => {
    answer = undefined;
    begun = false;
    const response = await fetch(input as Request, init);
    begun = true;
    answer = {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
    };
    return response;
  };

  const headers = new Headers({ accept: "application/json" });
  if (authorization) headers.set("authorization", authorization);
  // In a page the header is the browser's own; where it can be set at all, that costs a preflight request.
  if (!/^Mozilla\//.test(globalThis.navigator?.userAgent)) headers.set("user-agent", userAgent);

  const sent = ky(url, {
    method,
    headers,
    fetch: attempt,
    ...(form && { body: form }),
    ...(signal && { signal }),
    // Not "error", which workerd does not know; a redirect is answered with an ApiError in `read`.
    redirect: "manual",
    timeout: false,
    totalTimeout: timeout,
    retry: {
      // A token request is sent once, whatever happens: its code or refresh token may have been used up.
      limit: method === "GET" ? backoff.length : 0,
      shouldRetry({ error, retryCount }) {
        if (isTimeoutError(error)) return false;
        const pause = pauseBeforeRetry(answer, retryCount);
        if (pause === undefined || performance.now() + pause >= deadline) return false;
        wait = pause;
        return true;
      },
      delay: () => wait,
    },
  });

  try {
    await unlessAborted(sent, signal);
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    // ky's error is dropped here and never kept as a cause: printed, it shows the headers and the form.
    if (isTimeoutError(error)) {
      throw new TimeoutError(`${method} ${url} was not answered within ${timeout} ms`);
    }
    if (!answer) {
      throw new NetworkError(
        `${method} ${url} was ${begun ? "answered in part only" : "not answered"}${reason(error)}`,
      );
    }
  }
  return answer as Answer;
}

/** Milliseconds to wait before a request is repeated; `undefined` when it must not be. */
function pauseBeforeRetry(answer: Answer | undefined, retry: number): number | undefined {
  const pause = backoff[retry - 1];
  if (!answer) return pause;
  if ([500, 502, 503, 504].includes(answer.status)) return pause;
  if (answer.status !== 429) return undefined;
  const seconds = retryAfter(answer, parseJson(answer.text));
  // Without a time to wait for, or with a long one, a repetition would only count toward a ban.
  return seconds === null || seconds > longestRetryAfter ? undefined : seconds * 1000;
}

/** Rejects as soon as the signal fires, even when a custom `fetch` does not listen to it. */
function unlessAborted(sent: Promise<unknown>, signal: AbortSignal | undefined): Promise<unknown> {
  if (!signal) return sent;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    sent.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Only well-known words of what `fetch` threw: the rest is not ours, and may hold anything. */
function reason(error: unknown): string {
  const { message, cause } = Object(error) as { message?: unknown; cause?: { code?: unknown } };
  const known =
    /\bE(?:CONN\w+|NOTFOUND|AI_AGAIN|HOSTUNREACH|PIPE)\b|UND_ERR_\w+|connection \w+|dns error|certificate/i;
  const found = known.exec(`${cause?.code} ${message}`)?.[0];
  return found ? `: ${found}` : "";
}

/** The JSON of a successful answer; throws what any other one means. */
function read(answer: Answer, request: HttpRequest, url: string): unknown {
  const { status, text } = answer;
  if (status < 200 || status > 299) throw refusal(answer, request, url);
  const payload = parseJson(text);
  if (payload === undefined) {
    throw new PayloadError(`${request.method} ${url} was answered with ${status}`, [
      { path: "", message: `expected JSON, received ${kindOfText(text)}` },
    ]);
  }
  return payload;
}

/** The error that an unsuccessful answer means. */
function refusal({ status, headers, text }: Answer, request: HttpRequest, url: string): Error {
  const redact = redactor(request.secrets);
  const body = Object(parseJson(redact(text), redact)) as Record<string, unknown>;
  const told = typeof body.message === "string" ? body.message : null;
  const message = `${request.method} ${url} was answered with ${status}${told ? ` (${told})` : ""}`;
  const platformCode = typeof body.code === "number" ? body.code : null;
  const details = { status, platformCode, errors: body.errors };
  if (status === 429) {
    return new RateLimitError(message, {
      ...details,
      retryAfter: retryAfter({ headers }, body),
      scope: headers.get("x-ratelimit-scope"),
      global: body.global === true || headers.get("x-ratelimit-global") === "true",
    });
  }
  if (request.form && typeof body.error === "string") {
    const { error, error_description: description } = body;
    return new OAuthError(error as string, {
      description: typeof description === "string" ? description : null,
      status,
    });
  }
  return new ApiError(message, details, hint(status, platformCode, request));
}

function hint(
  status: number,
  platformCode: number | null,
  request: HttpRequest,
): string | undefined {
  if (platformCode === 40333) return "The edge blocked the client: check the userAgent option";
  if (status < 400) return "Redirects are not followed: check platform.apiUrl";
  if (status >= 500) return "The platform is in trouble; try again later";
  return request.hints?.[status];
}

/** Seconds to wait after a 429: the body's number has the decimals, the header may be a date. */
function retryAfter({ headers }: Pick<Answer, "headers">, body: unknown): number | null {
  const { retry_after: exact } = Object(body) as { retry_after?: unknown };
  if (typeof exact === "number" && exact >= 0) return exact;
  const header = headers.get("retry-after");
  if (!header) return null;
  const seconds = /^[\d.]+$/.test(header)
    ? Number(header)
    : Math.max(0, Math.ceil((Date.parse(header) - Date.now()) / 1000));
  return Number.isNaN(seconds) ? null : seconds;
}

/** The value of a JSON text, each of its strings mapped; `undefined` when it is no JSON. */
function parseJson(text: string, map?: (text: string) => string): unknown {
  try {
    return JSON.parse(
      text,
      map && ((_key, value: unknown) => typeof value === "string" ? map(value) : value),
    );
  } catch {
    return undefined;
  }
}

function kindOfText(text: string): string {
  if (/^\s*$/.test(text)) return "nothing";
  return /^\s*</.test(text) ? "HTML" : "something else";
}

/** Blots the secrets of a request out of what the platform says about it, in every form they were sent in. */
function redactor(secrets: readonly string[]): (text: string) => string {
  const forms = secrets.filter(Boolean).flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ "": secret }).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
  ]);
  // The longest first, so that no part of a longer secret is left where a shorter one was cut out.
  forms.sort((a, b) => b.length - a.length);
  return (text) => forms.reduce((told, form) => told.replaceAll(form, "[redacted]"), text);
}
