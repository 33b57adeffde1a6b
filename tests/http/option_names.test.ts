import { describe, expect, test } from "vitest";
import { MemoryStore, PlatformApi, TokenSource, User } from "../../mod.ts";
import { createFakePlatform, sampleApplication } from "../../src/testing/mod.ts";
import { fakeFetch, respondWith, thrownBy } from "../support/responders.ts";

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
    ["new PlatformApi()", createApi, { tokenType: "Bot" }, `known are ${clientOptions}`],
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
      `known are ${clientOptions}, tokenType`,
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
      "options must be an object, as in { before, after, limit, withCounts, fresh, signal }, received 1 characters",
    ),
  );
});
