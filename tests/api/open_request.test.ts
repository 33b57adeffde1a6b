import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, expectTypeOf, test } from "vitest";
import * as z from "zod";
import {
  ApiError,
  type HttpMethod,
  MissingScopeError,
  PayloadError,
  PlatformApi,
  RateLimitError,
  type RequestOptions,
  type SchemaResult,
  type StandardSchema,
  TimeoutError,
  User,
  type UserObj,
} from "../../mod.ts";
import { userSchema } from "../../src/resources/user.ts";
import { createFakePlatform, sampleApplication } from "../../src/testing/mod.ts";
import { leaksOf } from "../support/leaks.ts";
import {
  fakeFetch,
  neverRespond,
  type Responder,
  respondWith,
  thrownBy,
} from "../support/responders.ts";
import { untilDone, useVirtualTime } from "../support/virtual_time.ts";

const base = "https://discord.com/api/v10";
const secret = "aW50ZXJhY3Rpb246MTIzNDU2Nzg5OlRPS0VO-x_Y";

/** A user, and the requests that were sent. */
function client(...responders: readonly Responder[]) {
  const { fetch, requests } = fakeFetch(...responders);
  const user = new User("t0ken-of-a-person", { fetch });
  return { user, fetch, requests };
}

describe("User.request()", () => {
  test("sends a request to any operation, and returns its JSON", async () => {
    const fake = createFakePlatform();
    const { access_token } = fake.issueToken({ scopes: ["guilds"] });
    const user = new User(access_token, fake);
    const guilds = await user.request<{ readonly id: string }[]>("GET", "/users/@me/guilds", {
      query: { limit: 2 },
    });
    expect(guilds.map(({ id }) => id)).toEqual(["1200000000000000001", "1200000000000000002"]);
    expect(fake.requests).toMatchObject([{
      method: "GET",
      path: "/api/v10/users/@me/guilds",
      query: { limit: "2" },
      headers: { authorization: `Bearer ${access_token}` },
    }]);
  });

  test("sends a bot's token", async () => {
    const fake = createFakePlatform();
    const bot = new User(sampleApplication.botToken, { ...fake, tokenType: "Bot" });
    const options = { path: { guildId: "1200000000000000001" } };
    expect(await bot.request("GET", "/guilds/{guildId}", options)).toMatchObject({
      id: "1200000000000000001",
    });
    expect(fake.requests[0]?.headers["authorization"]).toBe(`Bot ${sampleApplication.botToken}`);
  });

  test.each<HttpMethod>(["POST", "PUT", "PATCH", "DELETE"])(
    "sends a body with %s, once",
    async (method) => {
      const { user, requests } = client(respondWith("", { status: 503 }));
      const json = { name: "ping", options: [{ type: 3 }] };
      await thrownBy(() => user.request(method, "/applications/1/commands", { json }));
      expect(requests).toHaveLength(1);
      expect(requests[0]?.method).toBe(method);
      expect(requests[0]?.headers.get("content-type")).toMatch(/^application\/json(;|$)/);
      expect(await requests[0]?.json()).toEqual(json);
    },
  );

  test("retries a GET", async () => {
    useVirtualTime();
    const { user, requests } = client(respondWith("", { status: 503 }), respondWith([]));
    expect(await untilDone(user.request("GET", "/lobbies/1/messages"))).toEqual([]);
    expect(requests).toHaveLength(2);
  });

  test("writes the body of the call, whatever the caller changes later", async () => {
    const { user, requests } = client(respondWith({}));
    await user.request("GET", "/warm-up");
    const json = { toJSON: () => ({ name: "built" }) };
    await user.request("POST", "/a", { json });
    await user.request("POST", "/a", { json: [1, { a: null }] });
    expect(await requests[1]?.text()).toBe('{"name":"built"}');
    expect(await requests[2]?.text()).toBe('[1,{"a":null}]');
  });

  test("returns frozen JSON, and a list of its own for each caller", async () => {
    const { user, requests } = client(respondWith([{ a: [{ b: 1 }] }]));
    const [first, second] = await Promise.all([
      user.request<{ a: { b: number }[] }[]>("GET", "/a"),
      user.request("GET", "/a"),
    ]);
    expect(requests).toHaveLength(1);
    expect(second).toEqual(first);
    for (const part of [first, first[0], first[0]?.a, first[0]?.a[0], second]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  test.each([[204, null], [200, ""], [200, "null"]])(
    "returns null for %i with the body %j",
    async (status, body) => {
      const { user } = client(() => new Response(body, { status }));
      expect(await user.request("POST", "/a")).toBeNull();
      expect(await user.request("GET", "/a")).toBeNull();
    },
  );

  test.each([["false", false], ["7", 7], ['"text"', "text"]])(
    "returns the JSON %s",
    async (body, value) => {
      expect(await client(respondWith(body)).user.request("GET", "/a")).toBe(value);
    },
  );

  test("rejects with a PayloadError if the response is not JSON", async () => {
    const error = await thrownBy(() =>
      client(respondWith("<p>")).user.request("GET", "/a/{b}", { path: { b: "c" } })
    );
    expect(error).toBeInstanceOf(PayloadError);
    expect(String(error)).toContain(`GET ${base}/a/{b} returned 200: expected JSON, received HTML`);
  });

  test("needs a known scope before a request, if the call names one", async () => {
    const fake = createFakePlatform();
    const { id, secret: clientSecret } = sampleApplication;
    const api = new PlatformApi(id, clientSecret, ["identify"], null, fake);
    const user = new User(await api.clientCredentials(["identify"]), fake);
    const options = { scope: "applications.entitlements", path: { id: "1" } };
    const error = await thrownBy(() =>
      user.request("GET", "/applications/{id}/entitlements", options)
    );
    expect(error).toBeInstanceOf(MissingScopeError);
    expect(error).toMatchObject({
      message:
        "GET /applications/{id}/entitlements needs the scope applications.entitlements, but the token has identify",
    });
    expect(fake.requests).toHaveLength(1);
    await user.request("GET", "/users/@me", { scope: "identify" });
    expect(fake.requests).toHaveLength(2);
  });

  test("names the scope in the hint of a refusal", async () => {
    const { user } = client(
      respondWith({ message: "Missing Access", code: 50001 }, { status: 403 }),
    );
    expect(await thrownBy(() => user.request("GET", "/a", { scope: "lobbies.write" })))
      .toMatchObject({
        httpStatus: 403,
        platformCode: 50001,
        hint: expect.stringContaining("lobbies.write"),
      });
  });

  test("remembers a refused token, as the other methods do", async () => {
    const { user, requests } = client(respondWith({ code: 0 }, { status: 401 }));
    expect(await thrownBy(() => user.request("GET", "/a"))).toBeInstanceOf(ApiError);
    expect(String(await thrownBy(() => user.getCurrentUser()))).toContain("was not sent");
    expect(String(await thrownBy(() => user.request("PATCH", "/a/{b}", { path: { b: "c" } }))))
      .toContain(`PATCH ${base}/a/{b} was not sent: the platform rejected its token (401)`);
    expect(requests).toHaveLength(1);
  });

  test("has a time limit of its own, also beside a call that waits longer", async () => {
    useVirtualTime();
    const { user, requests } = client(neverRespond);
    const slow = thrownBy(() => user.request("GET", "/a"));
    const begin = performance.now();
    const error = await untilDone(thrownBy(() => user.request("GET", "/a", { timeout: 50 })));
    expect(performance.now() - begin).toBe(50);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(String(error)).toContain(`GET ${base}/a got no response within 50 ms`);
    expect(String(await untilDone(slow))).toContain("10000 ms");
    expect(requests).toHaveLength(1);
  });

  test("ends with its signal", async () => {
    const { user } = client(neverRespond);
    const controller = new AbortController();
    const call = thrownBy(() => user.request("POST", "/a", { signal: controller.signal }));
    controller.abort("enough");
    expect(await call).toBe("enough");
  });

  test("shares the cache of freshFor, which a write clears and fresh skips", async () => {
    const { fetch, requests } = fakeFetch(respondWith({ a: 1 }));
    const view = () => new User(secret, { fetch, freshFor: 60 });
    const read = (options?: RequestOptions) =>
      view().request("GET", "/a/{b}", { path: { b: "c" }, query: { d: [1, 2] }, ...options });
    await read();
    await read();
    expect(requests).toHaveLength(1);
    await read({ query: { d: [1, 3] } });
    expect(requests).toHaveLength(2);
    await read({ fresh: true });
    expect(requests).toHaveLength(3);
    await view().request("PATCH", "/a/{b}", { path: { b: "c" } });
    await read();
    expect(requests).toHaveLength(5);
    await view().request("POST", "/e");
    await read();
    expect(requests).toHaveLength(7);
  });
});

describe("The path of User.request()", () => {
  test.each<[`/${string}`, Record<string, string>, string]>([
    ["/users/@me", {}, "/users/@me"],
    ["/lobbies/{lobbyId}/messages", { lobbyId: "7" }, "/lobbies/7/messages"],
    ["/a/{x}/{y_2}/{x}", { x: "1", y_2: "2" }, "/a/1/2/1"],
    ["/a/{x}", { x: "b?d#e f&g" }, "/a/b%3Fd%23e%20f%26g"],
    ["/a/{x}/", { x: "b" }, "/a/b/"],
    [
      "/applications/{applicationId}/quick-links/",
      { applicationId: "7" },
      "/applications/7/quick-links/",
    ],
    ["/a/{messageId}", { messageId: "@original" }, "/a/%40original"],
    ["/a/{name}", { name: "@me" }, "/a/%40me"],
    ["/a/{x}", { x: "100%" }, "/a/100%25"],
    ["/a/{x}", { x: "{y}" }, "/a/%7By%7D"],
    ["/a/{x}", { x: "..." }, "/a/..."],
    ["/a/{x}/b", { x: "🔥" }, "/a/%F0%9F%94%A5/b"],
    ["/a/{toString}", { toString: "own" }, "/a/own"],
    ["/a/b.c/$d:e", {}, "/a/b.c/$d:e"],
  ])("%s with %j is %s", async (path, values, sent) => {
    const { user, requests } = client(respondWith({}));
    await user.request("GET", path, { path: values });
    expect(requests[0]?.url).toBe(base + sent);
  });

  test.each([
    "",
    "a",
    "https://elsewhere.example/",
    "//elsewhere.example",
    "/",
    "//",
    "/a//",
    "/a//b",
    "/a/./",
    "/.",
    "/..",
    "/a/../b",
    "/a/.",
    "/%2e%2e/b",
    "/a/%2E/b",
    "/a%2f..%2fb",
    "/a%5cb",
    "/a?b=c",
    "/a%3Fb",
    "/a#b",
    "/a%23b",
    "/a\\b",
    "\\a",
    "/\\a",
    "/a\nb",
    "/a\tb",
    "/a/.. ",
    "/a ",
    "/a b",
    "/a\0",
    "/a%00",
    "/a\x7f",
    "/a/\ud800",
    "/a/{",
    "/a/}",
    "/a/{}",
    "/a/{x-y}",
    "/a/b{x}",
    "/a/{x}{x}",
    "/%252e%252e/a",
    null,
    1,
    {},
    undefined,
  ])("%j is a TypeError", async (path) => {
    const { user, requests } = client(respondWith({}));
    const error = await thrownBy(() => user.request("GET", path as "/", { path: { x: "1" } }));
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toMatch(/^TypeError: path (must|can't)/);
    expect(requests).toEqual([]);
  });

  test.each([
    "",
    ".",
    "..",
    "%2e",
    "%2E%2e",
    ".%2e",
    "%252e%252e",
    "../a",
    "a/../b",
    "a\\..",
    "a/b",
    "a%2fb",
    "a%252Fb",
    "a%5Cb",
    "%2e%2e%2fa",
    "a\n",
    "a\r\nb: c",
    "\0",
    "%0d%0a",
    "\ud800",
    null,
    undefined,
    7,
    {},
    ["a"],
  ])(
    "does not take the value %j",
    async (value) => {
      const { user, requests } = client(respondWith({}));
      const error = await thrownBy(() =>
        user.request("GET", "/a/{x}/b", { path: { x: value as string } })
      );
      expect(error).toBeInstanceOf(TypeError);
      expect(String(error)).toMatch(/^TypeError: options\.path\.x must/);
      expect(requests).toEqual([]);
    },
  );

  test.each(["userId", "id", "user_id"])("does not take @me for {%s}", async (name) => {
    const { user, requests } = client(respondWith({}));
    for (const value of ["@me", "%40me", "%2540ME"]) {
      const error = await thrownBy(() =>
        user.request("DELETE", `/guilds/1/members/{${name}}`, { path: { [name]: value } })
      );
      expect(String(error))
        .toBe(`TypeError: options.path.${name} must not be @me: write @me in path itself`);
    }
    expect(requests).toEqual([]);
  });

  test.each(["toString", "constructor", "__proto__", "hasOwnProperty"])(
    "takes no inherited value for {%s}",
    async (name) => {
      const { user } = client(respondWith({}));
      const inherited = Object.create({ [name]: "value" });
      for (const path of [{}, inherited, undefined, null]) {
        const error = await thrownBy(() => user.request("GET", `/a/{${name}}`, { path }));
        expect(String(error)).toMatch(/^TypeError: options\.path\.\w+ must be a string, received/);
      }
    },
  );

  test("must have all names of options.path", async () => {
    const { user } = client(respondWith({}));
    expect(
      String(
        await thrownBy(() =>
          user.request("GET", "/a/{lobbyId}", { path: { lobbyId: "1", [secret]: "2" } })
        ),
      ),
    )
      .toBe("TypeError: options.path has an unknown name; names in path: lobbyId");
    expect(String(await thrownBy(() => user.request("GET", "/a", { path: { id: "1" } }))))
      .toBe("TypeError: options.path has an unknown name; names in path: none");
  });

  test("never leaves apiUrl, and has as many parts as the template", async () => {
    const tricky = fc.array(
      fc.constantFrom(
        "..",
        ".",
        "/",
        "\\",
        "%2e",
        "%2f",
        "%25",
        "2e",
        "%",
        "a",
        "@",
        ":",
        "?",
        "#",
        "\n",
        "\t",
        " ",
        "é",
        "{",
        "}",
        "{x}",
        "//",
      ),
      { maxLength: 6 },
    )
      .map((parts) => parts.join(""));
    const text = fc.oneof(tricky, fc.string(), fc.string({ unit: "binary" }));
    let sent = 0;
    await fc.assert(
      fc.asyncProperty(text, text, fc.boolean(), async (literal, value, isFilled) => {
        const { user, requests } = client(respondWith({}));
        const path = isFilled ? "/a/{x}/b" : `/a/${literal}`;
        const error = await user.request("GET", path as "/", {
          path: { ...(isFilled && { x: value }) },
        })
          .then(() => null, (thrown: unknown) => thrown);
        if (error) {
          expect(error).toBeInstanceOf(TypeError);
          expect(requests).toEqual([]);
          return;
        }
        sent += 1;
        const url = new URL(requests[0]?.url ?? "");
        expect(url.origin).toBe("https://discord.com");
        const parts = url.pathname.split("/");
        expect(parts.slice(0, 4)).toEqual(["", "api", "v10", "a"]);
        expect(parts.length - 3).toBe(path.split("/").length - 1);
        expect(url.search + url.hash).toBe("");
        if (isFilled) expect(decodeURIComponent(parts[4] ?? "")).toBe(value);
      }),
      { numRuns: 300 },
    );
    expect(sent).toBeGreaterThan(30);
  });

  test("is shown as its template in every error, without a token that the caller wrote into it", async () => {
    useVirtualTime();
    const calls: ((user: User, options?: RequestOptions) => Promise<unknown>)[] = [
      (user, options) =>
        user.request("POST", "/webhooks/{id}/{token}", {
          path: { id: "1", token: secret },
          ...options,
        }),
      (user, options) => user.request("GET", `/webhooks/1/${secret}`, options),
      (user, options) =>
        user.request("POST", `/interactions/{id}/{it}/callback`, {
          path: { id: "1", it: secret },
          ...options,
        }),
    ];
    const responders: Responder[] = [
      respondWith({
        message: secret,
        code: 1,
        errors: { [secret]: { _errors: [{ message: `/1/${secret}` }] } },
      }, { status: 400 }),
      respondWith({ message: secret }, { status: 401 }),
      respondWith({ retry_after: 60, message: secret }, { status: 429 }),
      respondWith(secret),
      () => Promise.reject(new TypeError(`cannot reach ${secret}`)),
      neverRespond,
    ];
    for (const call of calls) {
      for (const respond of responders) {
        const { user } = client(respond);
        const errors = [
          await untilDone(thrownBy(() => call(user))),
          await untilDone(thrownBy(() => call(user))),
          await thrownBy(() => call(user, { timeout: -1 })),
          await thrownBy(() => call(user, { scope: `${secret} ` })),
        ];
        expect(leaksOf(errors, [secret])).toEqual([]);
        expect(String(errors[0])).toMatch(/\/(\{token\}|\*|\{it\}\/callback) (returned|got) /);
      }
    }
  });
});

describe("The query of User.request()", () => {
  test("has texts, numbers, booleans and lists, without what is null", async () => {
    const { user, requests } = client(respondWith({}));
    const query = {
      text: "a b&c=d?",
      zero: 0,
      big: 2n ** 64n,
      yes: true,
      no: false,
      none: null,
      gone: undefined,
      list: ["1", null, 2],
      empty: [],
    };
    await user.request("GET", "/a", { query });
    expect(requests[0]?.url).toBe(
      `${base}/a?text=a+b%26c%3Dd%3F&zero=0&big=18446744073709551616&yes=true&no=false&list=1&list=2`,
    );
    await user.request("GET", "/b", { query: { none: null } });
    expect(requests[1]?.url).toBe(`${base}/b`);
  });

  test.each<[unknown, RegExp]>([
    [
      { a: NaN },
      /^a value of options.query must be a string, a number or a boolean, received number$/,
    ],
    [{ a: Infinity }, /^a value of options.query must be/],
    [{ a: {} }, /^a value of options.query must be .* received object$/],
    [{ a: [[1]] }, /^a value of options.query must be/],
    [{ [secret]: Symbol("a") }, /^a value of options.query must be/],
    [
      new URLSearchParams({ a: "b" }),
      /^options.query must be a plain object, received URLSearchParams$/,
    ],
    [new Map(), /^options.query must be a plain object/],
    ["a=b", /^options.query must be a plain object, received a string of length 3$/],
    [["a"], /^options.query must be a plain object/],
  ])("throws a TypeError about %j", async (query, message) => {
    const { user, requests } = client(respondWith({}));
    const error = await thrownBy(() =>
      user.request("GET", "/a", { query: query as { a: string } })
    );
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toMatch(message);
    expect(requests).toEqual([]);
  });
});

describe("The arguments of User.request()", () => {
  const cyclic: Record<string, unknown> = { name: "a" };
  cyclic[secret] = cyclic;
  const deep = JSON.parse(`${"[".repeat(9000)}${"]".repeat(9000)}`);
  const throwing = {
    toJSON() {
      throw new Error(secret);
    },
  };
  const notJson =
    /^options.json must be an object or a list without a cycle, a BigInt or a failing toJSON\(\)$/;

  test.each<[string, unknown, RegExp]>([
    ["a cycle", cyclic, notJson],
    ["a BigInt", { a: 1n }, notJson],
    ["a toJSON() that throws", throwing, notJson],
    ["a toJSON() that returns a text", { toJSON: () => "text" }, notJson],
    ["a time", new Date(0), /^options.json must be a plain object/],
    ["a toJSON() that returns nothing", { toJSON: () => undefined }, notJson],
    ["text", "{}", /^options.json must be a plain object, received a string of length 2$/],
    ["a form", new FormData(), /^options.json must be a plain object, received FormData$/],
    ["a file", new Blob(["a"]), /^options.json must be a plain object/],
    ["bytes", new Uint8Array(8), /^options.json must be a plain object/],
    ["a map", new Map([["a", 1]]), /^options.json must be a plain object/],
    [
      "a promise",
      Promise.resolve({}),
      /^options.json must be a plain object, received a Promise: await it$/,
    ],
    ["a function", () => ({}), /^options.json must be a plain object, received function$/],
  ])("throws a TypeError about a body with %s", async (_what, json, message) => {
    const { user, requests } = client(respondWith({}));
    const error = await thrownBy(() => user.request("POST", "/a", { json: json as object }));
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toMatch(message);
    expect(leaksOf(error, [secret])).toEqual([]);
    expect(requests).toEqual([]);
  });

  test("may have a deep body, and a list", async () => {
    const { user, requests } = client(respondWith({}));
    const outcome = await user.request("POST", "/a", { json: deep }).then(() => "sent", String);
    expect(outcome === "sent" || notJson.test(outcome.replace("TypeError: ", ""))).toBe(true);
    expect(requests).toHaveLength(outcome === "sent" ? 1 : 0);
  });

  test.each<[string, unknown, RequestOptions, RegExp]>([
    [
      "a method in small letters",
      "get",
      {},
      /^method must be GET, POST, PUT, PATCH or DELETE, received "get"$/,
    ],
    ["another method", "TRACE", {}, /^method must be/],
    [
      "a method with a line break",
      "GET\nX: y",
      {},
      /^method must be .* received a string of length 8$/,
    ],
    ["no method", undefined, {}, /^method must be .* received undefined/],
    ["fresh in a write", "POST", { fresh: true }, /^fresh can be used only with GET$/],
    ["fresh as text", "GET", { fresh: "yes" as never }, /^fresh must be true or false/],
    ["the body of a GET", "GET", { json: {} }, /^json can't be used with GET, which has no body$/],
    ["a time limit of nothing", "GET", { timeout: 0 }, /^timeout must be a number of milliseconds/],
    ["two scopes", "GET", { scope: "a b" }, /^scope must be/],
    ["a list of scopes", "GET", { scope: ["a"] as never }, /^scope must be/],
    [
      "a schema that is a function",
      "GET",
      { schema: (() => true) as never },
      /^schema must be a schema that implements Standard Schema/,
    ],
    ["a schema that is empty", "GET", { schema: {} as never }, /^schema must be/],
    [
      "a misspelled option",
      "GET",
      { querry: {} } as never,
      /options.querry is unknown: did you mean query\?/,
    ],
    ["options as text", "GET", "a" as never, /^options must be an object/],
  ])("throw a TypeError about %s", async (_what, method, options, message) => {
    const { user, requests } = client(respondWith({}));
    const error = await thrownBy(() => user.request(method as "GET", "/a", options));
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toMatch(message);
    expect(requests).toEqual([]);
  });

  test("may be null where they have a default", async () => {
    const { user, requests } = client(respondWith({}));
    await user.request("POST", "/a", null);
    const none = {
      path: null,
      query: null,
      json: null,
      scope: null,
      schema: null,
      fresh: null,
      signal: null,
      timeout: null,
    };
    await user.request("POST", "/a", none);
    expect(requests.map(({ url }) => url)).toEqual([`${base}/a`, `${base}/a`]);
    expect(requests[1]?.headers.get("content-type")).toBeNull();
  });

  test("hide in errors, if a text may be a secret", async () => {
    const refuse = (echo: string) =>
      client(respondWith({ message: `You sent ${echo}` }, { status: 400 })).user;
    const messageOf = async (echo: string, options: RequestOptions) =>
      String(
        await thrownBy(() =>
          refuse(echo).request("POST", "/a/{b}", { path: { b: "c" }, ...options })
        ),
      );
    const hidden: [string, RequestOptions][] = [
      [secret, { json: { any: [{ deep: { name: secret } }] } }],
      [secret, { query: { any: secret } }],
      [secret, { path: { b: secret } }],
      ["s3", { json: { lobby: { secret: "s3" } } }],
      ["4711", { json: { accessToken: "4711" } }],
      ["4711", { query: { user_password: "4711" } }],
      ["x1", { path: { b: "x" }, json: { token: "x1" } }],
      // Beyond the maximum number of texts, a name still counts.
      ["l4st", {
        json: { many: Array.from({ length: 300 }, (_, n) => `text number ${n}`), secret: "l4st" },
      }],
      [secret, { json: { name: `${"a".repeat(4900)}${secret}` } }],
    ];
    for (const [echo, options] of hidden) {
      expect(await messageOf(echo, options)).toContain("([redacted])");
    }
    // The search for secrets takes time, so only the first 200 texts count without a name.
    const many = Array.from({ length: 201 }, (_, n) => `unnamed-${n}-${"abcdefgh"[n % 8]}${n * 7}`);
    expect(await messageOf("unnamed-199-h1393", { json: { many } })).toContain("([redacted])");
    const [last = ""] = many.slice(-1);
    const distinct = { json: { many: [...Array(200).fill("another text"), last] } };
    const shown: [string, RequestOptions][] = [
      [last, distinct],
      ["ping", { json: { name: "ping" } }],
      ["1200000000000000001", { path: { b: "1200000000000000001" } }],
      ["a number", { json: { token: 7, any: [null, true] } }],
    ];
    for (const [echo, options] of shown) {
      expect(await messageOf(echo, options)).toContain(`(You sent ${echo})`);
    }
  });
});

describe("The schema of User.request()", () => {
  const payload = [{ id: "1", consumed: "no", starts_at: "2026-01-01T00:00:00Z" }];
  const good = [{ id: "1", consumed: true, starts_at: "2026-01-01T00:00:00Z" }];

  const withValibot = v.array(v.object({
    id: v.string(),
    consumed: v.boolean(),
    starts_at: v.pipe(v.string(), v.transform((text) => new Date(text))),
  }));
  const withZod = z.array(z.object({
    id: z.string(),
    consumed: z.boolean(),
    starts_at: z.string().transform((text) => new Date(text)),
  }));
  const byHand = Object.assign(() => {}, {
    "~standard": {
      version: 1 as const,
      vendor: "test",
      async validate(value: unknown): Promise<SchemaResult<{ readonly starts_at: Date }[]>> {
        await Promise.resolve();
        const [first] = value as typeof payload;
        return typeof first?.consumed === "boolean"
          ? { value: [{ starts_at: new Date(first.starts_at) }] }
          : { issues: [{ message: `got ${first?.consumed}`, path: [{ key: 0 }, "consumed"] }] };
      },
    },
  });
  const schemas = { valibot: withValibot, zod: withZod, "a schema of one's own": byHand };

  test.each(Object.entries(schemas))(
    "checks and converts the JSON, with %s",
    async (_name, schema) => {
      const { user } = client(respondWith(good), respondWith(payload));
      const any: StandardSchema<readonly { readonly starts_at: Date }[]> = schema;
      const [entitlement] = await user.request("GET", "/a/{b}", { path: { b: "c" }, schema: any });
      expect(entitlement?.starts_at).toEqual(new Date("2026-01-01T00:00:00Z"));
      const error = await thrownBy(() =>
        user.request("GET", "/a/{b}", { path: { b: "c" }, schema })
      );
      expect(error).toBeInstanceOf(PayloadError);
      const expected = schema === byHand ? "a value that matches the schema" : "boolean";
      expect(error).toMatchObject({
        message:
          `The response to GET /a/{b} does not match the schema: 0.consumed: expected ${expected}, received string`,
        issues: [{ path: "0.consumed" }],
      });
    },
  );

  test("may be the schema of a model", async () => {
    const { user } = client(respondWith({ id: "1", username: "ada" }), respondWith({ id: "1" }));
    const schema = userSchema("https://cdn.test");
    const ada = await user.request("GET", "/users/@me", { schema });
    expectTypeOf(ada).toEqualTypeOf<UserObj>();
    expect(ada).toMatchObject({ username: "ada", global_name: null });
    expect(ada.avatar_url).toMatch(/^https:\/\/cdn\.test\/embed\/avatars\//);
    expect(await thrownBy(() => user.request("GET", "/users/@me", { schema, fresh: true })))
      .toMatchObject({ name: "PayloadError", issues: [{ path: "username" }] });
  });

  test("gives the result its type", () => {
    const { user } = client(respondWith(good));
    expectTypeOf(() => user.request("GET", "/a")).returns.resolves.toEqualTypeOf<unknown>();
    expectTypeOf(() => user.request<{ a: 1 }>("GET", "/a")).returns.resolves.toEqualTypeOf<
      { a: 1 }
    >();
    expectTypeOf(() => user.request("GET", "/a", { schema: withValibot })).returns.resolves
      .toEqualTypeOf<v.InferOutput<typeof withValibot>>();
    expectTypeOf(() => user.request("GET", "/a", { schema: withZod })).returns.resolves
      .toEqualTypeOf<z.output<typeof withZod>>();
  });

  test("is that of each caller, also when callers share a request", async () => {
    const { user, requests } = client(respondWith({ a: 1 }));
    const [first, second, third] = await Promise.all([
      user.request("GET", "/a", { schema: z.object({ a: z.number() }) }),
      user.request("GET", "/a", { schema: z.object({ a: z.number().transform(String) }) }),
      thrownBy(() => user.request("GET", "/a", { schema: z.object({ a: z.string() }) })),
    ]);
    expect([first, second]).toEqual([{ a: 1 }, { a: "1" }]);
    expect(third).toBeInstanceOf(PayloadError);
    expect(requests).toHaveLength(1);
  });

  test("gets null for an empty response", async () => {
    const { user } = client(() => new Response(null, { status: 204 }));
    expect(await user.request("POST", "/a", { schema: z.null() })).toBeNull();
    expect(await thrownBy(() => user.request("POST", "/a", { schema: z.string() })))
      .toMatchObject({ issues: [{ path: "", message: "expected string, received null" }] });
  });

  test("never puts received text into an error", async () => {
    const received = { [secret]: secret, list: { [secret]: [secret] }, token: secret };
    const { user } = client(respondWith(received));
    for (
      const schema of [
        z.record(z.string(), z.number()),
        v.record(v.string(), v.number()),
        z.object({ list: z.record(z.string(), z.array(z.number())) }),
        z.object({
          token: z.string().refine(() => false, { error: ({ input }) => `bad ${input}` }),
        }),
        v.object({
          token: v.pipe(v.string(), v.check(() => false, ({ input }) => `bad ${input}`)),
        }),
      ]
    ) {
      const error = await thrownBy(() =>
        user.request("GET", "/a", { schema: schema as StandardSchema })
      );
      expect(error).toBeInstanceOf(PayloadError);
      expect(leaksOf(error, [secret])).toEqual([]);
    }
  });

  test("names the kind of a received list and of a whole response", async () => {
    const { user } = client(respondWith([]));
    const schema = v.union([v.string(), v.object({ a: v.string() })]);
    expect(await thrownBy(() => user.request("GET", "/a", { schema }))).toMatchObject({
      issues: [{ path: "", message: "expected (string | Object), received an array" }],
    });
  });

  test("names at most 100 issues", async () => {
    const { user } = client(respondWith(Array.from({ length: 500 }, () => "a")));
    const error = await thrownBy(() => user.request("GET", "/a", { schema: z.array(z.number()) }));
    expect((error as PayloadError).issues).toHaveLength(100);
  });

  test("passes its own failure on", async () => {
    const failure = new Error("broken");
    const schema: StandardSchema<string> = {
      "~standard": { version: 1, validate: () => Promise.reject(failure) },
    };
    expect(await thrownBy(() => client(respondWith({})).user.request("GET", "/a", { schema })))
      .toBe(failure);
  });
});

describe("The limits of User.request()", () => {
  const usedUp = respondWith({}, {
    headers: {
      "x-ratelimit-limit": "1",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset-after": "60",
    },
  });

  test("count by the template, apart for each guild, channel and webhook", async () => {
    const { user, requests } = client(usedUp);
    const isHeld = async (path: string, values: Record<string, string>) => {
      const { length } = requests;
      await user.request("GET", path as "/", { path: values }).catch((error) =>
        expect(error).toBeInstanceOf(RateLimitError)
      );
      return requests.length === length;
    };
    expect(await isHeld("/lobbies/{lobbyId}/messages", { lobbyId: "1" })).toBe(false);
    expect(await isHeld("/lobbies/{id}/messages", { id: "2" })).toBe(true);
    expect(await isHeld("/lobbies/3/messages", {})).toBe(true);
    expect(await isHeld("/webhooks/{id}/{token}", { id: "1", token: "a" })).toBe(false);
    expect(await isHeld("/webhooks/{id}/{token}", { id: "1", token: "b" })).toBe(true);
    expect(await isHeld("/webhooks/{id}/{token}", { id: "2", token: "a" })).toBe(false);
    expect(await isHeld("/channels/{id}/messages", { id: "1" })).toBe(false);
    expect(await isHeld("/channels/{id}/messages", { id: "2" })).toBe(false);
    expect(await isHeld("/channels/2/messages", {})).toBe(true);
    expect(await isHeld("/guilds/{id}/channels", { id: "1" })).toBe(false);
    expect(await isHeld("/guilds/{id}/channels", { id: "2" })).toBe(false);
    expect(await isHeld("/guilds/{guildId}/channels", { guildId: "2" })).toBe(true);
  });

  test("do not end with a block by the edge, which may be about this request", async () => {
    const { user, requests } = client(
      respondWith("<html>", { status: 403 }),
      respondWith({ id: "1", username: "ada" }),
    );
    expect(await thrownBy(() => user.request("GET", "/a"))).toMatchObject({ blockedByEdge: true });
    expect(await user.getCurrentUser()).toMatchObject({ username: "ada" });
    expect(requests).toHaveLength(2);
  });
});
