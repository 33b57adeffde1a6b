/**
 * One request to the platform: sent through ky, its answer as JSON, its failure as an error of this library.
 *
 * @module
 */

import { PayloadError, PayloadTooLargeError } from "../core/errors.ts";
import { type Answer, isSuccess } from "./attempt.ts";
import { hasTooManyValues, parseJson } from "./json.ts";
import { checkOptions, type ClientOptions } from "./options.ts";
import type { Queue } from "./queue.ts";
import { refusalOf } from "./answer_error.ts";
import { type HttpRequest, methodOf } from "./request.ts";
import { send } from "./send.ts";

/** Sends a request and gives the JSON of its answer; `null` for one without a body. */
export type Http = (request: HttpRequest) => Promise<unknown>;

/**
 * Makes the function through which a client sends its requests.
 *
 * @param queue Where they wait for their turn; without one they are sent at once, and not repeated after a 429.
 * @throws {TypeError} When an option is wrong, with its name.
 */
export function createHttp(options: ClientOptions, queue: Queue | null = null): Http {
  const checked = checkOptions(options);
  return async (request) => {
    const requestLine = `${methodOf(request)} ${checked.apiUrl}${request.path}`;
    const answer = await send(request, requestLine, checked, queue);
    if (!isSuccess(answer)) throw refusalOf(answer, request, requestLine);
    if (isEmptyAsExpected(answer, request)) return null;
    return payloadOf(answer, `${requestLine} was answered with ${answer.status}`, checked.maxBytes);
  };
}

/** Whether a successful answer has no body, and needs none: 204 is No Content (RFC 9110 section 15.3.5). */
function isEmptyAsExpected({ status, text }: Answer, { mayBeEmpty }: HttpRequest): boolean {
  return status === 204 || (mayBeEmpty === true && text === "");
}

/** The JSON of a successful answer. */
function payloadOf({ text }: Answer, found: string, maxBytes: number): unknown {
  if (text === null) throw new PayloadTooLargeError(found, maxBytes);
  const payload = parseJson(text);
  if (payload === undefined) {
    const message = `expected JSON, received ${kindOfText(text)}`;
    throw new PayloadError(found, [{ path: "", message }]);
  }
  return payload;
}

function kindOfText(text: string): string {
  if (/^\s*$/.test(text)) return "nothing";
  if (hasTooManyValues(text)) return "more values than any answer has";
  return /^\s*</.test(text) ? "HTML" : "something else";
}
