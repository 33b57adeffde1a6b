/**
 * Creates a response without sending a request.
 *
 * @module
 */

import { type HttpResponse, toHttpResponse } from "../../src/http/attempt.ts";
import type { HttpRequest } from "../../src/http/request.ts";

/** The parts of a response. */
export interface ResponseParts {
  readonly status?: number;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The request. @default {a request with the token of a user} */
  readonly request?: HttpRequest;
}

/** Creates a response with status 200, an empty object and no headers, apart from the given parts. */
export function responseOf(
  { status = 200, text = "{}", headers = {}, request }: ResponseParts,
): HttpResponse {
  const given = request ?? { path: "/users/@me", authorization: "Bearer t0ken" };
  return toHttpResponse(given, status, text, (name) => headers[name] ?? "");
}
