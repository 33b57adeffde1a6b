/**
 * Calls that wait for limits, without requests.
 *
 * @module
 */

import { deadlineIn } from "../../src/core/wait.ts";
import type { Call, Limit } from "../../src/http/limits/call.ts";
import { release } from "../../src/http/limits/claim.ts";
import { nextStepAfter } from "../../src/http/next_step.ts";
import { checkOptions } from "../../src/http/options.ts";
import { platformState } from "../../src/http/limits/platform_state.ts";
import type { Result } from "../../src/http/response.ts";
import { type ShortRequest, withMethod } from "./http.ts";

/** Creates a call with a deadline ten seconds from now, apart from the given parts. */
export function callOf(request: ShortRequest, parts: Partial<Call> = {}): Call {
  const options = parts.options ?? checkOptions({});
  return {
    request: withMethod(request),
    requestLine: "GET /it",
    options,
    platform: platformState(options),
    deadline: deadlineIn(10_000),
    signal: new AbortController().signal,
    results: [],
    claims: new Set(),
    sentAt: 0,
    isLate: false,
    token: null,
    queued: null,
    ...parts,
  };
}

/** Sends a request when a limit allows it, and tells the limit the result, as `attempt()` does. */
export async function sendWithin(
  limit: Limit,
  call: Call,
  send: () => Promise<Result>,
): Promise<Result> {
  let result: Result;
  try {
    await limit.wait(call);
    call.sentAt = performance.now();
    result = await send();
  } catch (error) {
    result = { kind: "rejection", error };
  }
  await limit.learn(call, result, nextStepAfter(call, result));
  for (const claim of call.claims) release(claim);
  return result;
}
