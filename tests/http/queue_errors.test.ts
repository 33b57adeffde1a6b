import { expect, test } from "vitest";
import { refusedTokenError, tooLateError } from "../../src/http/queue_errors.ts";

const bearer = { path: "/it", authorization: "Bearer t" };

test("The error for a wait past the deadline has the time to wait", () => {
  expect(tooLateError("GET /it", bearer, 1234.5, false)).toMatchObject({
    name: "RateLimitError",
    message:
      "GET /it was not sent: its rate limit is used up, and it would have to wait longer than its timeout",
    hint: "Wait 2 s before the next request",
    httpStatus: 429,
    retryAfter: 1.235,
    scope: null,
    global: false,
    ofPerson: true,
  });
  expect(tooLateError("GET /it", bearer, 1, true)).toMatchObject({ global: true, ofPerson: false });
  const bot = { path: "/it", authorization: "Bot t" };
  expect(tooLateError("GET /it", bot, 1, false)).toMatchObject({ global: false, ofPerson: false });
});

test("The error for a refused token has the operation's hint and the time until the token is tried again", () => {
  const request = { path: "/it", hint: (status: number) => `What to do about ${status}` };
  expect(refusedTokenError("GET /it", request, 299_000.5)).toMatchObject({
    name: "ApiError",
    message: "GET /it was not sent: the platform has rejected its token (401)",
    hint: "What to do about 401. The token is tried again in 300 s",
    httpStatus: 401,
    platformCode: null,
  });
  expect(refusedTokenError("GET /it", { path: "/it" }, 1000))
    .toMatchObject({ hint: "The token is tried again in 1 s" });
});
