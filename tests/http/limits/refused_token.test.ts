import { expect, onTestFinished, test, vi } from "vitest";
import { tooLongError } from "../../../src/http/limits/call.ts";
import { refusedTokenErrorOf } from "../../../src/http/limits/refused_token.ts";
import { callOf } from "../../support/limited_call.ts";
import type { ShortRequest } from "../../support/http.ts";

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
  const errorFor = (request: ShortRequest, refusedUntil: number) => {
    const call = callOf(request);
    return refusedTokenErrorOf({ ...call, token: { ...call.token, refusedUntil } });
  };
  const request = { path: "/it", hint: (status: number) => `What to do about ${status}` };
  expect(errorFor(request, 299_500.5)).toMatchObject({
    name: "ApiError",
    message: "GET /it was not sent: the platform has rejected its token (401)",
    hint: "What to do about 401. The token is tried again in 300 s",
    httpStatus: 401,
    platformCode: null,
  });
  expect(errorFor({ path: "/it" }, 1500)).toMatchObject({
    hint: "The token is tried again in 1 s",
  });
});
