import { expect, test } from "vitest";
import { refusedTokenError, tooLateError } from "../../src/http/queue_errors.ts";

test("The error for a wait past the deadline has the time to wait", () => {
  expect(tooLateError("GET /it", 1234.5, false)).toMatchObject({
    name: "RateLimitError",
    message:
      "GET /it was not sent: its rate limit is used up, and it would have to wait longer than its timeout",
    hint: "Wait 1.235 s before the next request",
    httpStatus: 429,
    retryAfter: 1.235,
    scope: null,
    global: false,
  });
  expect(tooLateError("GET /it", 1, true)).toMatchObject({ global: true });
});

test("The error for a refused token has the operation's hint and the way to use the token again", () => {
  const request = { path: "/it", hint: (status: number) => `What to do about ${status}` };
  expect(refusedTokenError("GET /it", request)).toMatchObject({
    name: "ApiError",
    message: "GET /it was not sent: the platform has answered 401 to its token before",
    hint: "What to do about 401. If the token is right, send it with a new User",
    httpStatus: 401,
    platformCode: null,
  });
  expect(refusedTokenError("GET /it", { path: "/it" }))
    .toMatchObject({ hint: "If the token is right, send it with a new User" });
});
