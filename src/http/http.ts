/**
 * Sends a request to the platform and returns the JSON of the response. A failure becomes an error of this library.
 *
 * @module
 */

import { type GuildpassError, PayloadError, PayloadTooLargeError } from "../core/errors.ts";
import type { HttpResponse } from "./attempt.ts";
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
  return async (request) => {
    const requestLine = requestLineOf(request, options.apiUrl);
    try {
      const response = await send(request, requestLine, options, gateOf(request));
      if (!response.ok) throw responseError(response, request, requestLine);
      // A 204 never has a body (RFC 9110 section 15.3.5).
      const { status, text, json } = response;
      if (status === 204 || (request.mayBeEmpty && text === "")) return null;
      if (json !== undefined) return json;
      throw payloadError(response, `${requestLine} returned ${status}`, options.maxBytes);
    } catch (error) {
      options.observer?.failed(request, error);
      throw error;
    }
  };
}

/** Creates the error for a success without JSON. */
function payloadError({ text }: HttpResponse, found: string, maxBytes: number): GuildpassError {
  if (text === null) return new PayloadTooLargeError(found, { maxBytes });
  const message = `expected JSON, received ${kindOfText(text)}`;
  return new PayloadError(found, { issues: [{ path: "", message }] });
}

function kindOfText(text: string): string {
  if (/^\s*$/.test(text)) return "nothing";
  if (hasTooManyValues(text)) return "too many values";
  return /^\s*</.test(text) ? "HTML" : "something else";
}
