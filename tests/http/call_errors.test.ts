import { describe, expect, test } from "vitest";
import {
  ApiError,
  discord,
  NetworkError,
  OAuthError,
  PlatformApi,
  RateLimitError,
  TimeoutError,
  User,
} from "../../mod.ts";
import { createFakePlatform } from "../../src/testing/mod.ts";
import {
  acceptConnections,
  closedPort,
  fakeFetch,
  neverRespond,
  rejectWith,
  type Responder,
  respondWith,
  serveHttp,
  thrownBy,
} from "../support/responders.ts";
import {
  exchangeCode,
  getUser,
  hostileObject,
  networkErrorMessage,
  respondUnavailable,
} from "../support/calls.ts";

describe("a redirect", () => {
  test.each([301, 302, 303, 307, 308])("with %i is not followed", async (status) => {
    const followed: unknown[] = [];
    const elsewhere = await serveHttp((request, response) => {
      followed.push(request.headers);
      response.end("{}");
    });
    const platform = await serveHttp((_request, response) => {
      response.writeHead(status, { location: `${elsewhere.apiUrl}/thief` }).end();
    });
    for (const call of [getUser, exchangeCode]) {
      const error = await thrownBy(() => call({ platform }));
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({
        httpStatus: status,
        hint: expect.stringContaining("platform.apiUrl"),
      });
    }
    expect(followed).toEqual([]);
  });
});

describe("the error for a response", () => {
  test("does not show a code of digits that comes back as a number", async () => {
    const code = "123456789012";
    const body = { code: Number(code), message: "no", errors: { code: Number(code) } };
    const api = new PlatformApi("1", "s3cret", ["identify"], "https://app.example/", {
      ...fakeFetch(respondWith(body, { status: 403 })),
    });
    const error = await thrownBy(() => api.accessToken(code));
    expect(error).toMatchObject({ platformCode: null, errors: { code: "[redacted]" } });
  });

  test("has the platform's words", async () => {
    const tooMany = { code: "NUMBER_TYPE_MAX", message: "Too many" };
    const errors = { limit: { _errors: [tooMany, null, 1, true] } };
    const body = { message: "Invalid Form Body", code: 50035, errors };
    const error = await thrownBy(() => getUser(fakeFetch(respondWith(body, { status: 400 }))));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      code: "api_error",
      httpStatus: 400,
      platformCode: 50035,
      errors,
      message: "GET https://discord.com/api/v10/users/@me returned 400 (Invalid Form Body)",
    });
  });

  test.each<[string, unknown]>([
    ["empty", ""],
    ["HTML", "<html><title>403 Forbidden</title>"],
    ["half of a response", '{"message": "Unkn'],
    ["null", "null"],
    ["a string", '"no"'],
    ["a list", [1]],
    ["fields of other types", { message: { a: 1 }, code: "50035" }],
  ])("has only the status if the body is %s", async (_what, body) => {
    const error = await thrownBy(() => getUser(fakeFetch(respondWith(body, { status: 403 }))));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      httpStatus: 403,
      platformCode: null,
      errors: null,
      message: "GET https://discord.com/api/v10/users/@me returned 403",
    });
  });

  test.each<[string, number, unknown, RegExp | undefined]>([
    ["the edge blocks the client", 403, { code: 40333 }, /userAgent/],
    ["the platform is in trouble", 500, {}, /try again later/],
    ["there is nothing special", 400, {}, undefined],
  ])("has a hint or none if %s", async (_when, status, body, hint) => {
    const error = await thrownBy(() => exchangeCode(fakeFetch(respondWith(body, { status }))));
    expect((error as ApiError).hint).toEqual(hint && expect.stringMatching(hint));
  });

  test.each([101, 400, 405, 407, 408, 421, 425])(
    "with %i has no hint, since neither a token nor a redirect is the cause",
    async (status) => {
      const response = { status, headers: new Headers(), text: () => "{}" } as unknown as Response;
      const error = await thrownBy(() => getUser({ fetch: () => Promise.resolve(response) }));
      expect(error).toBeInstanceOf(ApiError);
      expect(error).not.toHaveProperty("hint");
    },
  );

  test.each<[string, number, unknown]>([
    ["HTML", 403, "<!doctype html><title>Access denied</title>"],
    ["HTML", 429, "<!doctype html><title>Rate limited</title>"],
    ["plain text", 429, "error code: 1015"],
    ["nothing", 403, ""],
    [
      "JSON about a block",
      429,
      {
        message:
          "You are being blocked from accessing our API temporarily due to exceeding our rate limits frequently",
        code: 0,
      },
    ],
    ["a code for it", 403, { message: "internal network error", code: 40333 }],
    ["a code for it", 400, { message: "internal network error", code: 40333 }],
  ])("names the edge if it responds to %s with %i", async (_what, status, body) => {
    for (const call of [getUser, exchangeCode]) {
      const error = await thrownBy(() => call(fakeFetch(respondWith(body, { status }))));
      expect(error).toMatchObject({
        httpStatus: status,
        blockedByEdge: true,
        hint: expect.stringMatching(
          /^The edge .* blocked this client or its IP address.*userAgent/,
        ),
      });
      expect((error as ApiError).hint).not.toMatch(/login|expired/);
    }
  });

  test("has the time to wait also after a block by the edge", async () => {
    const headers = { "retry-after": "60" };
    const error = await thrownBy(() =>
      getUser(fakeFetch(respondWith("<html>", { status: 429, headers })))
    );
    expect((error as RateLimitError).hint)
      .toMatch(/^The edge .* userAgent, and wait\. Wait 60 s before the next request$/);
  });

  test.each([[403, { message: "Missing Access", code: 50001 }], [401, "<html>"], [404, ""]])(
    "with %i and %j does not name the edge",
    async (status, body) => {
      const error = await thrownBy(() => getUser(fakeFetch(respondWith(body, { status }))));
      expect(error).toMatchObject({
        blockedByEdge: false,
        hint: expect.stringMatching(/^Check that the token/),
      });
    },
  );

  test("has the platform's errors of fields up to a bound, and without control characters", async () => {
    const errors = { [`a\u202e${"x".repeat(2000)}`]: Array(300).fill("\x1b[31mred") };
    const error = await thrownBy(() =>
      getUser(fakeFetch(respondWith({ errors }, { status: 400 })))
    );
    expect(error).toMatchObject({
      errors: { [`a ${"x".repeat(998)}`]: Array(199).fill(" [31mred") },
    });
  });

  test("has the words of OAuth after a token request", async () => {
    const body = { error: "invalid_grant", error_description: "Invalid code in request." };
    const error = await thrownBy(() => exchangeCode(fakeFetch(respondWith(body, { status: 400 }))));
    expect(error).toBeInstanceOf(OAuthError);
    expect(error).toMatchObject({
      code: "oauth_error",
      httpStatus: 400,
      error: "invalid_grant",
      description: "Invalid code in request.",
      hint: expect.stringContaining("start a new login"),
    });
  });

  test.each([
    ["without a description", { error: "invalid_grant" }],
    ["with a description of another type", { error: "invalid_grant", error_description: [1] }],
  ])("is an OAuthError after a token request, also %s", async (_how, body) => {
    const error = await thrownBy(() => exchangeCode(fakeFetch(respondWith(body, { status: 400 }))));
    expect(error).toMatchObject({ name: "OAuthError", description: null });
  });

  test.each([{ error: 1 }, { message: "no" }])(
    "is an ApiError after a token request with %j",
    async (body) => {
      const error = await thrownBy(() =>
        exchangeCode(fakeFetch(respondWith(body, { status: 400 })))
      );
      expect(error).toMatchObject({ name: "ApiError", httpStatus: 400 });
    },
  );

  test.each<[string, Responder, boolean, boolean]>([
    ["a 429", respondWith({}, { status: 429 }), true, true],
    ["a block", respondWith("<html>", { status: 403 }), true, true],
    ["trouble", respondUnavailable, true, false],
    ["a request that took too long", respondWith({}, { status: 408 }), true, false],
    [
      "trouble in the words of OAuth",
      respondWith({ error: "server_error" }, { status: 400 }),
      true,
      false,
    ],
    ["no response", rejectWith(new TypeError("fetch failed")), true, false],
    ["no connection", rejectWith(new TypeError("connection refused")), true, true],
    ["a refusal", respondWith({}, { status: 400 }), false, false],
  ])(
    "after %s says that a later refresh may succeed, and an exchange only with an unused code",
    async (_what, responder, isTemporary, isCodeUnused) => {
      const { fetch } = fakeFetch(responder);
      const api = new PlatformApi("1", "s3cret", ["identify"], "https://app.example/", { fetch });
      expect(await thrownBy(() => api.refresh("r3fresh"))).toMatchObject({ isTemporary });
      // A pause belongs to a fetch.
      const another = fakeFetch(responder);
      expect(await thrownBy(() => exchangeCode(another)))
        .toMatchObject({ isTemporary: isCodeUnused });
    },
  );

  test("after a timeout says that the code may be used up", async () => {
    const options = { fetch: neverRespond, timeout: 1 };
    expect(await thrownBy(() => exchangeCode(options))).toMatchObject({ isTemporary: false });
    expect(await thrownBy(() => getUser(options))).toMatchObject({ isTemporary: true });
  });

  test.each<[string, Responder, number | null]>([
    ["trouble", respondWith({}, { status: 503, headers: { "retry-after": "7" } }), 7],
    ["trouble without a time", respondWith({}, { status: 503 }), null],
    ["a block", respondWith("", { status: 403, headers: { "retry-after": "60" } }), 60],
    ["a block without a time", respondWith("", { status: 403 }), 30],
    ["a refusal", respondWith({}, { status: 404, headers: { "retry-after": "7" } }), null],
    [
      "trouble in the words of OAuth",
      respondWith({ error: "server_error" }, { status: 503, headers: { "retry-after": "7" } }),
      7,
    ],
  ])("has the time to wait after %s", async (_what, responder, retryAfter) => {
    const { fetch } = fakeFetch(responder);
    const api = new PlatformApi("1", "s3cret", ["identify"], "https://app.example/", { fetch });
    expect(await thrownBy(() => api.refresh("r3fresh"))).toMatchObject({ retryAfter });
  });

  test("is never an OAuthError after another request", async () => {
    const body = { error: "invalid_token" };
    const error = await thrownBy(() => getUser(fakeFetch(respondWith(body, { status: 401 }))));
    expect(error).toMatchObject({ name: "ApiError", httpStatus: 401 });
  });

  test.each([
    ["deep", `{"errors":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
    ["long", JSON.stringify({ errors: Array(200_000).fill({ a: 1 }) })],
  ])("is created for a body that is very %s", async (_how, body) => {
    const error = await thrownBy(() => getUser(fakeFetch(respondWith(body, { status: 400 }))));
    expect(error).toMatchObject({ name: "ApiError", httpStatus: 400 });
  });
});

describe("a rate limit", () => {
  const inAMinute = new Date(Date.now() + 60_000).toUTCString();

  test.each<[string, unknown, Record<string, string>, unknown]>([
    ["seconds in the body", { retry_after: 64.57 }, {}, 64.57],
    ["seconds in the header", {}, { "retry-after": "65" }, 65],
    ["decimals in the header", {}, { "retry-after": "0.25" }, 0.25],
    ["both, of which the body is exact", { retry_after: 64.57 }, { "retry-after": "65" }, 64.57],
    ["both, of which the header is longer", { retry_after: 1 }, { "retry-after": "65" }, 65],
    ["both, a whole second apart", { retry_after: 1 }, { "retry-after": "2" }, 2],
    ["both, of which the body is longer", { retry_after: 65 }, { "retry-after": "1" }, 65],
    ["a date", {}, { "retry-after": inAMinute }, expect.toSatisfy((s) => s > 0 && s <= 60)],
    ["a date that is over", {}, { "retry-after": "Sun, 06 Nov 1994 08:49:37 GMT" }, 0.25],
    ["HTML and a header", "<html>", { "retry-after": "7" }, 7],
    ["nothing", {}, {}, 5],
    ["words", {}, { "retry-after": "soon" }, 5],
    ["a date of its own", {}, { "retry-after": "at 8:49 o'clock" }, 5],
    ["less than nothing", { retry_after: -1 }, { "retry-after": "-1" }, 5],
    ["what only begins with a number", {}, { "retry-after": "1,2" }, 5],
    ["another unit", {}, { "retry-after": "1 h" }, 5],
    ["hexadecimal seconds", {}, { "retry-after": "0x10" }, 5],
    ["seconds with an exponent", {}, { "retry-after": "1e1" }, 5],
    ["seconds without an end", {}, { "retry-after": "1." }, 5],
    ["eternity", '{"retry_after":1e999}', {}, 5],
    ["a day", { retry_after: 86_400 }, {}, 86_400],
    ["more than a day", { retry_after: 1e308 }, {}, 86_400],
    ["more than a day in the header", {}, { "retry-after": "1000000000" }, 86_400],
    ["a string", { retry_after: "1" }, {}, 5],
  ])("has the time to wait, given as %s", async (_what, body, headers, retryAfter) => {
    const user = new User("t0ken", fakeFetch(respondWith(body, { status: 429, headers })));
    const error = await thrownBy(() => user.deleteRoleConnection("1"));
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ code: "rate_limited", httpStatus: 429, retryAfter });
  });

  test.each<[string, Responder, number]>([
    ["states it", respondWith({ retry_after: 64.5 }, { status: 429 }), 64.5],
    ["states none", respondWith({}, { status: 429 }), 5],
    ["asks for no wait", respondWith({ retry_after: 0 }, { status: 429 }), 1],
    ["is a block that states none", respondWith("", { status: 429 }), 30],
  ])(
    "of the application has the wait of the process if it %s",
    async (_how, response, retryAfter) => {
      expect(await thrownBy(() => exchangeCode(fakeFetch(response)))).toMatchObject({ retryAfter });
    },
  );

  test("over all requests has a wait of a minute at most", async () => {
    const response = respondWith({ retry_after: 3600, global: true }, { status: 429 });
    expect(await thrownBy(() => getUser(fakeFetch(response)))).toMatchObject({ retryAfter: 60 });
  });

  test("has the scope of the limit", async () => {
    const headers = { "x-ratelimit-scope": "shared", "x-ratelimit-global": "true" };
    expect(await thrownBy(() => exchangeCode(fakeFetch(respondWith({}, { status: 429, headers })))))
      .toMatchObject({ scope: "shared", global: true });
    const body = { message: "You are being rate limited.", global: true, code: 20028 };
    expect(await thrownBy(() => exchangeCode(fakeFetch(respondWith(body, { status: 429 })))))
      .toMatchObject({ scope: null, global: true, platformCode: 20028 });
    expect(await thrownBy(() => exchangeCode(fakeFetch(respondWith({}, { status: 429 })))))
      .toMatchObject({ scope: null, global: false, platformCode: null });
  });

  test.each<[string, Responder, boolean]>([
    ["its route", respondWith({}, { status: 429 }), true],
    ["its route and others", respondWith({ global: true }, { status: 429 }), false],
    [
      "all who use a resource",
      respondWith({}, { status: 429, headers: { "x-ratelimit-scope": "shared" } }),
      false,
    ],
    ["the address", respondWith("<html>", { status: 429 }), false],
  ])("says if the limit of %s is that of a person", async (_of, response, ofPerson) => {
    expect(await thrownBy(() => getUser(fakeFetch(response)))).toMatchObject({ ofPerson });
    expect(await thrownBy(() => exchangeCode(fakeFetch(response)))).toMatchObject({
      ofPerson: false,
    });
    const bot = new User("b0t", { ...fakeFetch(response), tokenType: "Bot" });
    expect(await thrownBy(() => bot.getCurrentUser())).toMatchObject({ ofPerson: false });
  });

  test("comes from the fake platform, too", async () => {
    const fake = createFakePlatform({ rateLimits: { limit: 1, windowMs: 60_000 } });
    const { access_token } = fake.issueToken();
    await new User(access_token, fake).getCurrentUser();
    // Another process knows nothing of the first request.
    const elsewhere = { ...fake, fetch: (url: string, init: RequestInit) => fake.fetch(url, init) };
    const error = await thrownBy(() => new User(access_token, elsewhere).getCurrentUser());
    expect(error).toMatchObject({
      name: "RateLimitError",
      scope: "user",
      global: false,
      retryAfter: expect.toSatisfy((seconds) => seconds > 5 && seconds <= 60),
      hint: expect.stringMatching(/^Wait [\d.]+ s/),
    });
    expect(fake.requests).toHaveLength(2);
  });
});

describe("a connection", () => {
  test("that is refused has this reason", async () => {
    const platform = await closedPort();
    const error = await thrownBy(() => exchangeCode({ platform }));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).not.toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({
      code: "network_error",
      message: `POST ${platform.apiUrl}/oauth2/token got no response: connection refused`,
      mayHaveArrived: false,
      hint: expect.stringContaining("then try again"),
    });
  });

  test("that is closed before the response has this reason", async () => {
    const platform = await acceptConnections((socket) => socket.end());
    expect(await thrownBy(() => exchangeCode({ platform }))).toMatchObject({
      name: "NetworkError",
      message: `POST ${platform.apiUrl}/oauth2/token got no response: connection lost`,
      mayHaveArrived: true,
      hint: "The code may be used up; start a new login",
    });
  });

  test("that is reset before the response has this reason", async () => {
    const platform = await acceptConnections((socket) => socket.resetAndDestroy());
    expect(await thrownBy(() => exchangeCode({ platform }))).toMatchObject({
      name: "NetworkError",
      message: `POST ${platform.apiUrl}/oauth2/token got no response: connection lost`,
    });
  });

  // The errors of other runtimes, and those that this test can't provoke.
  test.each<[string, unknown]>([
    ["connection refused", caused("fetch failed", { code: "ECONNREFUSED" })],
    [
      "connection refused",
      caused("fetch failed", { message: "Connection refused (os error 111)" }),
    ],
    ["connection lost", Object.assign(new TypeError("closed"), { code: "ECONNRESET" })],
    ["connection lost", caused("fetch failed", { message: "other side closed" })],
    ["connection lost", caused("fetch failed", { message: "connection closed before message" })],
    ["connection lost", new Error("Network connection lost.")],
    ["host not found", caused("fetch failed", { code: "ENOTFOUND" })],
    ["host not found", caused("fetch failed", { code: "EAI_AGAIN" })],
    ["host not found", caused("fetch failed", { message: "client error: dns error: failed" })],
    ["certificate not trusted", caused("fetch failed", { message: "invalid peer certificate" })],
    ["certificate not trusted", caused("fetch failed", { code: "DEPTH_ZERO_SELF_SIGNED_CERT" })],
    [
      "the server does not speak TLS",
      caused("fetch failed", { code: "ERR_SSL_WRONG_VERSION_NUMBER" }),
    ],
    [
      "the server does not speak TLS",
      caused("fetch failed", {
        message: "client error (Connect): received corrupt message of type InvalidContentType",
      }),
    ],
    [
      "the server does not speak TLS",
      Object.assign(
        new Error("The TLS handshake failed. Does the server speak TLS on this port?"),
        { code: "EPROTO" },
      ),
    ],
    ["the response is not valid HTTP", caused("fetch failed", { code: "HPE_INVALID_CONSTANT" })],
    [
      "the response is not valid HTTP",
      caused("fetch failed", { code: "UND_ERR_HEADERS_OVERFLOW" }),
    ],
    [
      "the response is not valid HTTP",
      caused("fetch failed", { message: "Response does not match the HTTP/1.1 protocol" }),
    ],
    [
      "the response is not valid HTTP",
      caused("fetch failed", { code: "UND_ERR_RES_CONTENT_LENGTH_MISMATCH" }),
    ],
    [
      "the response is not valid HTTP",
      caused("fetch failed", { message: "invalid HTTP version parsed" }),
    ],
    [
      "the response is not valid HTTP",
      caused("fetch failed", { message: "invalid content-length parsed" }),
    ],
    [
      "the response is not valid HTTP",
      caused("fetch failed", { message: "message head is too large" }),
    ],
    [
      "the response is not valid HTTP",
      Object.assign(new Error(), { code: "Malformed_HTTP_Response" }),
    ],
    ["the response is not valid HTTP", Object.assign(new Error(), { code: "InvalidHTTPResponse" })],
    [
      "the response is not valid HTTP",
      Object.assign(new Error(), { code: "InvalidContentLength" }),
    ],
    [
      "the response is not valid HTTP",
      Object.assign(new Error(), { code: "ResponseHeadersTooLarge" }),
    ],
  ])("has a reason: %s (%o)", async (why, error) => {
    expect(await thrownBy(() => exchangeCode(fakeFetch(rejectWith(error))))).toMatchObject({
      message: `POST https://discord.com/api/v10/oauth2/token got no response: ${why}`,
      mayHaveArrived: !["connection refused", "host not found"].includes(why),
    });
  });

  test("to a fake platform says that its fetch is missing", async () => {
    const { platform } = createFakePlatform();
    const error = caused("fetch failed", { code: "ENOTFOUND" });
    expect(await thrownBy(() => exchangeCode({ platform, ...fakeFetch(rejectWith(error)) })))
      .toMatchObject({
        hint: "A fake platform is not on the network: pass its fetch too, as in ...fake",
      });
  });

  test("with a response that is not HTTP has this reason", async () => {
    const platform = await acceptConnections((socket) => socket.end("SSH-2.0-OpenSSH_9.9\r\n"));
    expect(await thrownBy(() => exchangeCode({ platform }))).toMatchObject({
      name: "NetworkError",
      message:
        `POST ${platform.apiUrl}/oauth2/token got no response: the response is not valid HTTP`,
    });
  });

  test("to a server without TLS has this reason", async () => {
    const { apiUrl } = await serveHttp((_request, response) => response.end());
    const platform = { ...discord, apiUrl: `${apiUrl}`.replace("http:", "https:") };
    expect(await thrownBy(() => exchangeCode({ platform }))).toMatchObject({
      name: "NetworkError",
      message:
        `POST ${platform.apiUrl}/oauth2/token got no response: the server does not speak TLS`,
    });
  });

  test("with a response that can't be decompressed has this reason", async () => {
    const platform = await serveHttp((_request, response) => {
      response.setHeader("content-encoding", "gzip").end("{}".repeat(20));
    });
    expect(await thrownBy(() => exchangeCode({ platform }))).toMatchObject({
      name: "NetworkError",
      message:
        `POST ${platform.apiUrl}/oauth2/token got an incomplete response: broken compression`,
    });
  });

  // What the runtimes say of a response in the middle.
  test.each<[unknown]>([
    [caused("terminated", { code: "Z_DATA_ERROR" })],
    [caused("terminated", {
      code: "ERR__ERROR_FORMAT_PADDING_2",
      message: "Decompression failed",
    })],
    [new TypeError("Invalid gzip header")],
    [new TypeError("CRC computed does not match")],
    [new TypeError("brotli error")],
    [Object.assign(new Error(), { code: "ZlibError" })],
    [Object.assign(new Error(), { code: "BrotliDecompressionError" })],
  ])("says that compression is broken (%o)", async (error) => {
    const response = () => new Response(new ReadableStream({ pull: (body) => body.error(error) }));
    expect(await networkErrorMessage(() => exchangeCode(fakeFetch(response)))).toBe(
      "POST https://discord.com/api/v10/oauth2/token got an incomplete response: broken compression",
    );
  });

  test("has a reason that is up to nine causes deep", async () => {
    const deep = (causes: number): Error =>
      causes === 0
        ? new Error("connection refused")
        : new TypeError("fetch failed", { cause: deep(causes - 1) });
    const message = "POST https://discord.com/api/v10/oauth2/token got no response";
    expect(await networkErrorMessage(() => exchangeCode(fakeFetch(rejectWith(deep(8))))))
      .toBe(`${message}: connection refused`);
    expect(await networkErrorMessage(() => exchangeCode(fakeFetch(rejectWith(deep(9)))))).toBe(
      message,
    );
  });

  test.each<[string, unknown]>([
    ["words of its own", new TypeError("Failed to fetch https://token:t0ken@discord.com")],
    ["nothing", undefined],
    ["null", null],
    ["a string", "connection refused"],
    ["a cause that is itself", circular()],
    ["what throws when it is looked at", hostileObject()],
    ["what throws when its message is read", {
      code: 1,
      get message() {
        throw hostileObject();
      },
    }],
    ["what throws when its cause is read", {
      get cause() {
        throw hostileObject();
      },
    }],
    ["what throws when it becomes text", {
      code: {
        toString() {
          throw hostileObject();
        },
      },
    }],
    ["what can't become text", { code: Symbol("t0ken"), message: "connection refused" }],
    ["what throws further down", caused("fetch failed", hostileObject())],
  ])("has no reason if fetch throws %s", async (_what, error) => {
    expect(await networkErrorMessage(() => exchangeCode(fakeFetch(rejectWith(error))))).toBe(
      "POST https://discord.com/api/v10/oauth2/token got no response",
    );
  });
});

function caused(message: string, cause: object): TypeError {
  return new TypeError(message, { cause });
}

function circular(): Error {
  const error = new Error("round and round");
  error.cause = error;
  return error;
}
