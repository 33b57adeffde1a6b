/**
 * Checks the options of a client that talks to Discord, fills in the defaults, and calls the application's callbacks.
 *
 * @module
 */

import { throwBadArgument, throwBadNumber, throwBadObject } from "../core/arguments.ts";
import type { PayloadIssue } from "../core/response_errors.ts";
import { checkedBaseUrls, discord, type Platform, readPlatform } from "../links/platform.ts";
import { version } from "../core/version.ts";
import type { HttpMethod, HttpRequest } from "./request.ts";
import { maxTimerMs } from "../core/wait.ts";
import { checkOptionNames } from "../core/options.ts";

/** Options of the clients that talk to Discord. A `null` option means its default. */
export interface ClientOptions {
  /** Sends the requests, for example through a proxy or to a fake platform. @default {globalThis.fetch} */
  readonly fetch?: Fetch | null | undefined;
  /**
   * The time limit of one call, in milliseconds: `10_000` is ten seconds. It includes retries, waits for rate limits, and a refresh of the token. A call that
   * would have to wait longer fails at once. A response with a new token may take three more seconds, so that the token is not lost,
   * and saving the token has a time limit of its own.
   *
   * @default {10_000}
   */
  readonly timeout?: number | null | undefined;
  /**
   * The maximum length of a response body, in bytes after decompression. The connection of a longer response is closed.
   * If a custom `fetch` returns a body that is not a stream, the body is measured after it was read.
   *
   * @default {8_388_608}
   */
  readonly maxBytes?: number | null | undefined;
  /**
   * The URLs of the platform, or their JSON as a string, such as an environment variable. An empty string means the default, so that
   * `platform: env.DISCORD_PLATFORM` switches between Discord and the fake platform.
   *
   * @default {discord}
   */
  readonly platform?: Platform | string | null | undefined;
  /**
   * The `User-Agent` header, which Discord requires. A browser sends its own.
   *
   * @default {"DiscordBot (https://github.com/guildpass/sdk, <version>)"}
   */
  readonly userAgent?: string | null | undefined;
  /**
   * Receives what was repaired in a successful response that differed from the documentation, at most 100 issues. Each issue has the
   * path, the expected value, and the kind of the received value, never the value itself. Errors of this function are only logged.
   *
   * @default {nothing is reported}
   */
  readonly onUnexpected?:
    | ((issues: readonly PayloadIssue[], request: ReportedRequest) => unknown)
    | null
    | undefined;
}

/** The options of a client that a `Login` creates. It has checked its own options once. */
export interface ClientOptionsOfLogin extends ClientOptions {
  readonly [checkedOptions]?: CheckedOptions;
}

/** The request of a repaired response. */
export interface ReportedRequest {
  /** The HTTP method. */
  readonly method: HttpMethod;
  /** The path below `apiUrl`, without the query, for example `/users/@me/guilds`. */
  readonly path: string;
}

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | null | undefined;
}

/** Options of one call with a time limit of its own. */
export interface TimedCallOptions extends CallOptions {
  /** The time limit of the call, in milliseconds. @default {the option of the client} */
  readonly timeout?: number | null | undefined;
}

/** A function that sends a request: the global `fetch`, another package's `fetch`, or a wrapper around one. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** The request as plain values. Every implementation of `fetch` accepts them. */
export interface FetchInit {
  /** The HTTP method. */
  readonly method: HttpMethod;
  /** The headers. */
  readonly headers: Record<string, string>;
  /** The body: a string; on Deno a `Blob`, since Deno may send any other body twice. */
  readonly body?: string | Blob;
  /** Fires when the call has ended. */
  readonly signal: AbortSignal;
  /** A redirect is not followed. */
  readonly redirect: "manual";
  /** Keeps frameworks from caching reads. */
  readonly cache?: "no-store";
}

/** The parts of a response that the library uses. */
export interface FetchResponse {
  /** The HTTP status. */
  readonly status: number;
  /** The headers. */
  readonly headers: { get(name: string): string | null };
  /** The body. It is read up to `maxBytes` if it is a `ReadableStream`. */
  readonly body?: unknown;
  /** Returns the body as text. Called for a body that is not a `ReadableStream`. */
  text(): Promise<string>;
}

/** The checked options of a client. */
export interface CheckedOptions {
  /** `null` for the global `fetch`, which is looked up for each request. */
  readonly fetch: Fetch | null;
  readonly timeout: number;
  readonly maxBytes: number;
  /** The base of the API, without a trailing slash. */
  readonly apiUrl: string;
  /** The base of the image CDN, without a trailing slash. */
  readonly cdnUrl: string;
  readonly userAgent: string;
  /** `null` without an observer. */
  readonly observer: RequestObserver | null;
}

/** The default of {@link ClientOptions.timeout}, in milliseconds. */
export const defaultTimeout = 10_000;

const defaultUserAgent = `DiscordBot (https://github.com/guildpass/sdk, ${version})`;

/** Checks a time limit. @throws {TypeError} If it is not a number of milliseconds that a timer accepts. */
export function checkTimeout(timeout: number): void {
  if (!(Number.isFinite(timeout) && timeout > 0 && timeout <= maxTimerMs)) {
    throwBadNumber("timeout", "a number of milliseconds above 0 and below 2147483648", timeout);
  }
}

/**
 * Checks the options of a client.
 *
 * @throws {TypeError} If an option is wrong.
 */
export function checkOptions(options: ClientOptionsOfLogin): CheckedOptions {
  if (typeof options !== "object") throwBadArgument("options", "an object", options);
  if (options[checkedOptions]) return options[checkedOptions];
  const fetch = options.fetch ?? null;
  const timeout = options.timeout ?? defaultTimeout;
  const maxBytes = options.maxBytes ?? 8 * 1024 * 1024;
  const platform = readPlatform(options.platform);
  const { apiUrl, cdnUrl } = platform === null ? discord : checkedBaseUrls(platform);
  const userAgent = options.userAgent ?? defaultUserAgent;
  checkTimeout(timeout);
  if (!(Number.isSafeInteger(maxBytes) && maxBytes > 0)) {
    throwBadNumber("maxBytes", "a whole number of bytes above 0", maxBytes);
  }
  if (!/^[ -~]+$/.test(userAgent)) throwBadArgument("userAgent", "printable ASCII", userAgent);
  if (fetch !== null && typeof fetch !== "function") throwBadArgument("fetch", "a function", fetch);
  const onUnexpected = options.onUnexpected ?? null;
  if (onUnexpected !== null && typeof onUnexpected !== "function") {
    throwBadArgument("onUnexpected", "a function", onUnexpected);
  }
  return { fetch, timeout, maxBytes, apiUrl, cdnUrl, userAgent, observer: null };
}

/** Watches the requests of a client. Its methods must not throw. */
export interface RequestObserver {
  /**
   * Called when a request that had to wait for a rate limit was sent.
   *
   * @param milliseconds The time that the request waited.
   */
  sentLate(request: HttpRequest, limit: "route" | "global", milliseconds: number): void;
  /** Called when a call has ended in an error. */
  failed(request: HttpRequest, error: unknown): void;
}

/** The key of checked options. It is a symbol, because applications do not have this option. */
export const checkedOptions: unique symbol = /* @__PURE__ */ Symbol("checked options");

/** Creates the function that passes the issues of a response to `onUnexpected`. */
export function createReport(
  onUnexpected: ClientOptions["onUnexpected"],
  request: ReportedRequest,
): (issues: readonly PayloadIssue[]) => void {
  return (issues) => {
    if (onUnexpected) callSafely(onUnexpected, issues, request);
  };
}

/**
 * Calls a callback of the application, and does not wait for its promise. Errors of the callback, thrown or rejected, are only
 * logged: they must not make the call fail.
 */
export function callSafely<Args extends readonly unknown[]>(
  callback: (...args: Args) => unknown,
  ...args: Args
): void {
  const call = async () => await callback(...args);
  call().catch((error) => console.error(error));
}

/** A table whose keys are the names of options. `NamesOf` compares them with the type of the options. */
export type OptionNames = Readonly<Record<string, unknown>>;

/** The names of the options that `Options` adds to `Base`. The compiler rejects an incomplete list. */
export type NamesOf<Options, Base> = Readonly<Record<Exclude<keyof Options, keyof Base>, true>>;

/** The options of every client. */
export const clientOptions = {
  fetch: true,
  timeout: true,
  maxBytes: true,
  platform: true,
  userAgent: true,
  onUnexpected: true,
} satisfies Record<keyof ClientOptions, true>;

/**
 * Checks that the options of a client have known names.
 *
 * @param ownNames The names of the client's own options, besides {@link ClientOptions}.
 * @throws {TypeError} If a name is unknown.
 */
export function checkClientOptionNames(
  options: object | null | undefined,
  ownNames: OptionNames = {},
): void {
  checkOptionNames("options", options, Object.keys({ ...clientOptions, ...ownNames }));
}

/**
 * Checks the options of one call.
 *
 * @param names The names of the call's options, without `signal`.
 * @param ignoredNames The names of options that the call accepts and ignores.
 * @throws {TypeError} If the options are not an object, or a name is unknown.
 */
export function checkCallOptions(
  options: unknown,
  names: OptionNames = {},
  ignoredNames: readonly string[] = [],
): void {
  if (options == null) return;
  const known = [...Object.keys(names), "signal"];
  if (typeof options !== "object") {
    throwBadArgument("options", `an object like { ${known.join(", ")} }`, options);
  }
  checkOptionNames("options", options, [...known, ...ignoredNames]);
  const { signal }: CallOptions = options;
  if (signal != null && typeof signal.throwIfAborted !== "function") {
    throwBadObject("signal", "an AbortSignal, like controller.signal", signal);
  }
}
