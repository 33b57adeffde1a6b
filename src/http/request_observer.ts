/**
 * Tells a `Login` about delayed and failed requests.
 *
 * @module
 */

import type { HttpRequest } from "./request.ts";

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

/** The key of the observer in the options. It is a symbol, because applications do not have this option. */
export const observer: unique symbol = /* @__PURE__ */ Symbol("observer");
