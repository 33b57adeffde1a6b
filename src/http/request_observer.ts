/**
 * Tells a `Login` of the requests that a rate limit holds back.
 *
 * @module
 */

import type { HttpRequest } from "./request.ts";

/** Watches the requests of a client. Its methods must not throw. */
export interface RequestObserver {
  /**
   * Learns that a request was sent after it waited for a limit that was used up.
   *
   * @param milliseconds The time that it waited.
   */
  sentLate(request: HttpRequest, limit: "route" | "global", milliseconds: number): void;
  /** Learns that a call has ended in an error. */
  failed(request: HttpRequest, error: unknown): void;
}

/** The property of the options that holds an observer. It is a symbol, because it is not an option for applications. */
export const observer: unique symbol = /* @__PURE__ */ Symbol("observer");
