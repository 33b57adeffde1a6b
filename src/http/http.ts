/**
 * Sends a request to the platform and returns the JSON of the response. A failure becomes an error of this library.
 *
 * @module
 */

import { PayloadError, PayloadTooLargeError } from "../core/errors.ts";
import { type HttpResponse, isSuccess } from "./attempt.ts";
import type { Gate } from "./gate.ts";
import { hasTooManyValues } from "./json.ts";
import type { CheckedOptions } from "./options.ts";
import { responseError } from "./response_error.ts";
import { type HttpRequest, requestLineOf } from "./request.ts";
import { send } from "./send.ts";

/** Sends a request and returns the JSON of its response; `null` for an empty response. */
export type Http = (request: HttpRequest) => Promise<unknown>;

/**
 * Creates the function that sends the requests of a client.
 *
 * @param gateOf Returns the gate of a request. A request without a gate is sent at once, and is not retried after a 429.
 */
export function createHttp(
  options: CheckedOptions,
  gateOf: (request: HttpRequest) => Gate | null = () => null,
): Http {
  const { observer } = options;
  const http: Http = async (request) => {
    const requestLine = requestLineOf(request, options.apiUrl);
    const response = await send(request, requestLine, options, gateOf(request));
    if (!isSuccess(response)) throw responseError(response, request, requestLine);
    if (isEmptyAsExpected(response, request)) return null;
    return readPayload(response, `${requestLine} returned ${response.status}`, options.maxBytes);
  };
  if (!observer) return http;
  return (request) =>
    http(request).catch((error) => {
      observer.failed(request, error);
      throw error;
    });
}

/** Returns true if a success has an empty body, which is allowed. A 204 never has a body (RFC 9110 section 15.3.5). */
function isEmptyAsExpected({ status, text }: HttpResponse, { mayBeEmpty }: HttpRequest): boolean {
  return status === 204 || (mayBeEmpty === true && text === "");
}

/** Returns the JSON of a success. */
function readPayload({ text, json }: HttpResponse, found: string, maxBytes: number): unknown {
  if (text === null) throw new PayloadTooLargeError(found, { maxBytes });
  if (json === undefined) {
    const message = `expected JSON, received ${kindOfText(text)}`;
    throw new PayloadError(found, { issues: [{ path: "", message }] });
  }
  return json;
}

function kindOfText(text: string): string {
  if (/^\s*$/.test(text)) return "nothing";
  if (hasTooManyValues(text)) return "too many values";
  return /^\s*</.test(text) ? "HTML" : "something else";
}
