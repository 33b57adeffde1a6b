import { expect, onTestFinished, test, vi } from "vitest";
import { tooLongError } from "../../../src/http/limits/call.ts";
import { refusedTokenErrorOf } from "../../../src/http/limits/refused_token.ts";
import { type ShortRequest, withMethod } from "../../support/http.ts";

function callOf(request: ShortRequest) {
  return { request: withMethod(request), requestLine: "GET /it" };
}

test("A request that would have to wait is rejected with the cause and the time to wait", () => {
  const call = callOf({ path: "/it" });
  expect(tooLongError(call, "its rate limit is used up", 1234.5)).toMatchObject({
    name: "RateLimitError",
    message: "GET /it was not sent: its rate limit is used up",
    hint: "Wait 2 s before the next request",
    httpStatus: 429,
    retryAfter: 1.235,
    scope: null,
    global: false,
    ofPerson: false,
  });
  expect(tooLongError(call, "it", 1, { global: true })).toMatchObject({ global: true });
});

test("The error for a refused token has the operation's hint and the time until the token is tried again", () => {
  vi.spyOn(performance, "now").mockReturnValue(500);
  onTestFinished(() => void vi.restoreAllMocks());
  const request = { path: "/it", hint: (status: number) => `What to do about ${status}` };
  expect(refusedTokenErrorOf(callOf(request), { refusedUntil: 299_500.5 })).toMatchObject({
    name: "ApiError",
    message: "GET /it was not sent: the platform rejected its token (401)",
    hint: "What to do about 401. The token will be tried again in 300 s",
    httpStatus: 401,
    platformCode: null,
  });
  expect(refusedTokenErrorOf(callOf({ path: "/it" }), { refusedUntil: 1500 }))
    .toMatchObject({ hint: "The token will be tried again in 1 s" });
});
