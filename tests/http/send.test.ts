import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  type ClientOptions,
  discord,
  type Fetch,
  type FetchInit,
  NetworkError,
  TimeoutError,
  User,
} from "../../mod.ts";
import { createFakePlatform } from "../../src/testing/mod.ts";
import deno from "../../deno.json" with { type: "json" };
import {
  acceptConnections,
  fakeFetch,
  neverRespond,
  rejectWith,
  type Responder,
  respondWith,
  respondWithoutEnd,
  serveHttp,
  thrownBy,
} from "../support/responders.ts";
import {
  exchangeCode,
  getUser,
  hostileObject,
  networkErrorMessage,
  respondUnavailable,
  respondWithUser,
} from "../support/calls.ts";
import { untilDone, useVirtualTime } from "../support/virtual_time.ts";
import { httpOf } from "../support/http.ts";

describe("a request", () => {
  test("passes on the error by which Next stops a page from being built before its first visitor", async () => {
    const rejecting = (digest: string) => rejectWith(Object.assign(new Error("t0ken"), { digest }));
    const { fetch, requests } = fakeFetch(rejecting("DYNAMIC_SERVER_USAGE"));
    expect(await thrownBy(() => getUser({ fetch })))
      .toMatchObject({ name: "Error", digest: "DYNAMIC_SERVER_USAGE" });
    expect(requests).toHaveLength(1);
    expect(await thrownBy(() => exchangeCode(fakeFetch(rejecting("2894915490")))))
      .toBeInstanceOf(NetworkError);
  });

  test("has the headers Accept, Authorization and User-Agent", async () => {
    const { fetch, requests } = fakeFetch(respondWithUser);
    await getUser({ fetch });
    expect(requests.map(({ method, url, headers }) => ({ method, url, ...headersOf(headers) })))
      .toEqual([{
        method: "GET",
        url: "https://discord.com/api/v10/users/@me",
        accept: "application/json",
        authorization: "Bearer t0ken",
        "user-agent": `DiscordBot (https://github.com/guildpass/sdk, ${deno.version})`,
      }]);
  });

  test("goes to the given platform with the given User-Agent", async () => {
    const { fetch, requests } = fakeFetch(respondWithUser);
    const platform = { ...discord, apiUrl: "http://localhost:1/api//" };
    await getUser({ fetch, platform, userAgent: "DiscordBot (https://app.example, 2)" });
    expect(requests[0]?.url).toBe("http://localhost:1/api/users/@me");
    expect(requests[0]?.headers.get("user-agent")).toBe("DiscordBot (https://app.example, 2)");
  });

  test("is sent by the global fetch by default", async () => {
    const agents: unknown[] = [];
    const platform = await serveHttp((request, response) => {
      agents.push(request.headers["user-agent"]);
      response.end('{"id":"1","username":"ada"}');
    });
    expect(await getUser({ platform, userAgent: "DiscordBot (real)" })).toMatchObject({ id: "1" });
    expect(agents).toEqual(["DiscordBot (real)"]);
  });
});

describe("a token whose response has begun within the time limit", () => {
  const token = { access_token: "t0ken", token_type: "Bearer" };

  /** Responds at once, with a body that comes later. */
  const withBodyAfter = (milliseconds: number): Responder => (request) => {
    const text = () => new Promise((resolve) => setTimeout(resolve, milliseconds));
    request.signal.addEventListener("abort", () => {}); // ky aborts its own signal
    return {
      status: 200,
      headers: new Headers(),
      text: () => text().then(() => JSON.stringify(token)),
    } as unknown as Response;
  };

  test("is read up to three seconds longer", async () => {
    useVirtualTime();
    const { fetch } = fakeFetch(withBodyAfter(4900));
    const exchanged = exchangeCode({ fetch, timeout: 2000 });
    expect(await untilDone(exchanged)).toMatchObject({ access_token: "t0ken" });
  });

  test("is given up after that", async () => {
    useVirtualTime();
    const begun = performance.now();
    const { fetch } = fakeFetch(withBodyAfter(5100));
    const error = await untilDone(thrownBy(() => exchangeCode({ fetch, timeout: 2000 })));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(performance.now() - begun).toBe(5000);
  });

  test.each<[string, () => Promise<unknown>]>([
    ["no success", () => {
      const refusal = (request: Request) =>
        Object.assign(Object.create(withBodyAfter(2500)(request) as object), { status: 500 });
      return exchangeCode({ ...fakeFetch(refusal as unknown as Responder), timeout: 2000 });
    }],
    ["a user", () => getUser({ ...fakeFetch(withBodyAfter(2500)), timeout: 2000 })],
  ])("is not meant by %s", async (_what, call) => {
    useVirtualTime();
    const begun = performance.now();
    expect(await untilDone(thrownBy(call))).toBeInstanceOf(TimeoutError);
    expect(performance.now() - begun).toBe(2000);
  });

  test("is not read beyond the caller's signal", async () => {
    useVirtualTime();
    const controller = new AbortController();
    const { fetch } = fakeFetch(withBodyAfter(4900));
    const exchanged = thrownBy(() => exchangeCode({ fetch, timeout: 2000 }, controller.signal));
    setTimeout(() => controller.abort("enough"), 3000);
    const begun = performance.now();
    expect(await untilDone(exchanged)).toBe("enough");
    expect(performance.now() - begun).toBe(3000);
  });
});

test("a query costs no second Request", async () => {
  let made = 0;
  vi.stubGlobal(
    "Request",
    class extends Request {
      constructor(...given: ConstructorParameters<typeof Request>) {
        super(...given);
        made += 1;
      }
    },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  const urls: string[] = [];
  const fetch: Fetch = (url) => {
    urls.push(url.replace(/.*@me/, ""));
    return Promise.resolve(
      Response.json(url.includes("guilds") ? [] : { id: "1", username: "ada" }),
    );
  };
  const user = new User("t0ken", { fetch });
  await user.getCurrentUser();
  const madeWithoutQuery = made;
  await user.getUserGuilds();
  await user.getUserGuilds({ limit: 1, withCounts: true });
  expect(made).toBe(3 * madeWithoutQuery);
  expect(urls).toEqual(["", "/guilds", "/guilds?limit=1&with_counts=true"]);
});

describe("a token request is sent once, and never again, after", () => {
  test.each<[string, Responder, string]>([
    ["a connection that fails", rejectWith(new TypeError("fetch failed")), "NetworkError"],
    ["a response that never comes", neverRespond, "TimeoutError"],
    ["a response that stalls", respondWithoutEnd, "TimeoutError"],
    ["400", respondWith({ error: "invalid_grant" }, { status: 400 }), "OAuthError"],
    ["401", respondWith({ error: "invalid_client" }, { status: 401 }), "OAuthError"],
    ["302", respondWith("", { status: 302, headers: { location: "/" } }), "ApiError"],
    ["403", respondWith("", { status: 403 }), "ApiError"],
    ["404", respondWith("", { status: 404 }), "ApiError"],
    ["429 with a short wait", respondWith({ retry_after: 0 }, { status: 429 }), "RateLimitError"],
    ["500", respondWith("", { status: 500 }), "ApiError"],
    ["503", respondUnavailable, "ApiError"],
    ["HTML", respondWith("<html>"), "PayloadError"],
    ["nothing", respondWith(""), "PayloadError"],
    ["half of a response", respondWith('{"access_token":"t0'), "PayloadError"],
    ["another response", respondWith({ access_token: 1 }), "PayloadError"],
  ])("%s", async (_what, response, name) => {
    useVirtualTime();
    const { fetch, requests } = fakeFetch(response);
    expect(await untilDone(thrownBy(() => exchangeCode({ fetch })))).toMatchObject({ name });
    expect(requests).toHaveLength(1);
  });

  test("a response that is cut", async () => {
    const fake = createFakePlatform();
    fake.failNext({ cut: "body" });
    expect(await thrownBy(() => exchangeCode(fake))).toMatchObject({ name: "NetworkError" });
    expect(fake.requests).toHaveLength(1);
  });
});

test("a token request is sent once, even when a connection breaks that was kept open", async () => {
  let received = 0;
  const platform = await acceptConnections((socket) => {
    const response = (): void => {
      received++;
      if (received > 1) socket.destroy();
      else socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}");
    };
    response();
    socket.on("data", response);
  });
  expect(await thrownBy(() => exchangeCode({ platform }))).toMatchObject({ name: "PayloadError" });
  expect(await thrownBy(() => exchangeCode({ platform }))).toMatchObject({ name: "NetworkError" });
  expect(received).toBe(2);
});

describe("a connection", () => {
  test("that gets no response runs into the timeout", async () => {
    const platform = await acceptConnections(() => {});
    for (const call of [getUser, exchangeCode]) {
      const error = await thrownBy(() => call({ platform, timeout: 100 }));
      expect(error).toBeInstanceOf(TimeoutError);
      expect(error).toBeInstanceOf(NetworkError);
      expect(error).toMatchObject({
        code: "timeout",
        message: expect.stringMatching(/^(GET|POST) http\S+ got no response within 100 ms$/),
      });
    }
  });

  test("is closed when the time is over", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    for (const begin of ["", 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"id']) {
      const closed = Promise.withResolvers<string>();
      const isUnderWay = Promise.withResolvers<void>();
      const platform = await acceptConnections((socket) => {
        socket.on("close", () => closed.resolve("closed")).write(begin);
        if (begin === "") isUnderWay.resolve();
      });
      const call = thrownBy(() =>
        getUser({
          platform,
          timeout: 50,
          async fetch(url, init) {
            const response = await fetch(url, init);
            isUnderWay.resolve();
            return response;
          },
        })
      );
      await isUnderWay.promise;
      await vi.advanceTimersByTimeAsync(50);
      expect(await call).toBeInstanceOf(TimeoutError);
      expect(await closed.promise).toBe("closed");
    }
  });

  test("that stalls within the response runs into the timeout", async () => {
    const platform = await acceptConnections((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"id');
    });
    for (const call of [getUser, exchangeCode]) {
      const error = await thrownBy(() => call({ platform, timeout: 100 }));
      expect(error).toBeInstanceOf(TimeoutError);
    }
  });
});

test("a token that comes while the time ends is kept", async () => {
  useVirtualTime();
  const token = () => Response.json({ access_token: "t0ken", token_type: "Bearer" });
  const fetch: Fetch = () => new Promise((resolve) => setTimeout(() => resolve(token()), 2000));
  expect(await untilDone(exchangeCode({ fetch, timeout: 2000 })))
    .toMatchObject({ access_token: "t0ken" });
});

test("an error that is only named TimeoutError is a NetworkError", async () => {
  const { fetch } = fakeFetch(rejectWith(new DOMException("t0ken", "TimeoutError")));
  expect(await thrownBy(() => exchangeCode({ fetch }))).toMatchObject({ name: "NetworkError" });
});

describe("an abort", () => {
  const reasons: unknown[] = [undefined, new Error("enough"), "enough", null, 0];

  test.each(reasons)(
    "before the request sends none, and rejects with its reason (%s)",
    async (reason) => {
      for (const call of [getUser, exchangeCode]) {
        const { fetch, requests } = fakeFetch(respondWithUser);
        const signal = AbortSignal.abort(reason);
        expect(await thrownBy(() => call({ fetch }, signal))).toBe(signal.reason);
        expect(requests).toHaveLength(0);
      }
    },
  );

  test.each<[string, Responder]>([
    ["for the response", neverRespond],
    ["for the response, from a fetch that listens", untilAborted],
    ["for the end of the response", respondWithoutEnd],
    ["for the repetition", respondUnavailable],
  ])("while it waits %s rejects with its reason", async (what, response) => {
    for (const reason of reasons) {
      for (const call of what === "for the repetition" ? [getUser] : [getUser, exchangeCode]) {
        const controller = new AbortController();
        const { fetch, requests } = fakeFetch((request) => {
          setTimeout(() => controller.abort(reason), 10);
          return response(request);
        });
        const { signal } = controller;
        expect(await thrownBy(() => call({ fetch }, signal))).toBe(signal.reason);
        expect(requests).toHaveLength(1);
      }
    }
  });

  test("during the pause before a retry ends the call", async () => {
    const controller = new AbortController();
    const { fetch, requests } = fakeFetch(respondUnavailable);
    setTimeout(() => controller.abort(), 10);
    await thrownBy(() => getUser({ fetch }, controller.signal));
    // Longer than the wait it was in.
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(requests).toHaveLength(1);
  });

  test("ends a wait of 5 seconds", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort("enough"), 50);
    const responses = fakeFetch(respondWith({ retry_after: 5 }, { status: 429 }));
    expect(await thrownBy(() => getUser(responses, controller.signal))).toBe("enough");
  });

  test("reaches the connection", async () => {
    const controller = new AbortController();
    const closed = Promise.withResolvers<string>();
    const platform = await acceptConnections((socket) => {
      socket.on("close", () => closed.resolve("closed"));
      controller.abort("enough");
    });
    expect(await thrownBy(() => getUser({ platform }, controller.signal))).toBe("enough");
    expect(await closed.promise).toBe("closed");
  });

  test("leaves no timer, even if fetch ignores the signal", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    for (const call of [getUser, exchangeCode]) {
      for (
        const response of [
          neverRespond,
          respondWithoutEnd,
          respondWith({ retry_after: 5 }, { status: 429 }),
        ]
      ) {
        const controller = new AbortController();
        const aborted = thrownBy(() => call(fakeFetch(response), controller.signal));
        await vi.advanceTimersByTimeAsync(1);
        controller.abort("enough");
        await aborted;
        await vi.advanceTimersByTimeAsync(1);
        expect(vi.getTimerCount()).toBe(0);
      }
    }
  });

  test("after the response changes nothing, and leaves no listener", async () => {
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
    await getUser(fakeFetch(respondWithUser), signal);
    await thrownBy(() => getUser(fakeFetch(respondWith("", { status: 404 })), signal));
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
      message: `${gotNone}the option fetch returned a value without a usable ${part}`,
      hint: "fetch must take (url, init) and return a promise of a Response",
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
        message: expect.stringMatching(/: the option fetch threw an error$/),
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
