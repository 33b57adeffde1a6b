import { describe, expect, test, vi } from "vitest";
import {
  AuthUrl,
  type ClientOptions,
  type Fetch,
  MemoryStore,
  parseCallback,
  PlatformApi,
  RateLimitError,
  TokenSource,
} from "../../../mod.ts";
import { createFakePlatform, sampleApplication } from "../../../src/testing/mod.ts";
import {
  fakeFetch,
  late,
  neverRespond,
  rejectWith,
  type Responder,
  respondWith,
  thrownBy,
} from "../../support/responders.ts";
import { exchangeCode } from "../../support/calls.ts";
import { untilDone, useVirtualTime } from "../../support/virtual_time.ts";

const invalidGrant = respondWith({ error: "invalid_grant" }, { status: 400 });

const endedToken = {
  access_token: "access",
  refresh_token: "refresh",
  token_type: "Bearer",
  expires_in: 604_800,
  expires_at: 0,
  scope: "identify",
  scopes: ["identify"],
  guild: null,
  webhook: null,
  id_token: null,
};

function tooMany(retryAfter?: string): Responder {
  const headers = retryAfter === undefined ? {} : { "retry-after": retryAfter };
  return respondWith({ message: "You are being rate limited." }, { status: 429, headers });
}

/** Exchanges codes at the same time. Returns the names of the errors. */
async function exchangeMany(count: number, fetch: Fetch): Promise<string[]> {
  const codes = Array.from({ length: count }, () => thrownBy(() => exchangeCode({ fetch })));
  return (await untilDone(Promise.all(codes))).map((error) => (error as Error).name);
}

test.each([
  ["a 429", respondWith({}, { status: 429, headers: { "retry-after": "30" } })],
  ["a block by the edge", respondWith("<html>", { status: 403 })],
])(
  "After %s, a TokenSource writes nothing for a refresh that is not sent",
  async (_what, failure) => {
    useVirtualTime();
    const { fetch, requests } = fakeFetch(failure);
    const api = new PlatformApi("1", "s3cret", ["identify"], "https://app.example/", { fetch });
    const store = new MemoryStore();
    const source = new TokenSource(api, store, "ada");
    await source.save(endedToken);
    await untilDone(thrownBy(() => exchangeCode({ fetch })));
    const save = vi.spyOn(store, "save");
    const error = await untilDone(thrownBy(() => source.token()));
    expect(error).toMatchObject({ isTemporary: true, retryAfter: 30 });
    expect(save).not.toHaveBeenCalled();
    expect(requests).toHaveLength(1);
  },
);

describe("After a 429 at the token endpoint", () => {
  test("no exchange, refresh or other token request of any client is sent", async () => {
    useVirtualTime();
    const { fetch, requests } = fakeFetch(tooMany("30"), invalidGrant);
    expect(await exchangeMany(1, fetch)).toEqual(["RateLimitError"]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await exchangeMany(50, fetch)).toEqual(Array(50).fill("RateLimitError"));
    const api = new PlatformApi("1", "s3cret", ["identify"], "https://app.example/", { fetch });
    for (const call of [() => api.refresh("r"), () => api.clientCredentials(["identify"])]) {
      const error = await thrownBy(call);
      expect(error).toBeInstanceOf(RateLimitError);
      expect(error).toMatchObject({
        message:
          "POST https://discord.com/api/v10/oauth2/token was not sent: the platform has limited token requests (429)",
        httpStatus: 429,
        retryAfter: 20,
        global: false,
        ofPerson: false,
        blockedByEdge: false,
      });
    }
    expect(requests).toHaveLength(1);
  });

  test("the codes that were not sent work later", async () => {
    useVirtualTime();
    const fake = createFakePlatform();
    const { id, secret, redirectUris: [redirectUri = ""] } = sampleApplication;
    const api = new PlatformApi(id, secret, ["identify"], redirectUri, fake);
    const link = new AuthUrl(id, ["identify"], redirectUri, null, fake);
    const { code } = parseCallback(await fake.authorize(await link.makeUrl({ state: "s7ate" })), {
      state: "s7ate",
    });
    fake.failNext({ status: 429, headers: { "retry-after": "5" } });
    for (const _ of [1, 2]) {
      expect(await thrownBy(() => api.accessToken(code))).toBeInstanceOf(RateLimitError);
    }
    await vi.advanceTimersByTimeAsync(5000);
    expect(await untilDone(api.accessToken(code))).toMatchObject({ scopes: ["identify"] });
  });

  test.each<[string | undefined, number]>([
    ["30", 30_000],
    ["0", 1000],
    [undefined, 5000],
    ["61", 60_000],
    ["1000000000", 60_000],
  ])("that asks for %s seconds, the next one is sent after %i ms", async (retryAfter, pause) => {
    useVirtualTime();
    const { fetch, requests } = fakeFetch(tooMany(retryAfter), invalidGrant);
    await exchangeMany(1, fetch);
    await vi.advanceTimersByTimeAsync(pause - 1);
    expect(await exchangeMany(1, fetch)).toEqual(["RateLimitError"]);
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await exchangeMany(1, fetch)).toEqual(["OAuthError"]);
  });

  test("one request tries after the pause, and the others fail with it", async () => {
    useVirtualTime();
    const { fetch, requests } = fakeFetch(tooMany("30"), late(200, tooMany("30")));
    await exchangeMany(1, fetch);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await exchangeMany(50, fetch)).toEqual(Array(50).fill("RateLimitError"));
    expect(requests).toHaveLength(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("all are sent as soon as one got another response", async () => {
    useVirtualTime();
    const { fetch, requests } = fakeFetch(tooMany("30"), late(200, invalidGrant), invalidGrant);
    await exchangeMany(1, fetch);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await exchangeMany(50, fetch)).toEqual(Array(50).fill("OAuthError"));
    expect(requests).toHaveLength(51);
    expect(await exchangeMany(50, fetch)).toEqual(Array(50).fill("OAuthError"));
  });

  test("the next one tries if the first got no response", async () => {
    useVirtualTime();
    const offline = rejectWith(new Error("connection refused"));
    const { fetch, requests } = fakeFetch(tooMany("30"), offline, invalidGrant);
    await exchangeMany(1, fetch);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await exchangeMany(3, fetch)).toEqual(["NetworkError", "OAuthError", "OAuthError"]);
    expect(requests).toHaveLength(4);
  });

  test("a request that waits for the outcome of another one fails before its own time is over", async () => {
    useVirtualTime();
    const { fetch, requests } = fakeFetch(tooMany("1"), neverRespond);
    await exchangeMany(1, fetch);
    await vi.advanceTimersByTimeAsync(1000);
    // It is known that the second was not sent, so its code still works.
    expect(await exchangeMany(2, fetch)).toEqual(["TimeoutError", "RateLimitError"]);
    expect(requests).toHaveLength(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("a request that waits can be aborted", async () => {
    useVirtualTime();
    const { fetch } = fakeFetch(tooMany("1"), late(5000, invalidGrant));
    await exchangeMany(1, fetch);
    await vi.advanceTimersByTimeAsync(1000);
    const first = exchangeMany(1, fetch);
    const controller = new AbortController();
    const second = thrownBy(() => exchangeCode({ fetch }, controller.signal));
    await vi.advanceTimersByTimeAsync(100);
    controller.abort("enough");
    expect(await second).toBe("enough");
    expect(await first).toEqual(["OAuthError"]);
  });

  test("a response to an earlier request does not end the pause", async () => {
    useVirtualTime();
    const { fetch, requests } = fakeFetch(late(100, invalidGrant), tooMany("30"), invalidGrant);
    expect(await exchangeMany(2, fetch)).toEqual(["OAuthError", "RateLimitError"]);
    expect(await exchangeMany(1, fetch)).toEqual(["RateLimitError"]);
    expect(requests).toHaveLength(2);
  });

  test("the longest of several waits counts", async () => {
    useVirtualTime();
    const { fetch, requests } = fakeFetch(tooMany("30"), late(1000, tooMany("2")), invalidGrant);
    await exchangeMany(2, fetch);
    await vi.advanceTimersByTimeAsync(28_000);
    await exchangeMany(1, fetch);
    expect(requests).toHaveLength(2);
  });

  test("the pauses of a hundred applications are remembered", async () => {
    useVirtualTime();
    const { fetch, requests } = fakeFetch(tooMany("30"));
    const isRemembered = async (clientId: number) => {
      const before = requests.length;
      const api = new PlatformApi(`${clientId}`, "s3cret", ["identify"], "https://app.example/", {
        fetch,
      });
      await thrownBy(() => api.accessToken("c0de"));
      return requests.length === before;
    };
    for (let clientId = 1; clientId <= 100; clientId++) await isRemembered(clientId);
    expect(await isRemembered(1)).toBe(true);
    expect(await isRemembered(101)).toBe(false);
    expect(await isRemembered(2)).toBe(false);
  });

  test("revocations, other applications and other platforms go on", async () => {
    useVirtualTime();
    const { fetch, requests } = fakeFetch(tooMany("30"), respondWith({}));
    await exchangeMany(1, fetch);
    const api = (clientId: string, options: ClientOptions) =>
      new PlatformApi(clientId, "s3cret", ["identify"], "https://app.example/", options);
    await api("1", { fetch }).revoke("t0ken");
    await thrownBy(() => api("2", { fetch }).accessToken("c0de"));
    const platform = {
      authorizeUrl: "https://chat.example/oauth2/authorize",
      apiUrl: "https://chat.example/api",
      cdnUrl: "https://cdn.chat.example",
    };
    await thrownBy(() => api("1", { fetch, platform }).accessToken("c0de"));
    expect(requests).toHaveLength(4);
  });
});
