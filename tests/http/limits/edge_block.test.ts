import { describe, expect, test, vi } from "vitest";
import { ApiError, type ClientOptions, PlatformApi, RateLimitError, User } from "../../../mod.ts";
import { createKeyReader } from "../../../src/openid/signing_keys.ts";
import { createFakePlatform, sampleApplication } from "../../../src/testing/mod.ts";
import { fakeFetch, late, respondWith, thrownBy } from "../../support/responders.ts";
import { exchangeCode, getUser, respondWithUser } from "../../support/calls.ts";
import { untilDone, useVirtualTime } from "../../support/virtual_time.ts";

/** Creates a client with a configured redirect URI. */
function api(options: ClientOptions): PlatformApi {
  return new PlatformApi("1", "s3cret", ["identify"], "https://app.example/", options);
}

const blockMessage =
  "You are being blocked from accessing our API temporarily due to exceeding our rate limits frequently. " +
  "Please read our docs at https://discord.com/developers/docs/topics/rate-limits to prevent this moving forward.";

describe("After a block by the edge", () => {
  test.each<[string, number, unknown]>([
    ["HTML", 403, "<!doctype html><title>Access denied</title>"],
    ["plain text", 429, "error code: 1015"],
    ["JSON", 429, { message: blockMessage, code: 0 }],
    ["code 40333", 403, { message: "internal network error", code: 40333 }],
  ])("in %s, no request of any client is sent for half a minute", async (_as, status, body) => {
    useVirtualTime();
    const { fetch, requests } = fakeFetch(respondWith(body, { status }), respondWithUser);
    expect(await thrownBy(() => getUser({ fetch }))).toMatchObject({
      blockedByEdge: true,
      ...(status === 429 && { retryAfter: 30 }),
    });
    await vi.advanceTimersByTimeAsync(29_000);
    for (const call of [getUser, exchangeCode]) {
      const error = await thrownBy(() => call({ fetch }));
      expect(error).toBeInstanceOf(RateLimitError);
      expect(error).toMatchObject({
        message: expect.stringMatching(
          /was not sent: the edge in front of the platform blocked an earlier request$/,
        ),
        hint: expect.stringMatching(
          /address.*Cloudflare Workers, Render or Cloud Run, use a static outgoing IP or a proxy.*401.*and wait\. Wait 1 s/,
        ),
        httpStatus: 429,
        retryAfter: 1,
        blockedByEdge: true,
        ofPerson: false,
      });
    }
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1000);
    await getUser({ fetch });
    expect(requests).toHaveLength(2);
  });

  test("a 5xx with the code of a block is retried, and does not pause requests", async () => {
    useVirtualTime();
    const failure = respondWith({ code: 40333 }, { status: 502 });
    const { fetch, requests } = fakeFetch(failure, failure, respondWithUser);
    await untilDone(getUser({ fetch }));
    expect(requests).toHaveLength(3);
  });

  test.each([["0", 3000], ["5", 5000], ["86400", 60_000]])(
    "that asks for %s seconds, nothing is sent for %i ms",
    async (retryAfter, pause) => {
      useVirtualTime();
      const headers = { "retry-after": retryAfter };
      const { fetch, requests } = fakeFetch(
        respondWith("error code: 1015", { status: 429, headers }),
        respondWithUser,
      );
      await thrownBy(() => exchangeCode({ fetch }));
      await vi.advanceTimersByTimeAsync(pause - 1);
      await thrownBy(() => getUser({ fetch }));
      expect(requests).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(1);
      await getUser({ fetch });
      expect(requests).toHaveLength(2);
    },
  );

  test("one request tries first, and the others wait for its outcome", async () => {
    useVirtualTime();
    const blocked = respondWith("<html>", { status: 403 });
    const { fetch, requests } = fakeFetch(blocked, blocked, late(100, respondWithUser));
    // Twenty people, since a read of one person is sent once.
    const reads = () =>
      Promise.allSettled(
        Array.from({ length: 20 }, (_, n) => new User(`t0ken${n}`, { fetch }).getCurrentUser()),
      );
    const sent = [];
    for (const wait of [0, 30_000, 30_000, 200]) {
      await vi.advanceTimersByTimeAsync(wait);
      await untilDone(wait === 0 ? thrownBy(() => getUser({ fetch })) : reads());
      sent.push(requests.length);
    }
    expect(sent).toEqual([1, 2, 22, 42]);
  });

  test("a trial that gets no response lets the next request try", async () => {
    useVirtualTime();
    const failing = () => Promise.reject(new TypeError("connection refused"));
    const { fetch, requests } = fakeFetch(respondWith("<html>", { status: 403 }), failing);
    const call = () => untilDone(thrownBy(() => exchangeCode({ fetch })));
    await call();
    await vi.advanceTimersByTimeAsync(30_000);
    expect([await call(), await call()].map((error) => (error as Error).name))
      .toEqual(["NetworkError", "NetworkError"]);
    expect(requests).toHaveLength(3);
  });

  test("a shorter one that comes later shortens no pause", async () => {
    useVirtualTime();
    const block = (seconds: string) =>
      respondWith("<html>", { status: 403, headers: { "retry-after": seconds } });
    const { fetch, requests } = fakeFetch(block("60"), late(100, block("3")));
    const calls = [1, 2].map(() => thrownBy(() => exchangeCode({ fetch })));
    await untilDone(Promise.all(calls));
    await vi.advanceTimersByTimeAsync(50_000);
    expect(await thrownBy(() => exchangeCode({ fetch }))).toMatchObject({ blockedByEdge: true });
    expect(requests).toHaveLength(2);
  });

  test("a client with another fetch or another platform sends its requests", async () => {
    const { fetch } = fakeFetch(respondWith("<html>", { status: 403 }), respondWithUser);
    await thrownBy(() => getUser({ fetch }));
    const platform = {
      authorizeUrl: "https://chat.example/oauth2/authorize",
      apiUrl: "https://chat.example/api",
      cdnUrl: "https://cdn.chat.example",
    };
    expect(await getUser({ fetch, platform })).toMatchObject({ username: "ada" });
    expect(await getUser({ fetch: fakeFetch(respondWithUser).fetch }))
      .toMatchObject({ username: "ada" });
  });

  test.each<[string, (options: ClientOptions) => Promise<unknown>]>([
    ["a code of another form", (options) => api(options).accessToken("../../etc/passwd")],
    ["an id", (options) => new User("t0ken", options).getGuildMember("1")],
    ["an id of a page of guilds", (options) => new User("t0ken", options).getUserGuilds()],
    ["a body", (options) => new User("t0ken", options).setRoleConnection("1", {})],
    [
      "a body of a bot",
      (options) =>
        new User("t0ken", { ...options, tokenType: "Bot" }).setRoleConnectionMetadata("1", []),
    ],
  ])("to a request with %s of the caller's, other requests go on", async (_what, call) => {
    useVirtualTime();
    const headers = { "retry-after": "45" };
    for (const status of [403, 429]) {
      const { fetch, requests } = fakeFetch(
        respondWith("<html>", { status, headers }),
        respondWithUser,
      );
      expect(await untilDone(thrownBy(() => call({ fetch }))))
        .toMatchObject({ blockedByEdge: true, isTemporary: true, retryAfter: 45 });
      expect(requests).toHaveLength(1);
      await untilDone(getUser({ fetch }));
      // The same request is not held back either.
      await untilDone(Promise.allSettled([call({ fetch })]));
      expect(requests).toHaveLength(3);
    }
  });

  test("no such request is sent, and none of them ends the pause or is its trial", async () => {
    useVirtualTime();
    const blocked = respondWith("<html>", { status: 403 });
    const { fetch, requests } = fakeFetch(blocked, blocked, late(100, respondWithUser), blocked);
    const member = () => new User("t0ken", { fetch }).getGuildMember("1");
    await thrownBy(() => getUser({ fetch }));
    await vi.advanceTimersByTimeAsync(29_000);
    expect(await thrownBy(member)).toMatchObject({ name: "RateLimitError", retryAfter: 1 });
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await untilDone(thrownBy(member))).toMatchObject({ name: "ApiError", retryAfter: 30 });
    await untilDone(getUser({ fetch }));
    expect(requests).toHaveLength(3);
  });

  test.each<[string, (options: ClientOptions) => Promise<unknown>]>([
    ["a code", (options) => api(options).accessToken("Abc-1_")],
    ["a refresh", (options) => api(options).refresh("r3fresh")],
    ["a revocation", (options) => api(options).revoke("t0ken")],
    ["client credentials", (options) => api(options).clientCredentials(["identify"])],
    ["keys", (options) => createKeyReader(options).read()],
    ["the user", getUser],
  ])("to %s, no other request is sent", async (_what, call) => {
    useVirtualTime();
    const { fetch, requests } = fakeFetch(respondWith("<html>", { status: 403 }), respondWithUser);
    await thrownBy(() => call({ fetch }));
    await thrownBy(() => getUser({ fetch }));
    expect(requests).toHaveLength(1);
  });

  test("with 429 at the token endpoint, the application's own pause does not begin", async () => {
    useVirtualTime();
    const headers = { "retry-after": "60" };
    const { fetch, requests } = fakeFetch(
      respondWith("<html>", { status: 429, headers }),
      respondWith({ error: "invalid_grant" }, { status: 400 }),
    );
    await thrownBy(() => api({ fetch }).accessToken("../../etc/passwd"));
    expect(await thrownBy(() => exchangeCode({ fetch }))).toMatchObject({ name: "OAuthError" });
    expect(requests).toHaveLength(2);
  });

  test("of the fake platform, a token and a person wait too", async () => {
    const fake = createFakePlatform();
    const { id, secret, redirectUris: [redirectUri = ""] } = sampleApplication;
    const api = new PlatformApi(id, secret, ["identify"], redirectUri, fake);
    const { access_token: token } = fake.issueToken({ scopes: ["identify"] });
    fake.failNext({ edge: true });
    expect(await thrownBy(() => api.refresh(token))).toBeInstanceOf(ApiError);
    const before = fake.requests.length;
    expect(await thrownBy(() => api.revoke(token))).toMatchObject({ blockedByEdge: true });
    expect(await thrownBy(() => new User(token, fake).getCurrentUser()))
      .toMatchObject({ blockedByEdge: true });
    expect(fake.requests).toHaveLength(before);
  });
});
