import { describe, expect, test, vi } from "vitest";
import { createFakePlatform, sampleUsers } from "../../src/testing/mod.ts";
import {
  APP,
  authorizeLink,
  basicAuth,
  bearerToken,
  get,
  inherited,
  obtainCode,
  postForm,
  readJson,
  smallPlatform,
  USER_AGENT,
} from "./small_platform.ts";
import { eventually } from "../support/eventually.ts";

describe("The server of the fake platform", () => {
  test("blocks API requests without a User-Agent", async () => {
    const fake = smallPlatform();
    for (const headers of [{}, { "user-agent": "" }, { "user-agent": "  " }]) {
      const response = await fake.fetch(`${fake.platform.apiUrl}/oauth2/keys`, { headers });
      expect(response.status).toBe(403);
      expect(await readJson(response)).toEqual({ message: "internal network error", code: 40333 });
    }
  });

  test("accepts API requests of browsers, since they add their own User-Agent", async () => {
    const fake = smallPlatform();
    const url = `${fake.platform.apiUrl}/users/@me`;
    const origin = new Headers([["sec-fetch-mode", "cors"]]);
    expect((await fake.fetch(url, { headers: origin })).status).toBe(401);
    expect((await fake.fetch(url, { headers: { origin: "https://spa.example" } })).status).toBe(
      401,
    );
    vi.stubGlobal("navigator", { userAgent: "Mozilla/5.0 (X11)" });
    try {
      expect((await fake.fetch(url)).status).toBe(401);
      vi.stubGlobal("navigator", undefined);
      expect((await fake.fetch(url)).status).toBe(403);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  test("accepts API requests without a User-Agent if `requireUserAgent` is false", async () => {
    const fake = smallPlatform({ requireUserAgent: false });
    expect((await fake.fetch(`${fake.platform.apiUrl}/users/@me`)).status).toBe(401);
  });

  test("responds with 404 to unknown paths and 405 to other methods", async () => {
    const fake = smallPlatform();
    const unknown = await get(fake, "/nowhere");
    expect(unknown.status).toBe(404);
    expect(await readJson(unknown)).toEqual({ message: "404: Not Found", code: 0 });
    expect((await get(fake, "/%E0%A4%A")).status).toBe(404);
    const wrong = await get(fake, "/oauth2/token");
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get("allow")).toBe("POST");
    expect(await readJson(wrong)).toEqual({ message: "405: Method Not Allowed", code: 0 });
    const page = await fake.fetch("/oauth2/authorize", { method: "DELETE" });
    expect(page.status).toBe(405);
    expect(page.headers.get("allow")).toBe("GET, POST");
    expect((await fake.fetch("/cdn/icons/1/a.png", { method: "POST" })).status).toBe(405);
    const nowhere = await fake.fetch("/elsewhere");
    expect(nowhere.status).toBe(404);
    expect(await nowhere.text()).toContain("There is no such page");
  });

  test("lets pages of other origins read the API's responses", async () => {
    const fake = smallPlatform();
    const response = await get(fake, "/users/@me");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-expose-headers")).toContain("Retry-After");
    const preflight = await fake.fetch(`${fake.platform.apiUrl}/oauth2/token`, {
      method: "OPTIONS",
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    expect(preflight.headers.get("access-control-allow-methods")).toContain("POST");
    expect(preflight.headers.get("access-control-allow-headers")).toContain("Authorization");
  });

  test.each(["/api", "/api/v6", "/api/v9", "/api/v10"])("serves the API below %s", async (base) => {
    const fake = smallPlatform();
    const response = await fake.fetch(`${base}/oauth2/token`, {
      method: "POST",
      headers: { ...USER_AGENT, authorization: basicAuth(APP.id, APP.secret) },
      body: new URLSearchParams({
        grant_type: "authorization_code",
        code: await obtainCode(fake),
        redirect_uri: "https://app.example/cb",
      }),
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("x-ratelimit-remaining")).toBe("999");
    fake.failNext({ path: "/users/@me", status: 500 });
    expect((await fake.fetch(`${base}/users/@me`, { headers: USER_AGENT })).status).toBe(500);
  });

  test.each(["/api", "/api/v9", "/api/v10"])(
    "redirects from the authorize address below %s to the authorize page",
    async (base) => {
      const fake = smallPlatform();
      const url = authorizeLink(fake, { state: "x y" });
      const other = url.replace("/oauth2/authorize", `${base}/oauth2/authorize`);
      const response = await fake.fetch(other);
      expect([response.status, response.headers.get("location")]).toEqual([302, url]);
      expect((await fake.fetch(other, { method: "POST" })).status).toBe(405);
      expect(await fake.authorize(other)).toContain("?code=");
      expect(await fake.deny(other)).toContain("?error=access_denied");
    },
  );

  test("serves the host of the platform's image CDN", async () => {
    const fake = createFakePlatform();
    const [{ id, avatar }] = sampleUsers;
    const response = await fake.fetch(`https://cdn.discordapp.com/avatars/${id}/${avatar}.png`);
    expect(response.headers.get("content-type")).toBe("image/svg+xml");
    expect((await fake.fetch("https://cdn.discordapp.com/api/users/@me")).status).toBe(404);
    expect(createFakePlatform({ origin: "https://discord.com" }).platform.cdnUrl)
      .toBe("https://cdn.discordapp.com");
  });

  test("routes only by the path, for any host", async () => {
    const fake = smallPlatform();
    const response = await fake.fetch("http://127.0.0.1:8787/api/v10/users/@me", {
      headers: { ...USER_AGENT, authorization: bearerToken(fake, ["identify"]) },
    });
    expect(response.status).toBe(200);
  });
});

describe("FakePlatform.fetch()", () => {
  test("accepts a Request, a URL and a path, and needs no `this`", async () => {
    const fake = smallPlatform();
    const { fetch } = fake;
    const url = `${fake.platform.apiUrl}/oauth2/keys`;
    expect((await fetch(new Request(url, { headers: USER_AGENT }))).status).toBe(200);
    expect((await fetch(new URL(url), { headers: USER_AGENT })).status).toBe(200);
    expect((await fetch("/api/v10/oauth2/keys", { headers: USER_AGENT })).status).toBe(200);
    expect(fake.requests.map((request) => request.url)).toEqual([url, url, url]);
  });

  test.for(inherited)(
    "responds with 405 to the method %s if the runtime passes it on",
    async (method, { skip }) => {
      // Bun turns an unknown method into GET.
      const isPassedOn = new Request("https://platform.test", { method }).method === method;
      skip(!isPassedOn, "this runtime sends GET instead");
      const fake = smallPlatform();
      for (const path of ["/api/v10/users/@me", "/oauth2/authorize"]) {
        const response = await fake.fetch(path, { method, headers: USER_AGENT });
        expect(response.status).toBe(405);
      }
    },
  );

  test("rejects and records nothing if the signal has aborted before", async () => {
    const fake = smallPlatform();
    const signal = AbortSignal.abort(new Error("too late"));
    await expect(fake.fetch("/", { signal })).rejects.toThrow("too late");
    await expect(fake.fetch(new Request("https://platform.test/", { signal }))).rejects.toThrow();
    expect(fake.requests).toEqual([]);
  });

  test("rejects when the signal aborts during a delay", async () => {
    const fake = smallPlatform();
    fake.failNext({ delay: 60_000 });
    const signal = AbortSignal.timeout(10);
    const error = await fake.fetch("/", { signal }).catch((error) => error);
    expect(error).toMatchObject({ name: "TimeoutError" });
  });

  test("leaves no timer when the signal aborts", async () => {
    vi.useFakeTimers();
    try {
      const fake = smallPlatform();
      fake.failNext({ delay: 60_000 });
      const controller = new AbortController();
      const pending = fake.fetch("/", { signal: controller.signal });
      await eventually(() => expect(vi.getTimerCount()).toBe(1));
      controller.abort(new Error("enough"));
      await expect(pending).rejects.toThrow("enough");
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test("rejects when the signal aborts during the work of an endpoint", async () => {
    const fake = smallPlatform();
    const controller = new AbortController();
    const pending = fake.fetch(`${fake.platform.apiUrl}/oauth2/keys`, {
      headers: USER_AGENT,
      signal: controller.signal,
    });
    await Promise.resolve();
    controller.abort(new Error("changed my mind"));
    await expect(pending).rejects.toThrow("changed my mind");
  });

  test("rejects with an error of the given clock", async () => {
    let calls = 0;
    const fake = smallPlatform({
      now: () => {
        calls += 1;
        if (calls > 3) throw new Error("the clock stopped");
        return 0;
      },
    });
    const token = bearerToken(fake, ["identify"]);
    await get(fake, "/oauth2/keys");
    await expect(get(fake, "/users/@me", token)).rejects.toThrow("the clock stopped");
  });
});

describe("FakePlatform.handler()", () => {
  test("responds to a Request, and needs no `this`", async () => {
    const { handler, requests } = smallPlatform();
    const response = await handler(
      new Request("http://127.0.0.1/api/v10/oauth2/keys", { headers: USER_AGENT }),
    );
    expect(response.status).toBe(200);
    expect(requests).toMatchObject([{ path: "/api/v10/oauth2/keys", status: 200 }]);
  });
});

describe("FakePlatform.requests", () => {
  test("records each request with the status of its response", async () => {
    const fake = smallPlatform();
    await postForm(fake, "/oauth2/token?a=1", { grant_type: "x", client_secret: "in clear" }, {
      "X-Test": "1",
    });
    expect(fake.requests).toEqual([{
      method: "POST",
      url: "https://platform.test/api/v10/oauth2/token?a=1",
      path: "/api/v10/oauth2/token",
      query: { a: "1" },
      headers: {
        ...USER_AGENT,
        "x-test": "1",
        "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
      },
      body: { grant_type: "x", client_secret: "in clear" },
      status: 401,
    }]);
  });

  test("parses JSON, and keeps every other body as text", async () => {
    const fake = smallPlatform();
    const send = (type: string, text: string) =>
      fake.fetch("/", { method: "POST", headers: { "content-type": type }, body: text });
    await send("application/json; charset=utf-8", `{"a":1}`);
    await send("application/json", `{"a":`);
    await send("text/plain", `{"a":1}`);
    await fake.fetch("/", { method: "POST", body: new TextEncoder().encode("bytes") });
    await fake.fetch("/");
    expect(fake.requests.map((request) => request.body)).toEqual([
      { a: 1 },
      `{"a":`,
      `{"a":1}`,
      "bytes",
      null,
    ]);
  });
});
