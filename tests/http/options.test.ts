import { describe, expect, test, vi } from "vitest";
import { discord, MemoryStore, PlatformApi, TokenSource, User } from "../../mod.ts";
import { fakeFetch, respondWith, thrownBy } from "../support/responders.ts";
import { getUser, respondWithUser } from "../support/calls.ts";
import { unfrozenPartsOf } from "../support/models.ts";
import { createFakePlatform, sampleApplication } from "../../src/testing/mod.ts";

describe("the options of a client", () => {
  const url = "platform.apiUrl must be an https URL";
  const milliseconds = "timeout must be a number of milliseconds above 0 and below 2147483648";
  const bytes = "maxBytes must be a whole number of bytes above 0";
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
    [bytes, { maxBytes: 0 }],
    [bytes, { maxBytes: -1 }],
    [bytes, { maxBytes: 1.5 }],
    [bytes, { maxBytes: NaN }],
    [bytes, { maxBytes: Infinity }],
    [bytes, { maxBytes: "8 MiB" }],
  ])("are refused if one is wrong: %s (%j)", (message, options) => {
    const clients = [
      () => new User("t0ken", options),
      () => new PlatformApi("1", "s3cret", ["identify"], "https://app.example/", options),
    ];
    for (const create of clients) {
      expect(create).toThrow(TypeError);
      expect(create).toThrow(`${message}, received`);
    }
  });

  test("may be null, which means the default", async () => {
    const { fetch, requests } = fakeFetch(respondWithUser);
    const none = { timeout: null, maxBytes: null, userAgent: null };
    await getUser({ ...none, fetch });
    await getUser({ fetch });
    const [first, second] = requests.map(({ url, headers }) => [url, ...headers]);
    expect(first).toEqual(second);
    expect(() => new User("t0ken", { ...none, fetch: null })).not.toThrow();
  });

  test("may have the longest timer as their timeout, or next to none", async () => {
    expect(await getUser({ ...fakeFetch(respondWithUser), timeout: 2 ** 31 - 1 })).toMatchObject({
      username: "ada",
    });
    expect(() => new User("t0ken", { timeout: 0.5 })).not.toThrow();
  });
});

const engine = { id: "1200000000000000001", name: "The Analytical Engine", icon: 5 };
const wrongIcon = "expected a string, received number";

describe("onUnexpected", () => {
  test("gets the repaired places, and the request without its query", async () => {
    const calls: unknown[][] = [];
    const onUnexpected = (...call: unknown[]) => calls.push(call);
    const more = { onUnexpected };
    await new User("t0ken", {
      ...fakeFetch(respondWith({ id: "1", username: "ada", flags: "" })),
      ...more,
    })
      .getCurrentUser();
    await new User("t0ken", { ...fakeFetch(respondWith([engine])), ...more })
      .getUserGuilds({ limit: 5, withCounts: true });
    await new User("t0ken", { ...fakeFetch(respondWith(engine)), ...more }).getGuild(
      engine.id,
      true,
    );
    const response = { access_token: "t0ken", token_type: "Bearer", expires_in: "soon" };
    await new PlatformApi("1", "s3cret", ["identify"], "https://app.example/", {
      ...fakeFetch(respondWith(response)),
      ...more,
    }).accessToken("c0de");
    expect(calls).toEqual([
      [[{ path: "flags", message: "expected a finite number, received string" }], {
        method: "GET",
        path: "/users/@me",
      }],
      [[{ path: "0.icon", message: wrongIcon }], { method: "GET", path: "/users/@me/guilds" }],
      [[{ path: "icon", message: wrongIcon }], { method: "GET", path: `/guilds/${engine.id}` }],
      [[{ path: "expires_in", message: "expected a number of seconds, received string" }], {
        method: "POST",
        path: "/oauth2/token",
      }],
    ]);
    expect(unfrozenPartsOf(calls.map(([issues]) => issues)).length).toBe(1);
  });

  test("is not called for a documented response", async () => {
    const onUnexpected = () => {
      throw new Error("It was called");
    };
    let calls = 0;
    const counting = () => (calls++, onUnexpected());
    const user = new User("t0ken", {
      ...fakeFetch(respondWith({ id: "1", username: "ada", more: 1, bot: null })),
      onUnexpected: counting,
    });
    expect(await user.getCurrentUser()).toMatchObject({ id: "1" });
    expect(calls).toBe(0);
  });

  test.each<[string, () => unknown]>([
    ["throws", () => {
      throw new Error("The log is full");
    }],
    ["rejects", () => Promise.reject(new Error("The log is full"))],
    ["returns an object that only looks like a promise", () => ({
      get then() {
        throw new Error("The log is full");
      },
    })],
    ["never ends", () => new Promise(() => {})],
  ])("does not cost the response if it %s, and its error is logged", async (what, onUnexpected) => {
    const logged = vi.spyOn(console, "error").mockReturnValue();
    const user = new User("t0ken", { ...fakeFetch(respondWith(engine)), onUnexpected });
    expect(await user.getGuild("1")).toMatchObject({ id: engine.id, icon: null });
    // An unhandled rejection would fail the run.
    await new Promise((resolve) => setTimeout(resolve));
    const calls = what === "never ends" ? [] : [[new Error("The log is full")]];
    expect(logged.mock.calls).toEqual(calls);
    logged.mockRestore();
  });

  test("is optional", async () => {
    const user = new User("t0ken", fakeFetch(respondWith(engine)));
    expect(await user.getGuild("1")).toMatchObject({ id: engine.id, icon: null });
  });

  test.each([["text"], [5], [{}], [true]])("is refused if it is not a function: %j", (value) => {
    const options = { onUnexpected: value as unknown as () => void };
    expect(() => new User("t0ken", options)).toThrow(/^onUnexpected must be a function/);
    expect(() => new PlatformApi("1", "s3cret", ["identify"], "https://app.example/", options))
      .toThrow(/^onUnexpected must be a function/);
  });
});

const { id, secret } = sampleApplication;
const clientOptions = "fetch, timeout, maxBytes, platform, userAgent, onUnexpected";

function createApi(options?: object): PlatformApi {
  return new PlatformApi(id, secret, ["identify"], "https://app.example/", options);
}

describe("an option with an unknown name", () => {
  test.each<[string, (options: object) => unknown, object, string]>([
    [
      "new PlatformApi()",
      createApi,
      { timout: 1 },
      "options.timout is unknown: did you mean timeout?",
    ],
    ["new PlatformApi()", createApi, { tokenType: "Bot" }, `known names: ${clientOptions}`],
    [
      "new User()",
      (options) => new User("t0ken", options),
      { tokentype: "Bot" },
      "did you mean tokenType?",
    ],
    [
      "new User()",
      (options) => new User("t0ken", options),
      { retries: 3 },
      `known names: ${clientOptions}, tokenType`,
    ],
    [
      "new TokenSource()",
      (options) => new TokenSource(createApi(), new MemoryStore(), "ada", options),
      { refreshbefore: 1 },
      "did you mean refreshBefore?",
    ],
    [
      "eachUserGuild()",
      (options) => new User("t0ken").eachUserGuild(options),
      { withCount: true },
      "did you mean withCounts?",
    ],
  ])("is refused by %s", (_what, create, options, message) => {
    expect(() => create(options)).toThrow(TypeError);
    expect(() => create(options)).toThrow(message);
  });

  const source = new TokenSource(createApi(), new MemoryStore(), "ada");
  test.each<[string, (user: User, options: object) => Promise<unknown>, object, string]>([
    [
      "getCurrentUser()",
      (user, options) => user.getCurrentUser(options),
      { signals: null },
      "signal",
    ],
    ["getUserGuilds()", (user, options) => user.getUserGuilds(options), { limits: 1 }, "limit"],
    ["accessToken()", (_, options) => createApi().accessToken("c0de", options), {
      codeverifier: "v",
    }, "codeVerifier"],
    [
      "refresh()",
      (_, options) => createApi().refresh("r3fresh", options),
      { Signal: null },
      "signal",
    ],
    ["token()", (_, options) => source.token(options), { Signal: null }, "signal"],
    ["renew()", (_, options) => source.renew("t0ken", options), { Signal: null }, "signal"],
  ])("is refused by %s before a request is sent", async (_what, call, options, meant) => {
    const { fetch, requests } = fakeFetch(respondWith({}));
    const error = await thrownBy(() => call(new User("t0ken", { fetch }), options));
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({ message: expect.stringMatching(`did you mean ${meant}\\?$`) });
    expect(requests).toEqual([]);
  });

  test("is refused beside a fake platform", () => {
    const fake = createFakePlatform();
    expect(() => createApi({ ...fake, timout: 1 })).toThrow("did you mean timeout?");
  });
});

test("a fake platform is accepted as the options as a whole", () => {
  const fake = createFakePlatform();
  expect(createApi(fake)).toBeInstanceOf(PlatformApi);
  expect(new User("t0ken", { ...fake, tokenType: "Bot" })).toBeInstanceOf(User);
});

test("the options of a call must be an object", async () => {
  const error = await thrownBy(() => new User("t0ken").getUserGuilds("5" as never));
  expect(error).toEqual(
    new TypeError(
      "options must be an object like { before, after, limit, withCounts, fresh, signal }, received a string of length 1",
    ),
  );
});

test.each<[string, () => Promise<unknown>]>([
  ["User", () => new User("t0ken").getCurrentUser({ signal: new AbortController() as never })],
  ["PlatformApi", () => createApi().revoke("t", { signal: new AbortController() as never })],
])("%s refuses the controller of a signal", async (_class, call) => {
  await expect(call()).rejects.toThrow(
    new TypeError(
      "signal must be an AbortSignal, like controller.signal, received AbortController",
    ),
  );
});
