/**
 * Creates a response without sending a request.
 *
 * @module
 */

import { type HttpResponse, toHttpResponse } from "../../src/http/response.ts";

/** The parts of a response. */
export interface ResponseParts {
  readonly status?: number;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Creates a response with status 200, an empty object and no headers, apart from the given parts. */
export function responseOf(
  { status = 200, text = "{}", headers = {} }: ResponseParts,
): HttpResponse {
  return toHttpResponse(status, text, new Headers(headers));
}
