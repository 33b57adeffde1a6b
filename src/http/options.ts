/**
 * The options of a client that talks to the platform: checked, with the defaults filled in.
 *
 * @module
 */

import { refuse } from "../core/arguments.ts";
import type { PayloadIssue } from "../core/errors.ts";
import { checkedBases, discord, type Platform } from "../links/platform.ts";
import { version } from "../core/version.ts";
import type { HttpMethod } from "./request.ts";
import { longestTimer } from "../core/wait.ts";

/** Options of the clients that talk to the platform. `null` is the same as leaving one out. */
export interface ClientOptions {
  /** Sends the requests, for example through a proxy or to a fake platform. @default {globalThis.fetch} */
  readonly fetch?: Fetch | null | undefined;
  /**
   * How long one call may take in all, in milliseconds: with its repetitions, and with the wait for rate limits that are used
   * up. A call that is known to have to wait longer fails at once.
   *
   * @default {10_000}
   */
  readonly timeout?: number | null | undefined;
  /**
   * How long the body of an answer may be, in bytes, counted after decompression. A longer one is not read further, and
   * its connection is dropped. Where a custom `fetch` gives a body that is no stream, it is counted after it was read.
   *
   * @default {8_388_608}
   */
  readonly maxBytes?: number | null | undefined;
  /** Where the platform is. @default {discord} */
  readonly platform?: Platform | null | undefined;
  /**
   * The `User-Agent`, which the platform demands; in a browser it is the browser's own.
   *
   * @default {"DiscordBot (https://github.com/guildpass/sdk, <version>)"}
   */
  readonly userAgent?: string | null | undefined;
  /**
   * Receives what differed from the documentation in a successful answer and was repaired: each place with what was expected
   * and the kind of what was found, never the value; 100 places at most. What it throws is ignored.
   *
   * @default {nothing is reported}
   */
  readonly onUnexpected?:
    | ((issues: readonly PayloadIssue[], request: ReportedRequest) => unknown)
    | null
    | undefined;
}

/** The request whose answer was repaired. */
export interface ReportedRequest {
  /** The HTTP method. */
  readonly method: HttpMethod;
  /** What comes after `apiUrl`, without the query, for example `/users/@me/guilds`. */
  readonly path: string;
}

/** Options of one call. */
export interface CallOptions {
  /** Stops the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | null | undefined;
}

/** The part of the Fetch API that is needed to send a request. */
export type Fetch = (input: Request, init?: RequestInit) => Promise<Response>;

/** The options of a client, checked. */
export interface CheckedOptions {
  /** `null` for the global one, which is looked up for each request. */
  readonly fetch: Fetch | null;
  readonly timeout: number;
  readonly maxBytes: number;
  /** The base of the API, without a trailing slash. */
  readonly apiUrl: string;
  readonly userAgent: string;
}

/** The default of {@link ClientOptions.timeout}, in milliseconds. */
export const defaultTimeout = 10_000;

const defaultUserAgent = `DiscordBot (https://github.com/guildpass/sdk, ${version})`;

/**
 * Checks the options of a client.
 *
 * @throws {TypeError} When an option is wrong, with its name.
 */
export function checkOptions(options: ClientOptions): CheckedOptions {
  if (typeof options !== "object") refuse("options", "an object", options);
  const fetch = options.fetch ?? null;
  const timeout = options.timeout ?? defaultTimeout;
  const maxBytes = options.maxBytes ?? 8 * 1024 * 1024;
  const { apiUrl } = checkedBases(options.platform ?? discord);
  const userAgent = options.userAgent ?? defaultUserAgent;
  if (!(Number.isFinite(timeout) && timeout > 0 && timeout <= longestTimer)) {
    refuse("timeout", "a number of milliseconds below 2147483648", timeout);
  }
  if (!(Number.isSafeInteger(maxBytes) && maxBytes > 0)) {
    refuse("maxBytes", "a whole number of bytes above 0", maxBytes);
  }
  if (!/^[ -~]+$/.test(userAgent)) refuse("userAgent", "printable ASCII", userAgent);
  if (fetch !== null && typeof fetch !== "function") refuse("fetch", "a function", fetch);
  const onUnexpected = options.onUnexpected ?? null;
  if (onUnexpected !== null && typeof onUnexpected !== "function") {
    refuse("onUnexpected", "a function", onUnexpected);
  }
  return { fetch, timeout, maxBytes, apiUrl, userAgent };
}
