/**
 * Sends the requests of a client, without its methods.
 *
 * @module
 */

import type { Limit } from "../../src/http/limits/call.ts";
import { edgeBlock } from "../../src/http/limits/pause.ts";
import { Queue } from "../../src/http/limits/queue.ts";
import { refusedToken } from "../../src/http/limits/refused_token.ts";
import { platformState } from "../../src/http/limits/platform_state.ts";
import { checkOptions, type ClientOptionsOfLogin } from "../../src/http/options.ts";
import type { HttpRequest } from "../../src/http/request.ts";
import { requestJson } from "../../src/http/send.ts";

/** A request that needs no method: a form is a `POST`, any other request a `GET`. */
export type ShortRequest = Omit<HttpRequest, "method"> & Partial<Pick<HttpRequest, "method">>;

/** Returns a request with its method. */
export function withMethod(request: ShortRequest): HttpRequest {
  return { method: request.form ? "POST" : "GET", ...request };
}

/** Sends a request and returns the JSON of its response. */
export type Http = (request: ShortRequest) => Promise<unknown>;

/** Creates the function that sends requests within some limits. */
export function httpOf(
  options: ClientOptionsOfLogin,
  limits: readonly Limit[] = [edgeBlock],
): Http {
  const checked = checkOptions(options);
  return (request) => requestJson(withMethod(request), checked, platformState(checked), limits);
}

/** Creates the function that sends the requests of a client with a queue. */
export function queued(options: ClientOptionsOfLogin): Http {
  return httpOf(options, [refusedToken, new Queue(), edgeBlock]);
}
