import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { ClientOptions, FetchInit } from "../../mod.ts";
import { httpOf } from "../support/http.ts";
import { acceptConnections, thrownBy } from "../support/responders.ts";
import { exchangeCode, getUser, hostileObject, networkErrorMessage } from "../support/calls.ts";
import { untilDone, useVirtualTime } from "../support/virtual_time.ts";

describe("a connection", () => {
  test.each([
    ["a known length", 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"id'],
    ["chunks", 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\n{"id\r\n'],
  ])("that is cut within a response of %s gets an incomplete response", async (_what, half) => {
    const platform = await acceptConnections((socket) => socket.end(half));
    expect(await thrownBy(() => exchangeCode({ platform }))).toMatchObject({
      name: "NetworkError",
      message: expect.stringContaining("/oauth2/token got an incomplete response"),
    });
  });
});

describe("a response of a custom fetch", () => {
  test("is read if it is like a Response", async () => {
    const text = () => '{"id":"1","username":"ada"}';
    const like = (status: unknown, get = (): unknown => null): ClientOptions => ({
      fetch: () => Promise.resolve({ status, headers: { get }, text } as unknown as Response),
    });
    expect(await getUser(like("200"))).toMatchObject({ username: "ada" });
    expect(await thrownBy(() => exchangeCode(like(429, () => 7)))).toMatchObject({ retryAfter: 7 });
  });

  const limited = { "x-ratelimit-remaining": "1", "x-ratelimit-reset-after": "1" };

  test.each([
    ["a success", 200, {}, ["bucket", "remaining"]],
    ["a success with a limit", 200, limited, ["bucket", "remaining", "reset-after", "limit"]],
    ["a refusal", 404, {}, ["retry-after", "bucket", "remaining"]],
    ["a 429", 429, {}, ["retry-after", "bucket", "remaining", "scope", "global"]],
  ])("is asked only for the headers that %s may have", async (_what, status, given, names) => {
    const headers = new Headers(given as HeadersInit);
    const get = vi.spyOn(headers, "get");
    const fetch = () => Promise.resolve({ status, headers, text: () => Promise.resolve("{}") });
    await httpOf({ fetch })({ path: "/it" }).catch(() => {});
    expect(get.mock.calls.map(([name]) => name.replace("x-ratelimit-", ""))).toEqual(names);
  });

  const plain = { status: 200, headers: new Headers(), text: () => "" };
  const message = "GET https://discord.com/api/v10/users/@me got an incomplete response";

  test.each<[string, unknown]>([
    ["throws about a header", {
      ...plain,
      headers: {
        get() {
          throw hostileObject();
        },
      },
    }],
    ["has a header that throws", { ...plain, headers: { get: hostileObject } }],
    ["throws when it is read", {
      ...plain,
      text() {
        throw hostileObject();
      },
    }],
    ["has a text that throws", {
      ...plain,
      text: () => ({
        toString() {
          throw hostileObject();
        },
      }),
    }],
  ])("that %s is a failed connection", async (_what, response) => {
    useVirtualTime();
    const fetch = (): Promise<Response> => Promise.resolve(response as Response);
    expect(await untilDone(networkErrorMessage(() => getUser({ fetch })))).toBe(message);
  });
});

describe("A mistake of a custom fetch", () => {
  const plain = { status: 200, headers: new Headers(), text: () => Promise.resolve("") };
  const gotNone = "GET https://discord.com/api/v10/users/@me got no response: ";

  test.each<[string, unknown]>([
    ["status", undefined],
    ["status", "a text"],
    ["status", { ...plain, status: undefined }],
    ["headers", { ...plain, headers: undefined }],
    ["headers", { ...plain, headers: { "content-type": "text/html" } }],
    ["body", { ...plain, text: undefined }],
    ["status, headers or body", { ...plain, status: Symbol("t0ken") }],
  ])("is named: a value without a usable %s", async (part, value) => {
    let calls = 0;
    const fetch = () => {
      calls += 1;
      return Promise.resolve(value as Response);
    };
    expect(await thrownBy(() => getUser({ fetch }))).toMatchObject({
      name: "NetworkError",
      message:
        `${gotNone}the function in the option fetch returned a value without a usable ${part}`,
      hint: "fetch gets (url, init), and returns the promise of a Response",
      mayHaveArrived: true,
      isTemporary: false,
    });
    expect(calls).toBe(1);
  });

  test("is named: an error before it returns. The request was not sent", async () => {
    const fetch = (): Promise<Response> => {
      throw new RangeError("dispatcher is not defined");
    };
    for (const call of [getUser, exchangeCode]) {
      const error = await thrownBy(() => call({ fetch }));
      expect(error).toMatchObject({
        name: "NetworkError",
        message: expect.stringMatching(/: the function in the option fetch threw an error$/),
        mayHaveArrived: false,
        cause: { name: "RangeError", message: "dispatcher is not defined" },
      });
      expect(Object.keys(error as object)).not.toContain("cause");
    }
  });

  test("shows no secret in its cause, and no cause that can't be read", async () => {
    const thrown = [new Error("Bearer t0ken is not a URL"), hostileObject(), "t0ken", null];
    const causes = thrown.map(async (error) => {
      const fetch = (): Promise<Response> => {
        throw error;
      };
      const { cause } = Object(await thrownBy(() => getUser({ fetch })));
      return cause?.message;
    });
    expect(await Promise.all(causes)).toEqual(["[redacted]", undefined, undefined, undefined]);
  });

  test("is not a rejection, which may come after the request was sent", async () => {
    useVirtualTime();
    const fetch = () => Promise.reject(new TypeError("x is not a function"));
    const error = await untilDone(thrownBy(() => exchangeCode({ fetch })));
    expect(error).toMatchObject({
      message: expect.stringMatching(/got no response$/),
      mayHaveArrived: true,
    });
    expect(error).not.toHaveProperty("cause");
  });
});

describe("fetch gets a text and plain values:", () => {
  test("a read, which no framework may cache", async () => {
    const fetch = vi.fn(() => Promise.resolve(Response.json({ id: "1", username: "ada" })));
    await getUser({ fetch, userAgent: "DiscordBot (a, 1)" });
    expect(fetch.mock.calls).toEqual([["https://discord.com/api/v10/users/@me", {
      method: "GET",
      headers: {
        accept: "application/json",
        authorization: "Bearer t0ken",
        "user-agent": "DiscordBot (a, 1)",
      },
      redirect: "manual",
      cache: "no-store",
      signal: expect.any(AbortSignal),
    }]]);
  });

  test("a read without the field cache, where Request does not have it", async () => {
    const { Request } = globalThis;
    vi.stubGlobal("Request", function (...given: ConstructorParameters<typeof Request>) {
      return new Request(...given);
    });
    onTestFinished(() => void vi.unstubAllGlobals());
    const fetch = vi.fn((_url: string, _init: FetchInit) =>
      Promise.resolve(Response.json({ id: "1", username: "ada" }))
    );
    await getUser({ fetch });
    expect(fetch.mock.calls[0]?.[1]).not.toHaveProperty("cache");
  });

  test.each([["text", false], ["a Blob on Deno", true]])("a form, as %s", async (_as, isDeno) => {
    const { Deno } = globalThis as { Deno?: unknown };
    Reflect.deleteProperty(globalThis, "Deno");
    if (isDeno) Object.assign(globalThis, { Deno: {} });
    const token = { access_token: "t0ken", token_type: "Bearer" };
    const fetch = vi.fn((_url: string, _init: FetchInit) => Promise.resolve(Response.json(token)));
    const exchanged = exchangeCode({ fetch });
    Reflect.deleteProperty(globalThis, "Deno");
    if (Deno !== undefined) Object.assign(globalThis, { Deno });
    await exchanged;
    const { body, method, headers } = Object(fetch.mock.calls[0]?.[1]);
    expect(method).toBe("POST");
    expect(headers["content-type"]).toBe("application/x-www-form-urlencoded");
    expect(body instanceof Blob).toBe(isDeno);
    expect(await new Response(body).text()).toMatch(/^grant_type=authorization_code&/);
  });
});
