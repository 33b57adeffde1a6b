/**
 * One request to the platform: sent through ky, its answer as JSON, its failure as an error of this library.
 *
 * @module
 */

import ky, { isTimeoutError } from "npm:ky@^2.1.0";
import { refuse } from "../../arguments.ts";
import { changeTexts } from "../../clean.ts";
import {
  ApiError,
  NetworkError,
  OAuthError,
  PayloadError,
  RateLimitError,
  TimeoutError,
} from "../../errors.ts";
import { createRedactor } from "../../redact.ts";
import { discord, type Platform } from "../../links/platform.ts";
import { version } from "../../version.ts";

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

/** One request: a `GET`, or a `POST` when it has a form. */
export interface HttpRequest {
  /** What comes after `apiUrl`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | true | undefined>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly authorization?: string | undefined;
  /** What the request carries and no error may show, even if the platform repeats it. */
  readonly secrets: readonly string[];
  readonly signal?: AbortSignal | undefined;
  /** What to do about a refusal, where the operation knows. */
  readonly hint?: string;
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
  const { platform = discord, timeout = 10_000, userAgent = defaultUserAgent, fetch } = options;
  // Without credentials, since errors show it.
  if (!/^https?:\/\/[^\s@?#]+$/.test(platform.apiUrl)) {
    refuse("platform.apiUrl", "an http or https URL", platform.apiUrl);
  }
  if (!(Number.isFinite(timeout) && timeout > 0 && timeout < 2 ** 31)) {
    refuse("timeout", "a number of milliseconds below 2147483648", timeout);
  }
  if (!/^[ -~]+$/.test(userAgent)) refuse("userAgent", "printable ASCII", userAgent);
  if (fetch !== undefined && typeof fetch !== "function") refuse("fetch", "a function", fetch);
  const base = platform.apiUrl.replace(/\/+$/, "");
  return async (request) => {
    const url = base + request.path;
    const what = `${request.form ? "POST" : "GET"} ${url}`;
    return read(await send(request, url, what, timeout, userAgent, fetch), request, what);
  };
}

const defaultUserAgent = `DiscordBot (https://github.com/guildpass/sdk, ${version})`;

/** What a request came back with, whatever its status; plain values, as a custom `fetch` may give anything. */
interface Answer {
  readonly status: number;
  readonly retryAfter: string;
  readonly scope: string;
  readonly global: string;
  readonly text: string;
}

async function send(
  { authorization, form, query, signal }: HttpRequest,
  url: string,
  what: string,
  timeout: number,
  userAgent: string,
  fetch: Fetch = globalThis.fetch,
): Promise<Answer> {
  signal?.throwIfAborted();
  const deadline = performance.now() + timeout;
  let answer: Answer | undefined;
  let begun = false;
  let why = "";
  let wait = 0;
  // ky ends a request that takes too long only where there is AbortSignal.any, which edge runtimes may not have.
  const call = new AbortController();

  // The body is read within the attempt: a connection that breaks or stalls halfway is a failed attempt to ky then,
  // with its time-out and its repetition, and the text of a refusal is at hand without ky's error.
  const attempt = async (input: unknown, init?: RequestInit): Promise<Response> => {
    answer = undefined;
    begun = false;
    try {
      const response = await fetch(input as Request, { ...init, signal: call.signal });
      begun = true;
      const header = (name: string) => String(response.headers.get(name) ?? "");
      answer = {
        status: Number(response.status),
        retryAfter: header("retry-after"),
        scope: header("x-ratelimit-scope"),
        global: header("x-ratelimit-global"),
        text: String(await response.text()),
      };
    } catch (error) {
      // Neither the error nor the response goes on to ky, as looking at one may throw again, with a secret in it.
      why = reason(error);
      throw Error();
    }
    return new Response(null, { status: isSuccess(answer) ? 200 : 500 });
  };

  const sent = ky(url, {
    headers: {
      accept: "application/json",
      ...(authorization && { authorization }),
      // In a page the header is the browser's own; where it can be set at all, that costs a preflight request.
      ...(!/^Mozilla\//.test(globalThis.navigator?.userAgent) && { "user-agent": userAgent }),
    },
    fetch: attempt,
    ...(query && { searchParams: query }),
    ...(form && {
      method: "POST",
      // A Blob, since Deno sends any other form again when a connection it had kept open breaks.
      body: new Blob([String(new URLSearchParams(form))], {
        type: "application/x-www-form-urlencoded",
      }),
    }),
    ...(signal && { signal }),
    // Not "error", which workerd does not know; a redirect is answered with an ApiError in `read`.
    redirect: "manual",
    timeout: false,
    totalTimeout: timeout,
    retry: {
      // A token request is sent once, whatever happens: its code or refresh token may have been used up.
      limit: form ? 0 : backoff.length,
      shouldRetry({ retryCount }) {
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
    call.abort();
    if (signal?.aborted) throw signal.reason;
    // ky's error is dropped here and never kept as a cause: printed, it shows the headers and the form.
    if (isTimeoutError(error)) {
      throw new TimeoutError(`${what} was not answered within ${timeout} ms`);
    }
    if (!answer) {
      throw new NetworkError(
        `${what} was ${begun ? "answered in part only" : "not answered"}${why}`,
      );
    }
  }
  return answer as Answer;
}

function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

/** Milliseconds to wait before a request is repeated; `undefined` when it must not be. */
function pauseBeforeRetry(answer: Answer | undefined, retry: number): number | undefined {
  const pause = backoff[retry - 1];
  if (!answer || answer.status >= 500) return pause;
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

/**
 * Why `fetch` failed, in words of our own: its errors may hold anything. Each runtime tells it in another place of the
 * chain of causes, by a code (Node, Bun) or by the message (Deno, workerd); a page is not told at all.
 */
function reason(error: unknown): string {
  let found = "";
  try {
    for (let depth = 0, next = error; next && depth < 9; depth++) {
      const { code, message, cause } = next as Record<"code" | "message" | "cause", unknown>;
      found += `${code} ${message} `;
      next = cause;
    }
  } catch {
    return "";
  }
  const known = reasons.find(([pattern]) => pattern.test(found));
  return known ? `: ${known[1]}` : "";
}

const reasons = [
  [/conn(ection )?refused/i, "connection refused"],
  [/conn(ection )?(reset|closed|lost)|side closed/i, "connection lost"],
  [/ENOTFOUND|EAI_AGAIN|dns error/, "host not found"],
  [/certificate|self.signed/i, "certificate not trusted"],
] as const;

/** The JSON of a successful answer; throws what any other one means. */
function read(answer: Answer, request: HttpRequest, what: string): unknown {
  const { status, text } = answer;
  if (!isSuccess(answer)) throw refusal(answer, request, what);
  const payload = parseJson(text);
  if (payload === undefined) {
    throw new PayloadError(`${what} was answered with ${status}`, [
      { path: "", message: `expected JSON, received ${kindOfText(text)}` },
    ]);
  }
  return payload;
}

/** The error that an unsuccessful answer means. */
function refusal(answer: Answer, request: HttpRequest, what: string): Error {
  const { status, text } = answer;
  const redact = createRedactor(request.secrets);
  const body = Object(parseJson(text)) as Record<string, unknown>;
  const { error, error_description, message, code, errors } = body;
  const told = `${what} was answered with ${status}${
    typeof message === "string" ? ` (${redact(message)})` : ""
  }`;
  const details = {
    httpStatus: status,
    platformCode: typeof code === "number" ? code : null,
    errors: changeTexts(errors, redact),
  };
  if (status === 429) {
    return new RateLimitError(told, {
      ...details,
      retryAfter: retryAfter(answer, body),
      scope: redact(answer.scope) || null,
      global: body.global === true || answer.global === "true",
    });
  }
  if (request.form && typeof error === "string") {
    return new OAuthError(redact(error), {
      description: typeof error_description === "string" ? redact(error_description) : null,
      httpStatus: status,
    });
  }
  return new ApiError(told, details, hint(status, code, request));
}

function hint(status: number, code: unknown, request: HttpRequest): string | undefined {
  if (code === 40333) return "The edge blocked the client: check the userAgent option";
  if (status < 400) return "Redirects are not followed: check platform.apiUrl";
  if (status >= 500) return "The platform is in trouble; try again later";
  return request.hint;
}

/** Seconds to wait after a 429: the body has the decimals of what the header rounds up; the header may be a date. */
function retryAfter({ retryAfter: header }: Answer, body: unknown): number | null {
  const { retry_after } = Object(body) as { retry_after?: unknown };
  const exact = typeof retry_after === "number" ? retry_after : NaN;
  const whole = header.includes(":")
    ? Math.max(0, Math.ceil((Date.parse(header) - Date.now()) / 1000))
    : Number(/^\d+(\.\d+)?$/.exec(header)?.[0]);
  // The longer one, where they contradict each other.
  const seconds = exact >= 0 && !(whole - exact >= 1) ? exact : whole;
  return seconds >= 0 && seconds < Infinity ? seconds : null;
}

/** The value of a JSON text; `undefined` when it is none. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function kindOfText(text: string): string {
  if (/^\s*$/.test(text)) return "nothing";
  return /^\s*</.test(text) ? "HTML" : "something else";
}
