import { describe, expect, test, vi } from "vitest";
import {
  ApiError,
  type Fetch,
  LoginRequiredError,
  MemoryStore,
  MissingScopeError,
  NetworkError,
  PlatformApi,
  TimeoutError,
  TokenSource,
  User,
} from "../../mod.ts";
import { createFakePlatform, sampleApplication } from "../../src/testing/mod.ts";
import { thrownBy } from "../support/responders.ts";
import { leaksOf } from "../support/leaks.ts";
import { pause } from "../support/model_platform.ts";
import { untilDone, useVirtualTime } from "../support/virtual_time.ts";

const week = 7 * 24 * 3600_000;
const refused = { status: 401, body: { message: "401: Unauthorized", code: 0 } };

/** A person who has logged in on the fake platform, and whose token is in a store. */
async function logIn(scopes: readonly string[] = ["identify", "guilds"]) {
  const fake = createFakePlatform();
  const { id, secret, redirectUris: [redirectUri = ""] } = sampleApplication;
  const api = new PlatformApi(id, secret, [...scopes], redirectUri, fake);
  const query = new URLSearchParams({
    response_type: "code",
    client_id: id,
    scope: scopes.join(" "),
    redirect_uri: redirectUri,
  });
  const callback = await fake.authorize(`${fake.platform.authorizeUrl}?${query}`);
  const token = await api.accessToken(new URL(callback).searchParams.get("code") ?? "");
  const source = new TokenSource(api, new MemoryStore(), "ada");
  await source.save(token);
  const { length } = fake.requests;
  /** The requests since the login: each path, with the token's number for those that carry one. */
  const sent = () => fake.requests.slice(length);
  return { fake, api, source, token, user: new User(source, fake), sent };
}

/** The paths of requests, and whether they carry the first token. */
function linesOf(
  requests: ReturnType<Awaited<ReturnType<typeof logIn>>["sent"]>,
  first: string,
): string[] {
  return requests.map(({ url, headers }) => {
    const { pathname } = new URL(url);
    const path = pathname.replace(/^.*\/(?=users|oauth2)/, "");
    if (path.startsWith("oauth2")) return path;
    return `${path} ${headers["authorization"] === `Bearer ${first}` ? "first" : "new"}`;
  });
}

describe("A User of a TokenSource", () => {
  test("sends its token", async () => {
    const { user, sent, token } = await logIn();
    expect(await user.getCurrentUser()).toMatchObject({ username: "ada" });
    expect(linesOf(sent(), token.access_token)).toEqual(["users/@me first"]);
  });

  test("sends a request once more, with a new token, when the platform does not accept the first", async () => {
    const { user, fake, sent, token } = await logIn();
    fake.advance(week);
    expect(await user.getCurrentUser()).toMatchObject({ username: "ada" });
    expect(await user.getUserGuilds()).toHaveLength(4);
    expect(linesOf(sent(), token.access_token))
      .toEqual(["users/@me first", "oauth2/token", "users/@me new", "users/@me/guilds new"]);
  });

  test("has the token renewed once, however many of its requests were refused", async () => {
    const { user, fake, sent } = await logIn();
    fake.advance(week);
    await Promise.all([
      user.getCurrentUser(),
      user.getUserGuilds(),
      user.getUserGuilds({ withCounts: true }),
      user.getUserGuilds({ limit: 1 }),
    ]);
    expect(sent().filter(({ url }) => url.endsWith("/oauth2/token"))).toHaveLength(1);
  });

  test("does not repeat a request again that is refused with the new token as well", async () => {
    const { user, fake, sent, token } = await logIn();
    fake.failNext({ ...refused, path: "/users/@me" });
    fake.failNext({ ...refused, path: "/users/@me" });
    const error = await thrownBy(() => user.getCurrentUser());
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ httpStatus: 401 });
    expect(linesOf(sent(), token.access_token))
      .toEqual(["users/@me first", "oauth2/token", "users/@me new"]);
  });

  test("does not have a token renewed that has just been", async () => {
    const { user, fake, source, sent, token } = await logIn();
    await source.renew(token);
    fake.failNext({ ...refused, path: "/users/@me" });
    expect(await thrownBy(() => user.getCurrentUser())).toMatchObject({ httpStatus: 401 });
    expect(linesOf(sent(), token.access_token)).toEqual(["oauth2/token", "users/@me new"]);
  });

  test("does not have it renewed for any other response", async () => {
    const { user, fake, sent } = await logIn();
    fake.failNext({ status: 403, body: { message: "Missing Access", code: 50001 } });
    expect(await thrownBy(() => user.getCurrentUser())).toMatchObject({ httpStatus: 403 });
    expect(sent()).toHaveLength(1);
  });

  test("rejects with what the source says when the person must log in", async () => {
    const { user, api, token } = await logIn();
    await api.revoke(token);
    const error = await thrownBy(() => user.getCurrentUser());
    expect(error).toBeInstanceOf(LoginRequiredError);
    expect(error).toMatchObject({ reason: "refused" });
    expect(leaksOf([error, user], [token.access_token, String(token.refresh_token)])).toEqual([]);
  });

  test("does not send a request for which the token has no scope", async () => {
    const { user, sent } = await logIn(["identify"]);
    expect(await thrownBy(() => user.getUserGuilds())).toBeInstanceOf(MissingScopeError);
    expect(sent()).toEqual([]);
  });

  test("listens to the signal while it waits for a token", async () => {
    const { api, fake } = await logIn();
    const hanging = {
      load: () => new Promise<never>(() => {}),
      save: () => Promise.resolve(null),
      delete: () => Promise.resolve(),
    };
    const user = new User(new TokenSource(api, hanging, "ada"), fake);
    const controller = new AbortController();
    const call = thrownBy(() => user.getCurrentUser({ signal: controller.signal }));
    controller.abort(new Error("The visitor has left"));
    expect(await call).toMatchObject({ message: "The visitor has left" });
  });

  describe("ends each call within its time limit", () => {
    /** A user whose token has ended, or has another age, with a time limit for each call. */
    async function logInWithLimit(
      timeout: number,
      { apiTimeout = timeout, freshFor = 0, age = week } = {},
    ) {
      const { fake, token } = await logIn();
      useVirtualTime();
      vi.setSystemTime(Date.now() + age);
      fake.advance(age);
      const delays = new Map<string, number>();
      const fetch: Fetch = async (url, init) => {
        const path = new URL(url).pathname.split("/").at(-1) ?? "";
        const { signal } = init;
        await new Promise((resolve, reject) => {
          setTimeout(resolve, delays.get(path) ?? 0);
          signal?.addEventListener("abort", reject);
        });
        return await fake.fetch(url, init);
      };
      const { id, secret, redirectUris: [redirectUri = ""] } = sampleApplication;
      const options = { ...fake, fetch, timeout: apiTimeout };
      const api = new PlatformApi(id, secret, ["identify"], redirectUri, options);
      const store = new MemoryStore();
      await new TokenSource(api, store, "ada").save(token);
      const user = new User(new TokenSource(api, store, "ada"), { ...options, timeout, freshFor });
      /** Returns the result or the error of a call, and its time. */
      const measure = async () => {
        const begun = performance.now();
        const result = await untilDone(user.getCurrentUser().catch((error: unknown) => error));
        return { result, time: performance.now() - begun };
      };
      return { fake, delays, measure };
    }

    test("on a platform that hangs, also the second and the third time", async () => {
      const { measure, delays } = await logInWithLimit(4000);
      delays.set("token", 60_000).set("@me", 60_000);
      for (let call = 1; call <= 3; call++) {
        const { result, time } = await measure();
        expect(result).toBeInstanceOf(NetworkError);
        expect(time).toBeLessThanOrEqual(4000);
      }
      delays.clear();
      // The process waits at most four seconds after three failures.
      await vi.advanceTimersByTimeAsync(4000);
      expect((await measure()).result).toMatchObject({ username: "ada" });
    });

    test.each([0, 5])("with a refresh and a request together, freshFor %i", async (freshFor) => {
      const { measure, delays } = await logInWithLimit(2000, { freshFor });
      delays.set("token", 1200).set("@me", 1200);
      const { result, time } = await measure();
      expect(result).toBeInstanceOf(TimeoutError);
      expect(time).toBe(2000);
      expect((await measure()).result).toMatchObject({ username: "ada" });
    });

    test("with a refresh that takes longer, and goes on for the next call", async () => {
      const { measure, delays, fake } = await logInWithLimit(2000, { apiTimeout: 10_000 });
      delays.set("token", 3000);
      const { result, time } = await measure();
      expect(result).toMatchObject({ message: "There was no valid token within 2000 ms" });
      expect(time).toBe(2000);
      expect(await measure()).toMatchObject({ result: { username: "ada" }, time: 1000 });
      expect(fake.requests.filter(({ path }) => path.endsWith("/token"))).toHaveLength(2);
    });

    test("and with the old token while that works, although its refresh hangs", async () => {
      const { measure, delays } = await logInWithLimit(2000, { age: 31 / 32 * week });
      delays.set("token", 60_000);
      expect(await measure()).toMatchObject({ result: { username: "ada" }, time: 1000 });
      delays.clear();
      expect(await measure()).toMatchObject({ result: { username: "ada" }, time: 0 });
    });

    test("with a 401 and a renewal together", async () => {
      const { measure, delays, fake } = await logInWithLimit(2000);
      await measure();
      fake.failNext({ path: "/users/@me", ...refused });
      delays.set("token", 900).set("@me", 900);
      const { result, time } = await measure();
      expect(result).toBeInstanceOf(TimeoutError);
      expect(time).toBe(2000);
    });

    test("except for a token that the platform has issued: then the request is not sent", async () => {
      const { fake } = await logIn();
      const source = {
        token: () => pause(2000).then(() => fake.issueToken({ scopes: ["identify"] })),
        renew: () => expect.fail(),
      } as unknown as TokenSource;
      useVirtualTime();
      const { length } = fake.requests;
      const user = new User(source, { ...fake, timeout: 2000 });
      const error = await untilDone(thrownBy(() => user.getCurrentUser()));
      expect(error).toBeInstanceOf(TimeoutError);
      expect(error).toMatchObject({
        message: expect.stringMatching(
          /^GET .*\/users\/@me was not sent: getting a token used up its timeout of 2000 ms$/,
        ),
        hint: "The token is saved; try again",
      });
      expect(fake.requests).toHaveLength(length);
    });
  });

  test("takes no tokenType Bot", async () => {
    const { source, fake } = await logIn();
    const create = () => new User(source, { ...fake, tokenType: "Bot" });
    expect(create).toThrow(TypeError);
    expect(create).toThrow(/^accessToken is a TokenSource/);
    expect(() => new User(source, { ...fake, tokenType: "Bearer" })).not.toThrow();
  });

  test("does not renew the token for a call that needs a bot", async () => {
    const { user, sent, token } = await logIn();
    expect(await thrownBy(() => user.getGuild("1200000000000000001")))
      .toMatchObject({ httpStatus: 401 });
    expect(await user.getCurrentUser()).toMatchObject({ username: "ada" });
    expect(linesOf(sent(), token.access_token).at(-1)).toBe("users/@me first");
    expect(sent()).toHaveLength(2);
  });

  test("whose new tokens are refused too sends one refresh and each token once, for all views of a page", async () => {
    const { api, fake, sent } = await logIn();
    const store = new MemoryStore();
    const token = fake.issueToken({ scopes: ["identify"] });
    await new TokenSource(api, store, "ada").save({
      ...await api.refresh(token.refresh_token ?? ""),
    });
    const before = sent().length;
    for (const _token of ["old", "new"]) fake.failNext({ path: "/users/@me", ...refused });
    for (let view = 0; view < 20; view++) {
      const user = new User(new TokenSource(api, store, "ada"), fake);
      expect(await thrownBy(() => user.getCurrentUser())).toMatchObject({ httpStatus: 401 });
    }
    expect(sent().slice(before).map(({ url }) => new URL(url).pathname.split("v10").at(-1)))
      .toEqual(["/users/@me", "/oauth2/token", "/users/@me"]);
  });
});
