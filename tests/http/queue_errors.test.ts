import { expect, test } from "vitest";
import { refusedBefore, tooLate } from "../../src/http/queue_errors.ts";

test("A request that would have to wait too long fails with how long", () => {
  expect(tooLate("GET /it", 1234.5, false)).toMatchObject({
    name: "RateLimitError",
    message:
      "GET /it was not sent: its rate limit is used up, and it would have to wait longer than its timeout",
    hint: "Wait 1.235 s before the next request",
    httpStatus: 429,
    retryAfter: 1.235,
    scope: null,
    global: false,
  });
  expect(tooLate("GET /it", 1, true)).toMatchObject({ global: true });
});

test("A request with a token that was refused before fails as it did then, and says what to do", () => {
  const request = { path: "/it", hint: (status: number) => `What to do about ${status}` };
  expect(refusedBefore("GET /it", request)).toMatchObject({
    name: "ApiError",
    message: "GET /it was not sent: the platform has answered 401 to its token before",
    hint: "What to do about 401. If the token is right, send it with a new User",
    httpStatus: 401,
    platformCode: null,
  });
  expect(refusedBefore("GET /it", { path: "/it" }))
    .toMatchObject({ hint: "If the token is right, send it with a new User" });
});
