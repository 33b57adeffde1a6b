import { describe, expect, test } from "vitest";
import {
  ApiError,
  type ClientOptions,
  discord,
  NetworkError,
  OAuthError,
  PayloadError,
  PlatformApi,
  RateLimitError,
  TimeoutError,
  User,
} from "../../../mod.ts";
import { createFakePlatform } from "../../../src/testing/mod.ts";
import deno from "../../../deno.json" with { type: "json" };
import {
  accepting,
  type Answer,
  answering,
  failing,
  hanging,
  refusing,
  saying,
  serving,
  stalling,
  thrownBy,
} from "../../support/answers.ts";

const yes = saying({ id: "1000000000000000001", username: "ada" });
const unavailable = saying({ message: "503: Service Unavailable", code: 0 }, { status: 503 });

/** A `GET`, which is repeated. */
const read = (options: ClientOptions, signal?: AbortSignal) =>
  new User("t0ken", options).getCurrentUser({ signal });

/** A `POST`, which is not. */
const exchange = (options: ClientOptions, signal?: AbortSignal) =>
  new PlatformApi("1", "s3cret", ["identify"], "https://app.example/", options)
    .accessToken("c0de", { signal });

describe("a request", () => {
  test("says who asks", async () => {
    const { fetch, requests } = answering(yes);
    await read({ fetch });
    expect(requests.map(({ method, url, headers }) => ({ method, url, ...headersOf(headers) })))
      .toEqual([{
        method: "GET",
        url: "https://discord.com/api/v10/users/@me",
        accept: "application/json",
        authorization: "Bearer t0ken",
        "user-agent": `DiscordBot (https://github.com/guildpass/sdk, ${deno.version})`,
      }]);
  });

  test("goes to the platform it is told, with another name if it is told one", async () => {
    const { fetch, requests } = answering(yes);
    const platform = { ...discord, apiUrl: "http://localhost:1/api//" };
    await read({ fetch, platform, userAgent: "DiscordBot (https://app.example, 2)" });
    expect(requests[0]?.url).toBe("http://localhost:1/api/users/@me");
    expect(requests[0]?.headers.get("user-agent")).toBe("DiscordBot (https://app.example, 2)");
  });

  test("is sent by the global fetch, unless another one is given", async () => {
    const agents: unknown[] = [];
    const platform = await serving((request, response) => {
      agents.push(request.headers["user-agent"]);
      response.end('{"id":"1","username":"ada"}');
    });
    expect(await read({ platform, userAgent: "DiscordBot (real)" })).toMatchObject({ id: "1" });
    expect(agents).toEqual(["DiscordBot (real)"]);
  });

  const url = "platform.apiUrl must be an http or https URL";
  const milliseconds = "timeout must be a number of milliseconds below 2147483648";
  const ascii = "userAgent must be printable ASCII";

  test.each<[string, object]>([
    [url, { platform: { ...discord, apiUrl: "discord.com/api" } }],
    [url, { platform: { ...discord, apiUrl: "https://" } }],
    [url, { platform: { ...discord, apiUrl: "https://user:pass@discord.com" } }],
    [url, { platform: { ...discord, apiUrl: undefined } }],
    [milliseconds, { timeout: 0 }],
    [milliseconds, { timeout: -1 }],
    [milliseconds, { timeout: NaN }],
    [milliseconds, { timeout: 2 ** 31 }],
    [milliseconds, { timeout: "5000" }],
    [ascii, { userAgent: "" }],
    [ascii, { userAgent: "two\nlines" }],
    [ascii, { userAgent: "näme" }],
    ["fetch must be a function", { fetch: "fetch" }],
    ["fetch must be a function", { fetch: null }],
  ])("is not made with wrong options: %s (%j)", (message, options) => {
    const clients = [
      () => new User("t0ken", options),
      () => new PlatformApi("1", "s3cret", ["identify"], "https://app.example/", options),
    ];
    for (const create of clients) {
      expect(create).toThrow(TypeError);
      expect(create).toThrow(`${message}, received`);
    }
  });

  test("may have the longest timeout there is, or next to none", async () => {
    expect(await read({ ...answering(yes), timeout: 2 ** 31 - 1 })).toMatchObject({
      username: "ada",
    });
    expect(() => new User("t0ken", { timeout: 0.5 })).not.toThrow();
  });
});

describe.concurrent("a GET is repeated", () => {
  const soon = saying({ retry_after: 0.01 }, { status: 429 });
  const cut: Answer = async () => {
    const fake = createFakePlatform();
    fake.failNext({ cut: "body" });
    return await fake.fetch(`${fake.platform.apiUrl}/oauth2/keys`);
  };

  test.each<[string, Answer[], number]>([
    ["when the connection fails", [failing(new TypeError("fetch failed")), yes], 2],
    ["when fetch throws what is no error", [failing("offline"), yes], 2],
    ["when the connection is cut in the middle of the answer", [cut, yes], 2],
    ["twice at the most", [cut, unavailable, yes], 3],
    ["on 500", [saying("", { status: 500 }), yes], 2],
    ["on 520, as the edge says it", [saying("<html>", { status: 520 }), yes], 2],
    ["on 429 with a short wait", [soon, soon, yes], 3],
    ["on 429 with a short wait in the header", [
      saying("", { status: 429, headers: { "retry-after": "0" } }),
      yes,
    ], 2],
  ])("%s", async (_when, answers, sent) => {
    const { fetch, requests } = answering(...answers);
    expect(await read({ fetch })).toMatchObject({ username: "ada" });
    expect(requests).toHaveLength(sent);
  });

  test("with the same headers", async () => {
    const { fetch, requests } = answering(unavailable, yes);
    await read({ fetch });
    expect(headersOf(requests[1]?.headers)).toEqual(headersOf(requests[0]?.headers));
  });

  test.each<[string, Answer, typeof ApiError | typeof NetworkError]>([
    ["a connection that fails", failing(new TypeError("fetch failed")), NetworkError],
    ["a connection that is cut", cut, NetworkError],
    ["503", unavailable, ApiError],
    ["429", soon, RateLimitError],
  ])("not more than twice: %s", async (_what, answer, type) => {
    const { fetch, requests } = answering(answer);
    expect(await thrownBy(() => read({ fetch }))).toBeInstanceOf(type);
    expect(requests).toHaveLength(3);
  });

  const offline = failing(new TypeError("fetch failed"));

  test.each<[string, Answer[], string]>([
    ["503, then no answer", [unavailable, offline], "NetworkError: .* was not answered"],
    ["half an answer, then none", [cut, offline], "NetworkError: .* was not answered"],
    ["no answer, then 503", [offline, unavailable], "ApiError: .* was answered with 503"],
    ["503, then 404", [unavailable, saying("", { status: 404 })], "ApiError: .* with 404"],
  ])("and the last failure is the one that is told: %s", async (_what, answers, told) => {
    expect(String(await thrownBy(() => read(answering(...answers))))).toMatch(new RegExp(told));
  });
});

describe("a GET is not repeated", () => {
  test.each([300, 302, 400, 401, 403, 404, 405, 409, 418])("on %i", async (status) => {
    const headers = { "retry-after": "0" };
    const { fetch, requests } = answering(saying("{}", { status, headers }), yes);
    expect(await thrownBy(() => read({ fetch }))).toMatchObject({
      name: "ApiError",
      httpStatus: status,
    });
    expect(requests).toHaveLength(1);
  });

  test.each<[string, unknown, Record<string, string>]>([
    ["a long wait", { retry_after: 5.01 }, {}],
    ["a long wait in the header", {}, { "retry-after": "6" }],
    ["a long wait in the header, and a short one in the body", { retry_after: 1 }, {
      "retry-after": "60",
    }],
    ["no wait", {}, {}],
    ["a wait that is no number", { retry_after: "1" }, { "retry-after": "soon" }],
  ])("on 429 with %s", async (_what, body, headers) => {
    const { fetch, requests } = answering(saying(body, { status: 429, headers }), yes);
    expect(await thrownBy(() => read({ fetch }))).toBeInstanceOf(RateLimitError);
    expect(requests).toHaveLength(1);
  });

  test.each<[string, Answer, string]>([
    ["a failure", failing(new TypeError("fetch failed")), "NetworkError"],
    ["503", unavailable, "ApiError"],
    ["429", saying({ retry_after: 4 }, { status: 429 }), "RateLimitError"],
  ])("after %s when that would go past the timeout", async (_what, answer, name) => {
    const { fetch, requests } = answering(answer, yes);
    expect(await thrownBy(() => read({ fetch, timeout: 249 }))).toMatchObject({ name });
    expect(requests).toHaveLength(1);
  });

  test.each([["an answer", hanging], ["the end of an answer", stalling]])(
    "after it has waited for %s in vain",
    async (_what, answer) => {
      const { fetch, requests } = answering(answer, yes);
      expect(await thrownBy(() => read({ fetch, timeout: 300 }))).toBeInstanceOf(TimeoutError);
      expect(requests).toHaveLength(1);
    },
  );
});

describe("a token request is sent once, and never again, after", () => {
  test.each<[string, Answer, string]>([
    ["a connection that fails", failing(new TypeError("fetch failed")), "NetworkError"],
    ["an answer that never comes", hanging, "TimeoutError"],
    ["an answer that stalls", stalling, "TimeoutError"],
    ["400", saying({ error: "invalid_grant" }, { status: 400 }), "OAuthError"],
    ["401", saying({ error: "invalid_client" }, { status: 401 }), "OAuthError"],
    ["302", saying("", { status: 302, headers: { location: "/" } }), "ApiError"],
    ["403", saying("", { status: 403 }), "ApiError"],
    ["404", saying("", { status: 404 }), "ApiError"],
    ["429 with a short wait", saying({ retry_after: 0 }, { status: 429 }), "RateLimitError"],
    ["500", saying("", { status: 500 }), "ApiError"],
    ["503", unavailable, "ApiError"],
    ["HTML", saying("<html>"), "PayloadError"],
    ["nothing", saying(""), "PayloadError"],
    ["half of an answer", saying('{"access_token":"t0'), "PayloadError"],
    ["another answer", saying({ access_token: 1 }), "PayloadError"],
  ])("%s", async (_what, answer, name) => {
    const { fetch, requests } = answering(answer);
    expect(await thrownBy(() => exchange({ fetch, timeout: 300 }))).toMatchObject({ name });
    expect(requests).toHaveLength(1);
  });

  test("an answer that is cut", async () => {
    const fake = createFakePlatform();
    fake.failNext({ cut: "body" });
    expect(await thrownBy(() => exchange(fake))).toMatchObject({ name: "NetworkError" });
    expect(fake.requests).toHaveLength(1);
  });
});

test("a token request is sent once, even when a connection breaks that was kept open", async () => {
  let received = 0;
  const platform = await accepting((socket) => {
    const answer = (): void => {
      received++;
      if (received > 1) socket.destroy();
      else socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}");
    };
    answer();
    socket.on("data", answer);
  });
  expect(await thrownBy(() => exchange({ platform }))).toMatchObject({ name: "PayloadError" });
  expect(await thrownBy(() => exchange({ platform }))).toMatchObject({ name: "NetworkError" });
  expect(received).toBe(2);
});

describe("a redirect", () => {
  test.each([301, 302, 303, 307, 308])("with %i is not followed", async (status) => {
    const followed: unknown[] = [];
    const elsewhere = await serving((request, response) => {
      followed.push(request.headers);
      response.end("{}");
    });
    const platform = await serving((_request, response) => {
      response.writeHead(status, { location: `${elsewhere.apiUrl}/thief` }).end();
    });
    for (const call of [read, exchange]) {
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

describe("a refusal", () => {
  test("is told in the platform's words", async () => {
    const tooMany = { code: "NUMBER_TYPE_MAX", message: "Too many" };
    const errors = { limit: { _errors: [tooMany, null, 1, true] } };
    const body = { message: "Invalid Form Body", code: 50035, errors };
    const error = await thrownBy(() => read(answering(saying(body, { status: 400 }))));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      code: "api_error",
      httpStatus: 400,
      platformCode: 50035,
      errors,
      message:
        "GET https://discord.com/api/v10/users/@me was answered with 400 (Invalid Form Body)",
    });
  });

  test.each<[string, unknown]>([
    ["nothing", ""],
    ["HTML", "<html><title>403 Forbidden</title>"],
    ["half of an answer", '{"message": "Unkn'],
    ["null", "null"],
    ["a string", '"no"'],
    ["a list", [1]],
    ["fields of other types", { message: { a: 1 }, code: "50035" }],
  ])("that says %s has its status only", async (_what, body) => {
    const error = await thrownBy(() => read(answering(saying(body, { status: 403 }))));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      httpStatus: 403,
      platformCode: null,
      errors: null,
      message: "GET https://discord.com/api/v10/users/@me was answered with 403",
    });
  });

  test.each<[string, number, unknown, RegExp | undefined]>([
    ["the edge blocks the client", 403, { code: 40333 }, /userAgent/],
    ["the platform is in trouble", 500, {}, /try again later/],
    ["there is nothing special", 400, {}, undefined],
  ])("has a hint where %s", async (_when, status, body, hint) => {
    const error = await thrownBy(() => exchange(answering(saying(body, { status }))));
    expect((error as ApiError).hint).toEqual(hint && expect.stringMatching(hint));
  });

  test("of a token request has the words of OAuth", async () => {
    const body = { error: "invalid_grant", error_description: "Invalid code in request." };
    const error = await thrownBy(() => exchange(answering(saying(body, { status: 400 }))));
    expect(error).toBeInstanceOf(OAuthError);
    expect(error).toMatchObject({
      code: "oauth_error",
      httpStatus: 400,
      error: "invalid_grant",
      description: "Invalid code in request.",
      hint: expect.stringContaining("start a new one"),
    });
  });

  test.each([
    ["without a description", { error: "invalid_grant" }],
    ["with a description of another type", { error: "invalid_grant", error_description: [1] }],
  ])("of a token request may be %s", async (_how, body) => {
    const error = await thrownBy(() => exchange(answering(saying(body, { status: 400 }))));
    expect(error).toMatchObject({ name: "OAuthError", description: null });
  });

  test.each([{ error: 1 }, { message: "no" }])(
    "of a token request that is no OAuth error is none: %j",
    async (body) => {
      const error = await thrownBy(() => exchange(answering(saying(body, { status: 400 }))));
      expect(error).toMatchObject({ name: "ApiError", httpStatus: 400 });
    },
  );

  test("of another request is no OAuth error, whatever it says", async () => {
    const body = { error: "invalid_token" };
    const error = await thrownBy(() => read(answering(saying(body, { status: 401 }))));
    expect(error).toMatchObject({ name: "ApiError", httpStatus: 401 });
  });

  test.each([
    ["deep", `{"errors":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
    ["long", JSON.stringify({ errors: Array(200_000).fill({ a: 1 }) })],
  ])("may be very %s", async (_how, body) => {
    const error = await thrownBy(() => read(answering(saying(body, { status: 400 }))));
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
    ["a date that is over", {}, { "retry-after": "Sun, 06 Nov 1994 08:49:37 GMT" }, 0],
    ["HTML and a header", "<html>", { "retry-after": "7" }, 7],
    ["nothing", {}, {}, null],
    ["words", {}, { "retry-after": "soon" }, null],
    ["a date of its own", {}, { "retry-after": "at 8:49 o'clock" }, null],
    ["less than nothing", { retry_after: -1 }, { "retry-after": "-1" }, null],
    ["what only begins with a number", {}, { "retry-after": "1,2" }, null],
    ["another unit", {}, { "retry-after": "1 h" }, null],
    ["hexadecimal seconds", {}, { "retry-after": "0x10" }, null],
    ["seconds with an exponent", {}, { "retry-after": "1e1" }, null],
    ["seconds without an end", {}, { "retry-after": "1." }, null],
    ["eternity", '{"retry_after":1e999}', {}, null],
    ["a string", { retry_after: "1" }, {}, null],
  ])("tells how long to wait: %s", async (_what, body, headers, retryAfter) => {
    const error = await thrownBy(() => exchange(answering(saying(body, { status: 429, headers }))));
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ code: "rate_limited", httpStatus: 429, retryAfter });
  });

  test("tells what is limited", async () => {
    const headers = { "x-ratelimit-scope": "shared", "x-ratelimit-global": "true" };
    expect(await thrownBy(() => exchange(answering(saying({}, { status: 429, headers })))))
      .toMatchObject({ scope: "shared", global: true });
    const body = { message: "You are being rate limited.", global: true, code: 20028 };
    expect(await thrownBy(() => exchange(answering(saying(body, { status: 429 })))))
      .toMatchObject({ scope: null, global: true, platformCode: 20028 });
    expect(await thrownBy(() => exchange(answering(saying({}, { status: 429 })))))
      .toMatchObject({ scope: null, global: false, platformCode: null });
  });

  test("is the fake platform's, too", async () => {
    const fake = createFakePlatform({ rateLimits: { limit: 1, windowMs: 60_000 } });
    const user = new User(fake.issueToken().access_token, fake);
    await user.getCurrentUser();
    const error = await thrownBy(() => user.getCurrentUser());
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

describe("a success", () => {
  test.each([
    ["HTML", " <!doctype html>", "expected JSON, received HTML"],
    ["nothing", "", "expected JSON, received nothing"],
    ["white space", "\r\n", "expected JSON, received nothing"],
    ["half of an answer", '{"id": "1", "user', "expected JSON, received something else"],
  ])("that says %s is none", async (_what, body, message) => {
    for (const call of [read, exchange]) {
      const error = await thrownBy(() => call(answering(saying(body))));
      expect(error).toBeInstanceOf(PayloadError);
      expect(error).toMatchObject({ code: "invalid_payload", issues: [{ path: "", message }] });
    }
  });

  test("may have any status from 200 to 299", async () => {
    const answer = saying({ id: "1", username: "ada" }, { status: 299 });
    expect(await read(answering(answer))).toMatchObject({ id: "1" });
  });
});

describe("a connection", () => {
  test("that is refused says so", async () => {
    const platform = await refusing();
    const error = await thrownBy(() => exchange({ platform }));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).not.toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({
      code: "network_error",
      message: `POST ${platform.apiUrl}/oauth2/token was not answered: connection refused`,
    });
  });

  test("that is closed before the answer says so", async () => {
    const platform = await accepting((socket) => socket.end());
    expect(await thrownBy(() => exchange({ platform }))).toMatchObject({
      name: "NetworkError",
      message: `POST ${platform.apiUrl}/oauth2/token was not answered: connection lost`,
    });
  });

  test("that is reset before the answer says so", async () => {
    const platform = await accepting((socket) => socket.resetAndDestroy());
    expect(await thrownBy(() => exchange({ platform }))).toMatchObject({
      name: "NetworkError",
      message: `POST ${platform.apiUrl}/oauth2/token was not answered: connection lost`,
    });
  });

  test.each([
    ["a known length", 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"id'],
    ["chunks", 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\n{"id\r\n'],
  ])("that is cut within an answer of %s says so", async (_what, half) => {
    const platform = await accepting((socket) => socket.end(half));
    expect(await thrownBy(() => exchange({ platform }))).toMatchObject({
      name: "NetworkError",
      message: expect.stringContaining("/oauth2/token was answered in part only"),
    });
  });

  test("that never answers runs into the timeout", async () => {
    const platform = await accepting(() => {});
    for (const call of [read, exchange]) {
      const error = await thrownBy(() => call({ platform, timeout: 100 }));
      expect(error).toBeInstanceOf(TimeoutError);
      expect(error).toBeInstanceOf(NetworkError);
      expect(error).toMatchObject({
        code: "timeout",
        message: expect.stringMatching(/^(GET|POST) http\S+ was not answered within 100 ms$/),
      });
    }
  });

  test("is closed when the time is over", async () => {
    for (const begins of ["", 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"id']) {
      const closed = Promise.withResolvers<string>();
      const platform = await accepting((socket) => {
        socket.on("close", () => closed.resolve("closed")).write(begins);
      });
      expect(await thrownBy(() => read({ platform, timeout: 50 }))).toBeInstanceOf(TimeoutError);
      expect(await closed.promise).toBe("closed");
    }
  });

  test("that stalls within the answer runs into the timeout", async () => {
    const platform = await accepting((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"id');
    });
    for (const call of [read, exchange]) {
      const error = await thrownBy(() => call({ platform, timeout: 100 }));
      expect(error).toBeInstanceOf(TimeoutError);
    }
  });

  // How the runtimes say it that this test does not run on, or about what it can't provoke.
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
  ])("tells why it failed: %s (%o)", async (why, error) => {
    expect(await thrownBy(() => exchange(answering(failing(error))))).toMatchObject({
      message: `POST https://discord.com/api/v10/oauth2/token was not answered: ${why}`,
    });
  });

  test.each<[string, unknown]>([
    ["words of its own", new TypeError("Failed to fetch https://token:t0ken@discord.com")],
    ["nothing", undefined],
    ["null", null],
    ["a string", "connection refused"],
    ["a cause that is itself", circular()],
    ["what throws when it is looked at", hostile()],
    ["what throws when its message is read", {
      code: 1,
      get message() {
        throw hostile();
      },
    }],
    ["what throws when its cause is read", {
      get cause() {
        throw hostile();
      },
    }],
    ["what throws when it becomes text", {
      code: {
        toString() {
          throw hostile();
        },
      },
    }],
    ["what can't become text", { code: Symbol("t0ken"), message: "connection refused" }],
    ["what throws further down", caused("fetch failed", hostile())],
  ])("tells no more than that it failed, when fetch throws %s", async (_what, error) => {
    expect(await toldBy(() => exchange(answering(failing(error))))).toBe(
      "POST https://discord.com/api/v10/oauth2/token was not answered",
    );
  });
});

test("a failure named as a timeout, without being one, is none", async () => {
  const { fetch } = answering(failing(new DOMException("t0ken", "TimeoutError")));
  expect(await thrownBy(() => exchange({ fetch }))).toMatchObject({ name: "NetworkError" });
});

describe("an answer that is none of the Fetch API's", () => {
  test("is taken as far as it is like one", async () => {
    const text = () => '{"id":"1","username":"ada"}';
    const like = (status: unknown, get = (): unknown => null): ClientOptions => ({
      fetch: () => Promise.resolve({ status, headers: { get }, text } as unknown as Response),
    });
    expect(await read(like("200"))).toMatchObject({ username: "ada" });
    expect(await thrownBy(() => exchange(like(undefined)))).toMatchObject({ name: "ApiError" });
    expect(await thrownBy(() => exchange(like(429, () => 7)))).toMatchObject({ retryAfter: 7 });
  });

  const plain = { status: 200, headers: new Headers(), text: () => "" };
  const message = "GET https://discord.com/api/v10/users/@me was answered in part only";

  test.each<[string, unknown]>([
    ["is nothing", undefined],
    ["has no headers", { ...plain, headers: undefined }],
    ["throws about a header", {
      ...plain,
      headers: {
        get() {
          throw hostile();
        },
      },
    }],
    ["has a header that throws", { ...plain, headers: { get: hostile } }],
    ["has a status that is no number", { ...plain, status: Symbol("t0ken") }],
    ["has no text", { ...plain, text: undefined }],
    ["throws when it is read", {
      ...plain,
      text() {
        throw hostile();
      },
    }],
    ["has a text that throws", {
      ...plain,
      text: () => ({
        toString() {
          throw hostile();
        },
      }),
    }],
  ])("and %s is a connection that failed", async (_what, response) => {
    const fetch = (): Promise<Response> => Promise.resolve(response as Response);
    expect(await toldBy(() => read({ fetch, timeout: 200 }))).toBe(message);
  });
});

describe("an abort", () => {
  const reasons: unknown[] = [undefined, new Error("enough"), "enough", null, 0];

  test.each(reasons)(
    "before the request sends none, and rejects with its reason (%s)",
    async (reason) => {
      for (const call of [read, exchange]) {
        const { fetch, requests } = answering(yes);
        const signal = AbortSignal.abort(reason);
        expect(await thrownBy(() => call({ fetch }, signal))).toBe(signal.reason);
        expect(requests).toHaveLength(0);
      }
    },
  );

  test.each<[string, Answer]>([
    ["for the answer", hanging],
    ["for the answer, from a fetch that listens", untilAborted],
    ["for the end of the answer", stalling],
    ["for the repetition", unavailable],
  ])("while it waits %s rejects with its reason", async (what, answer) => {
    for (const reason of reasons) {
      for (const call of what === "for the repetition" ? [read] : [read, exchange]) {
        const controller = new AbortController();
        const { fetch, requests } = answering((request) => {
          setTimeout(() => controller.abort(reason), 10);
          return answer(request);
        });
        const { signal } = controller;
        expect(await thrownBy(() => call({ fetch }, signal))).toBe(signal.reason);
        expect(requests).toHaveLength(1);
      }
    }
  });

  test("while it waits for the repetition is the end of it", async () => {
    const controller = new AbortController();
    const { fetch, requests } = answering(unavailable);
    setTimeout(() => controller.abort(), 10);
    await thrownBy(() => read({ fetch }, controller.signal));
    // Longer than the wait it was in.
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(requests).toHaveLength(1);
  });

  test("ends a wait of 5 seconds, the longest there is", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort("enough"), 50);
    const answers = answering(saying({ retry_after: 5 }, { status: 429 }));
    expect(await thrownBy(() => read(answers, controller.signal))).toBe("enough");
  });

  test("reaches the connection", async () => {
    const controller = new AbortController();
    const closed = Promise.withResolvers<string>();
    const platform = await accepting((socket) => {
      socket.on("close", () => closed.resolve("closed"));
      controller.abort("enough");
    });
    expect(await thrownBy(() => read({ platform }, controller.signal))).toBe("enough");
    expect(await closed.promise).toBe("closed");
  });

  test("after the answer changes nothing, and no listener is left", async () => {
    const { signal } = new AbortController();
    const listeners = new Map<unknown, string>();
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (
      ...[type, listener, options]: Parameters<typeof addEventListener>
    ) => {
      listeners.set(listener, type);
      addEventListener.call(signal, type, listener, options);
    };
    signal.removeEventListener = (...[type, listener]: Parameters<typeof removeEventListener>) => {
      if (listeners.get(listener) === type) listeners.delete(listener);
      removeEventListener.call(signal, type, listener);
    };
    await read(answering(yes), signal);
    await thrownBy(() => read(answering(saying("", { status: 404 })), signal));
    expect([...listeners.values()]).toEqual([]);
  });
});

function headersOf(headers: Headers | undefined): Record<string, string> {
  return Object.fromEntries(headers ?? []);
}

function untilAborted({ signal }: Request): Promise<Response> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
}

function caused(message: string, cause: object): TypeError {
  return new TypeError(message, { cause });
}

/** What the `NetworkError` says that a call throws; anything else is not handed on, as looking at it may throw. */
async function toldBy(call: () => Promise<unknown>): Promise<string> {
  try {
    await call();
    return "nothing was thrown";
  } catch (error) {
    try {
      return error instanceof NetworkError ? error.message : "another error";
    } catch {
      return "what is hostile";
    }
  }
}

/** What throws itself, whatever is done to it. */
function hostile(): object {
  const fail = (): never => {
    throw thrower;
  };
  const thrower: object = new Proxy({}, { get: fail, has: fail, getPrototypeOf: fail });
  return thrower;
}

function circular(): Error {
  const error = new Error("round and round");
  error.cause = error;
  return error;
}
