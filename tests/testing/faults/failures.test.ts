import { describe, expect, test } from "vitest";
import {
  bearerToken,
  exchangeCode,
  get,
  obtainCode,
  postForm,
  readJson,
  smallPlatform,
} from "../small_platform.ts";

describe("FakePlatform.failNext()", () => {
  test("makes one request fail", async () => {
    const fake = smallPlatform();
    fake.failNext({ status: 503 });
    const response = await get(fake, "/oauth2/keys");
    expect(response.status).toBe(503);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(await readJson(response)).toEqual({ message: "503: Service Unavailable", code: 0 });
    expect((await get(fake, "/oauth2/keys")).status).toBe(200);
  });

  test("sends a given string unchanged, and other bodies as JSON", async () => {
    const fake = smallPlatform();
    fake.failNext({ body: null });
    const empty = await get(fake, "/users/@me/guilds");
    expect([empty.status, await empty.text()]).toEqual([200, "null"]);
    fake.failNext({ status: 400, body: { error: "invalid_grant" } });
    const json = await get(fake, "/users/@me");
    expect(json.headers.get("content-type")).toBe("application/json");
    expect(await readJson(json)).toEqual({ error: "invalid_grant" });
    fake.failNext({ status: 502, body: "\n<!doctype html><h1>Bad gateway</h1>" });
    const html = await get(fake, "/users/@me");
    expect(html.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(await html.text()).toContain("Bad gateway");
    fake.failNext({ body: `{"id":"1` });
    const half = await get(fake, "/users/@me");
    expect(half.headers.get("content-type")).toBe("application/json");
    await expect(half.json()).rejects.toThrow(SyntaxError);
    fake.failNext({ status: 200, body: "" });
    const nothing = await get(fake, "/users/@me");
    expect(nothing.headers.has("content-type")).toBe(false);
    expect(await nothing.text()).toBe("");
    fake.failNext({ status: 204, body: "" });
    expect((await get(fake, "/users/@me")).status).toBe(204);
    fake.failNext({ status: 202 });
    const accepted = await get(fake, "/users/@me");
    expect([accepted.status, await accepted.text()]).toEqual([202, ""]);
    fake.failNext({ status: 400 });
    expect(await readJson(get(fake, "/users/@me"))).toEqual({
      message: "400: Bad Request",
      code: 0,
    });
    fake.failNext({ status: 599 });
    expect((await get(fake, "/users/@me")).status).toBe(599);
    fake.failNext({ status: 418 });
    expect(await readJson(get(fake, "/users/@me"))).toEqual({ message: "418: Error", code: 0 });
  });

  test("sends a 429 like the platform's, with Retry-After unless headers are given", async () => {
    const fake = smallPlatform();
    fake.failNext({ status: 429 });
    const usual = await get(fake, "/users/@me");
    expect(usual.headers.get("retry-after")).toBe("1");
    expect(await readJson(usual)).toMatchObject({ retry_after: 1, global: false });
    fake.failNext({ status: 429, headers: {} });
    const without = await get(fake, "/users/@me");
    expect(without.headers.has("retry-after")).toBe(false);
    expect(without.status).toBe(429);
    fake.failNext({ status: 429, headers: { "Retry-After": "7" } });
    const later = await get(fake, "/users/@me");
    expect(later.headers.get("retry-after")).toBe("7");
    expect(await readJson(later)).toMatchObject({ retry_after: 7 });
    const date = "Wed, 21 Oct 2026 07:28:00 GMT";
    fake.failNext({ status: 429, headers: { "Retry-After": date } });
    const dated = await get(fake, "/users/@me");
    expect(dated.headers.get("retry-after")).toBe(date);
    expect(await readJson(dated)).toMatchObject({ retry_after: 1 });
  });

  test("keeps the platform's response if only headers are given", async () => {
    const fake = smallPlatform();
    fake.failNext({ headers: { "X-Extra": "1", "Content-Type": "text/plain" } });
    const response = await get(fake, "/users/@me", bearerToken(fake, ["identify"]));
    expect(response.status).toBe(200);
    expect(response.headers.get("x-extra")).toBe("1");
    expect(response.headers.get("content-type")).toBe("text/plain");
    expect(await readJson(response)).toMatchObject({ id: "1" });
  });

  test("waits for the given delay, and keeps the response", async () => {
    const fake = smallPlatform();
    fake.failNext({ delay: 30 });
    const start = performance.now();
    expect((await get(fake, "/oauth2/@me", bearerToken(fake, ["identify"]))).status).toBe(200);
    expect(performance.now() - start).toBeGreaterThanOrEqual(25);
  });

  test("cuts the connection before the response", async () => {
    const fake = smallPlatform();
    fake.failNext({ cut: "before" });
    const error = await get(fake, "/users/@me").catch((error) => error);
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toBe("fetch failed");
    expect(error.cause.message).toBe("the fake platform cut the connection");
    expect(fake.requests[0]?.status).toBeNull();
  });

  test("cuts the connection in the middle of the body", async () => {
    const fake = smallPlatform();
    fake.failNext({ cut: "body" });
    const response = await get(fake, "/users/@me", bearerToken(fake, ["identify"]));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(new TextDecoder().decode(first?.value)).toMatch(/^\{"id":"1",/);
    await expect(reader?.read()).rejects.toThrow(new TypeError("terminated"));
    fake.failNext({ cut: "body", status: 500 });
    await expect((await get(fake, "/users/@me")).json()).rejects.toThrow("terminated");
    fake.failNext({ cut: "body", status: 204 });
    expect(await (await get(fake, "/users/@me")).text()).toBe("");
  });

  test("sends no response until the signal aborts", async () => {
    const fake = smallPlatform();
    fake.failNext({ hang: true });
    const controller = new AbortController();
    const reason = new Error("enough");
    const pending = fake.fetch("/", { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 5);
    await expect(pending).rejects.toBe(reason);
    expect(fake.requests).toMatchObject([{ path: "/", status: null }]);
  });

  test("chooses requests by method and path", async () => {
    const fake = smallPlatform();
    fake.failNext({ method: "post", status: 500 });
    fake.failNext({ path: "/users/@me", status: 501 });
    fake.failNext({ path: /guilds\/\d+$/g, status: 502, times: 2 });
    fake.failNext({ path: "/api/v10/oauth2/@me", status: 504 });
    expect((await get(fake, "/users/@me/guilds")).status).toBe(401);
    expect((await get(fake, "/guilds/1")).status).toBe(502);
    expect((await get(fake, "/guilds/2")).status).toBe(502);
    expect((await get(fake, "/guilds/3")).status).toBe(401);
    expect((await get(fake, "/oauth2/@me")).status).toBe(504);
    expect((await get(fake, "/users/@me")).status).toBe(501);
    expect((await get(fake, "/users/@me")).status).toBe(401);
    expect((await postForm(fake, "/oauth2/token", {})).status).toBe(500);
  });

  test("chooses requests by query", async () => {
    const fake = smallPlatform();
    fake.failNext({ query: { after: "7" }, status: 501 });
    fake.failNext({ query: { after: /./g, limit: "200" }, status: 502, times: 2 });
    const statusOf = async (query: string) => (await get(fake, `/users/@me/guilds${query}`)).status;
    expect(await statusOf("")).toBe(401);
    expect(await statusOf("?after=70")).toBe(401);
    expect(await statusOf("?after=70&limit=200")).toBe(502);
    expect(await statusOf("?limit=200&after=7")).toBe(501);
    expect(await statusOf("?limit=200&after=7")).toBe(502);
    expect(await statusOf("?after=7")).toBe(401);
  });

  test("ignores later changes of the query", async () => {
    const fake = smallPlatform();
    const query = { after: "7" };
    fake.failNext({ query, status: 501 });
    query.after = "8";
    expect((await get(fake, "/users/@me/guilds?after=7")).status).toBe(501);
  });

  test("chooses requests of one token", async () => {
    const fake = smallPlatform();
    const [first, second] = [fake.issueToken(), fake.issueToken()];
    const statusWith = async (token: string) =>
      (await get(fake, "/users/@me", `Bearer ${token}`)).status;
    fake.failNext({ token: second.access_token, status: 503 });
    expect(await statusWith(first.access_token)).toBe(200);
    expect(await statusWith(second.access_token)).toBe(503);
    const refresh = { grant_type: "refresh_token", refresh_token: second.refresh_token ?? "" };
    fake.failNext({ token: refresh.refresh_token, status: 503 });
    expect(await statusWith(second.access_token)).toBe(200);
    expect((await postForm(fake, "/oauth2/token", refresh)).status).toBe(503);
    fake.failNext({ token: first.access_token, status: 503 });
    const revocation = { token: first.access_token };
    expect((await postForm(fake, "/oauth2/token/revoke", revocation)).status).toBe(503);
  });

  test("chooses requests for one user", async () => {
    const fake = smallPlatform();
    const [ada, bob] = [fake.issueToken({ as: "ada" }), fake.issueToken({ as: "bob" })];
    const statusWith = async (token: string) =>
      (await get(fake, "/users/@me", `Bearer ${token}`)).status;
    fake.failNext({ as: "bob", status: 401, times: 3 });
    expect((await get(fake, "/users/@me")).status).toBe(401);
    expect(await statusWith(ada.access_token)).toBe(200);
    expect(await statusWith("unknown")).toBe(401);
    expect(await statusWith(bob.access_token)).toBe(401);
    const refresh = { grant_type: "refresh_token", refresh_token: bob.refresh_token ?? "" };
    expect((await postForm(fake, "/oauth2/token", refresh)).status).toBe(401);
    const code = await obtainCode(fake, {}, "bob");
    const response = await exchangeCode(fake, code);
    expect(await readJson(response)).toEqual({ message: "401: Unauthorized", code: 0 });
    expect(await statusWith(bob.access_token)).toBe(200);
    fake.failNext({ as: "2", status: 500 });
    expect(await statusWith(bob.access_token)).toBe(500);
  });

  test("applies failures in order, with their number of requests, until they are canceled", async () => {
    const fake = smallPlatform();
    fake.failNext({ status: 500, times: 2 });
    const undo = fake.failNext({ status: 502, times: Infinity });
    const seen: number[] = [];
    for (let request = 0; request < 4; request += 1) {
      seen.push((await get(fake, "/users/@me")).status);
    }
    expect(seen).toEqual([500, 500, 502, 502]);
    undo();
    expect((await get(fake, "/users/@me")).status).toBe(401);
    fake.failNext({ status: 503 });
    undo();
    expect((await get(fake, "/users/@me")).status).toBe(503);
  });

  test("does not count a failed request against the rate limit", async () => {
    const fake = smallPlatform({ rateLimits: { limit: 1 }, now: () => 0 });
    fake.failNext({ status: 500 });
    await get(fake, "/oauth2/keys");
    expect((await get(fake, "/oauth2/keys")).headers.get("x-ratelimit-remaining")).toBe("0");
  });

  test.each([
    ['path must be a path with a leading slash, or a regular expression, received "users/@me"', {
      path: "users/@me",
    }],
    ["times must be a positive integer or Infinity, received 0", { times: 0 }],
    ["times must be a positive integer or Infinity, received 1.5", { times: 1.5 }],
    ["status must be an integer from 200 to 599, received 100", { status: 100 }],
    ["status must be an integer from 200 to 599, received 600", { status: 600 }],
    ["status must be an integer from 200 to 599, received 200.5", { status: 200.5 }],
    ["delay must be a number of milliseconds, 0 or more, received -1", { delay: -1 }],
    ["delay must be a number of milliseconds, 0 or more, received Infinity", {
      delay: Infinity,
    }],
    ['cut must be "before" or "body", received "after"', JSON.parse(`{"cut":"after"}`)],
    ["options.staus is unknown: did you mean status?", JSON.parse(`{"staus":500}`)],
    ['as must be the id or the username of a user of the platform, received "eve"', { as: "eve" }],
    ["token must be a non-empty string, received a number", JSON.parse(`{"token":7}`)],
    [
      'query["after"] must be a string or a regular expression, received 7',
      JSON.parse(`{"query":{"after":7}}`),
    ],
    ["slow must be a number of milliseconds, 0 or more, received NaN", { slow: NaN }],
    ["edge can't be combined with body or a status below 400: the edge has its own pages", {
      edge: true,
      body: "x",
    }],
    ["edge can't be combined with body or a status below 400: the edge has its own pages", {
      edge: true,
      status: 200,
    }],
    ['only one of cut: "body", slow and endless can be used: each changes the body', {
      slow: 1,
      endless: true,
    }],
    [
      'hang and cut: "before" can\'t be combined with options that change the response: there is none',
      {
        hang: true,
        edge: true,
      },
    ],
    [
      'hang and cut: "before" can\'t be combined with options that change the response: there is none',
      {
        cut: "before" as const,
        endless: true,
      },
    ],
    ["nothing would fail: pass status, body, edge, hang, cut, slow, endless, delay or headers", {
      path: "/users/@me",
      edge: false,
    }],
    ["body can't be used: a response with status 204 has none", { status: 204, body: {} }],
    [
      'hang and cut: "before" can\'t be combined with options that change the response: there is none',
      {
        hang: true,
        status: 500,
      },
    ],
    [
      'hang and cut: "before" can\'t be combined with options that change the response: there is none',
      {
        cut: "before" as const,
        body: "x",
      },
    ],
    [
      'hang and cut: "before" can\'t be combined with options that change the response: there is none',
      {
        hang: true,
        cut: "before" as const,
      },
    ],
    [
      'hang and cut: "before" can\'t be combined with options that change the response: there is none',
      {
        hang: true,
        cut: "body" as const,
      },
    ],
  ])("throws the error %s", (message, failure) => {
    expect(() => smallPlatform().failNext(failure)).toThrow(
      new TypeError(`failNext: ${message}`),
    );
  });

  test("ignores later changes of the failure object", async () => {
    const fake = smallPlatform();
    const headers = { "x-extra": "1" };
    const failure = { status: 500, body: { error: "old" }, headers, times: 2 };
    fake.failNext(failure);
    failure.status = 200;
    failure.body.error = "new";
    headers["x-extra"] = "2";
    for (let request = 0; request < 2; request += 1) {
      const response = await get(fake, "/users/@me");
      expect([response.status, response.headers.get("x-extra")]).toEqual([500, "1"]);
      expect(await readJson(response)).toEqual({ error: "old" });
    }
  });

  test("sends a page of the edge without the headers of the API", async () => {
    const fake = smallPlatform();
    fake.failNext({ edge: true });
    const blocked = await get(fake, "/users/@me", bearerToken(fake, ["identify"]));
    expect(blocked.status).toBe(403);
    expect(blocked.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(blocked.headers.get("server")).toBe("cloudflare");
    expect(blocked.headers.has("x-ratelimit-bucket")).toBe(false);
    expect(blocked.headers.has("access-control-allow-origin")).toBe(false);
    expect(await blocked.text()).toContain("Error code 1020.");
    fake.failNext({ edge: true, status: 429 });
    const limited = await get(fake, "/users/@me");
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "60"]);
    expect(limited.headers.has("x-ratelimit-scope")).toBe(false);
    expect(await limited.text()).toContain("Error code 1015.");
    fake.failNext({ edge: true, status: 502, headers: { "retry-after": "1" } });
    const away = await get(fake, "/users/@me");
    expect([away.status, away.headers.get("retry-after")]).toEqual([502, "1"]);
    expect(await away.text()).toContain("Error code 502.");
  });

  test("sends the whole body slowly", async () => {
    const fake = smallPlatform();
    fake.failNext({ slow: 5 });
    const start = performance.now();
    const response = await get(fake, "/users/@me", bearerToken(fake, ["identify"]));
    const reader = response.body?.getReader();
    const pieces: number[] = [];
    const decoder = new TextDecoder();
    let received = "";
    for (let piece = await reader?.read(); piece?.value; piece = await reader?.read()) {
      pieces.push(piece.value.length);
      received += decoder.decode(piece.value, { stream: true });
    }
    expect(JSON.parse(received)).toMatchObject({ id: "1" });
    expect(pieces).toHaveLength(10);
    expect(performance.now() - start).toBeGreaterThanOrEqual(10 * 5 - 10);
  });

  test("sends a short body slowly, and a response without one at once", async () => {
    const fake = smallPlatform();
    fake.failNext({ slow: 1, body: "1" });
    expect(await (await get(fake, "/users/@me")).text()).toBe("1");
    fake.failNext({ slow: 1, status: 204 });
    expect((await get(fake, "/users/@me")).body).toBeNull();
  });

  test.each(["slow", "endless"])("ends a body that is %s when the signal aborts", async (kind) => {
    const fake = smallPlatform();
    fake.failNext(kind === "slow" ? { slow: 60_000 } : { endless: true });
    const controller = new AbortController();
    const response = await fake.fetch("/", { signal: controller.signal });
    const reading = response.text();
    setTimeout(() => controller.abort(new Error("enough")), 5);
    await expect(reading).rejects.toThrow("enough");
  });

  test("sends an endless body as long as the client reads", async () => {
    const fake = smallPlatform();
    fake.failNext({ endless: true });
    const response = await get(fake, "/users/@me", bearerToken(fake, ["identify"]));
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(JSON.parse(new TextDecoder().decode(first?.value))).toMatchObject({ id: "1" });
    for (let piece = 0; piece < 32; piece += 1) {
      const { value } = await reader?.read() ?? {};
      expect(value).toEqual(new Uint8Array(65_536).fill(32));
    }
    await reader?.cancel();
  });

  test("refuses invalid headers", () => {
    expect(() => smallPlatform().failNext({ headers: { "not a name": "" } })).toThrow(TypeError);
  });
});
