import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  ApiError,
  generateState,
  LoginRequiredError,
  MemoryStore,
  NetworkError,
  OAuthError,
  PayloadError,
  PlatformApi,
  RateLimitError,
  sealed,
  type Store,
  StoreTimeoutError,
  TimeoutError,
  type TokenApi,
  type TokenObj,
  TokenSource,
} from "../../mod.ts";
import { thrownBy } from "../support/responders.ts";
import { deadlineIn, withTimeout } from "../../src/core/wait.ts";
import { leaksOf } from "../support/leaks.ts";
import { ModelPlatform, pause, tokenLifetimeMs } from "../support/model_platform.ts";

const key = "discord:1000000000000000001";
const minute = 60_000;

/** Shortly before a token is refreshed, however the times are spread, and shortly after. */
const beforeRefresh = tokenLifetimeMs - 901_000;
const whenDue = tokenLifetimeMs - 299_000;
/** After the token's end. */
const tooLate = tokenLifetimeMs + 1;

/** The error of a refresh for which no connection was made. */
const unreached = new NetworkError("refused", { mayHaveArrived: false });

/** The random number in the record of `logIn`: the token is due when 720 seconds of an hour are left. */
const jitter = 0.5;

/** A person after a login, and the processes of an application that share a store. */
async function logIn(changes: Partial<TokenObj> = {}) {
  const platform = new ModelPlatform();
  const store = new MemoryStore();
  const source = new TokenSource(platform, store, key);
  const token = platform.issue(changes);
  const random = vi.spyOn(Math, "random").mockReturnValue(jitter);
  await source.save(token);
  random.mockRestore();
  return { platform, store, source, token, another: () => new TokenSource(platform, store, key) };
}

/** The result or the error of a promise, while virtual time goes on. */
async function soon<Value>(promise: Promise<Value>, milliseconds = 2 * minute): Promise<Value> {
  const caught = promise.catch(() => {});
  await vi.advanceTimersByTimeAsync(milliseconds);
  await caught;
  return await promise;
}

/** The error of a promise, while virtual time goes on. */
function thrownSoon(call: () => Promise<unknown>, milliseconds?: number): Promise<unknown> {
  return thrownBy(() => soon(call(), milliseconds));
}

/** The duration of a promise, in milliseconds of virtual time. */
async function timeOf(promise: Promise<unknown>): Promise<number> {
  const begun = Date.now();
  let taken = Infinity;
  const settled = promise.catch(() => {}).then(() => taken = Date.now() - begun);
  await vi.advanceTimersByTimeAsync(2 * minute);
  await settled;
  return taken;
}

/** The stored value under the key, as text, so that a test can change it. */
async function recordIn(store: Store): Promise<{ lease: unknown; refused: boolean } | null> {
  const stored = await store.load(key);
  return stored && JSON.parse(JSON.stringify(stored.value));
}

/** A store in which some operations are others. */
function failing(
  store: Store,
  changes: { load?: () => unknown; save?: (value: unknown) => unknown },
): Store {
  return {
    load: async (name) => (await changes.load?.() ?? await store.load(name)) as never,
    async save(name, value, options) {
      const changed = await changes.save?.(value);
      return changed === undefined ? await store.save(name, value, options) : changed as never;
    },
    delete: (name) => store.delete(name),
  };
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("new TokenSource()", () => {
  const platform = new ModelPlatform();
  const store = new MemoryStore();

  test.each<[string, () => unknown]>([
    [
      "api must be a PlatformApi",
      () => new TokenSource(undefined as unknown as TokenApi, store, key),
    ],
    ["api must be a PlatformApi", () => new TokenSource({} as TokenApi, store, key)],
    ["store must be a Store", () => new TokenSource(platform, null as unknown as Store, key)],
    ["store must be a Store", () => new TokenSource(platform, {} as Store, key)],
    ["key must be a non-empty string", () => new TokenSource(platform, store, "")],
    [
      "key must be a non-empty string",
      () => new TokenSource(platform, store, undefined as unknown as string),
    ],
    [
      "refreshBefore must be a number of seconds",
      () => new TokenSource(platform, store, key, { refreshBefore: -1 }),
    ],
    [
      "refreshBefore must be a number of seconds",
      () => new TokenSource(platform, store, key, { refreshBefore: Infinity }),
    ],
    [
      "refreshBefore must be a number of seconds",
      () => new TokenSource(platform, store, key, { refreshBefore: "5m" as unknown as number }),
    ],
    ["options must be ", () => new TokenSource(platform, store, key, 300 as unknown as object)],
  ])("throws a TypeError that says: %s", (message, create) => {
    expect(create).toThrow(TypeError);
    expect(create).toThrow(new RegExp(`^${message}`));
  });

  test.each([undefined, null, {}, { refreshBefore: null }])("takes %j for options", (options) => {
    expect(() => new TokenSource(platform, store, key, options)).not.toThrow();
  });
});

describe("token()", () => {
  test("returns the saved token without a request", async () => {
    const { source, token, platform } = await logIn();
    expect(await source.token()).toEqual(token);
    expect(platform.sent).toEqual([]);
  });

  test("knows the scopes of a saved response of the platform", async () => {
    const source = new TokenSource(new ModelPlatform(), new MemoryStore(), key);
    const response = { access_token: "t0ken", token_type: "Bearer", scope: "identify guilds" };
    await source.save({ ...response, expires_in: 604800, refresh_token: "refresh" });
    expect(await source.token()).toMatchObject({
      scope: "identify guilds",
      scopes: ["identify", "guilds"],
      refresh_token: "refresh",
    });
  });

  test("returns a frozen token to another process, too", async () => {
    const { another, token } = await logIn();
    const found = await another().token(null);
    expect(found).toEqual(token);
    expect(Object.isFrozen(found)).toBe(true);
    expect(Object.isFrozen(found.scopes)).toBe(true);
  });

  test("returns a token that prints without its secrets, and has them in JSON", async () => {
    const { source, another, platform } = await logIn();
    await vi.advanceTimersByTimeAsync(tooLate);
    for (const process of [source, another()]) {
      const token = await soon(process.token(), 1000);
      expect(inspect(token)).not.toMatch(/access2|refresh2/);
      expect(JSON.parse(JSON.stringify(token))).toEqual(token);
    }
    expect(platform.sent).toHaveLength(1);
  });

  test("keeps no guild, webhook and id_token of the login", async () => {
    const { source, store } = await logIn({ id_token: "jwt", guild: { id: "7" } as never });
    expect(await source.token()).toMatchObject({ id_token: null, guild: null, webhook: null });
    expect(JSON.stringify(await recordIn(store))).not.toMatch(/jwt|"7"/);
  });

  test("keeps fields that this library does not know", async () => {
    const { source } = await logIn({ new_field: "kept" } as Partial<TokenObj>);
    expect(await source.token()).toMatchObject({ new_field: "kept" });
  });

  test("rejects without a login", async () => {
    const source = new TokenSource(new ModelPlatform(), new MemoryStore(), key);
    const error = await thrownBy(() => source.token());
    expect(error).toBeInstanceOf(LoginRequiredError);
    expect(error).toMatchObject({ reason: "no_token", code: "login_required" });
  });

  test.each([
    ["nothing", null],
    ["text", "access1"],
    ["a token alone", { access_token: "a", refresh_token: "r", expires_at: 1, scopes: [] }],
    ["a record without a token", { token: null, lease: null }],
    ["a token without its end", { token: { access_token: "a", scopes: [] }, lease: null }],
  ])("says that a value is unreadable that is not a record, and a login replaces it: %s", async (
    _what,
    value,
  ) => {
    const store = new MemoryStore();
    const platform = new ModelPlatform();
    await store.save(key, value, { version: null });
    const source = new TokenSource(platform, store, key);
    expect(await thrownBy(() => source.token())).toMatchObject({ reason: "unreadable" });
    const token = platform.issue();
    await source.save(token);
    expect(await source.token()).toEqual(token);
  });

  test("names a token unreadable after its secret is gone, and not missing", async () => {
    const { platform, store } = await logIn();
    const [oldSecret, newSecret] = [generateState(), generateState()];
    await store.delete(key);
    await new TokenSource(platform, sealed(store, oldSecret), key).save(platform.issue());
    const source = new TokenSource(platform, sealed(store, newSecret), key);
    expect(await thrownBy(() => source.token())).toMatchObject({ reason: "unreadable" });
    expect(await thrownBy(() => source.renew("access2"))).toMatchObject({ reason: "unreadable" });
    await source.save(platform.issue());
    expect((await source.token()).access_token).toBe("access3");
  });

  test("finds no token after a removal, also if the clock of the store is behind", async () => {
    const { platform, store, source } = await logIn();
    await soon(source.revoke());
    const late = failing(store, { load: () => ({ value: {}, version: "2" }) });
    const another = new TokenSource(platform, late, key);
    expect(await thrownBy(() => another.token())).toMatchObject({ reason: "no_token" });
  });

  test("does not need to know how long a token lived at first", async () => {
    const { source } = await logIn({ expires_in: null });
    await vi.advanceTimersByTimeAsync(whenDue);
    expect((await soon(source.token())).access_token).toBe("access2");
  });

  test("and renew() refuse an option that they do not know", async () => {
    const { source } = await logIn();
    const options: object = { sgnal: null };
    for (const call of [() => source.token(options), () => source.renew("access1", options)]) {
      expect(await thrownBy(call))
        .toEqual(new TypeError("options.sgnal is unknown: did you mean signal?"));
    }
  });

  test("begins anew after a search that has taken too long", async () => {
    const { source, platform } = await logIn();
    await vi.advanceTimersByTimeAsync(tooLate);
    platform.plan.push({ outcome: "never ends" });
    const error = await thrownSoon(() => source.token(), 10_000);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ message: "There was no valid token within 10000 ms" });
    await vi.advanceTimersByTimeAsync(11_000);
    expect(await thrownSoon(() => source.token())).toMatchObject({ reason: "refused" });
  });

  test("returns a token without a known end as it is", async () => {
    const { source, token, platform } = await logIn({ expires_at: null, expires_in: null });
    await vi.advanceTimersByTimeAsync(100 * tokenLifetimeMs);
    expect(await source.token()).toEqual(token);
    expect(platform.sent).toEqual([]);
  });
});

describe("A refresh", () => {
  test("comes in the last quarter of the lifetime, and not earlier", async () => {
    const { source, platform } = await logIn();
    await vi.advanceTimersByTimeAsync(beforeRefresh);
    expect((await source.token()).access_token).toBe("access1");
    await vi.advanceTimersByTimeAsync(900_000 * 0.4);
    expect((await soon(source.token())).access_token).toBe("access2");
    expect(platform.sent).toEqual(["refresh1"]);
  });

  test("comes at different times for tokens that were issued together", async () => {
    const platform = new ModelPlatform();
    const store = new MemoryStore();
    const people = Array.from({ length: 300 }, (_, i) => new TokenSource(platform, store, `${i}`));
    for (const person of people) await person.save(platform.issue());
    await vi.advanceTimersByTimeAsync(beforeRefresh);
    const perMinute: number[] = [];
    while (platform.sent.length < people.length) {
      const before = platform.sent.length;
      people.forEach((person) => void person.token().catch(() => {}));
      await vi.advanceTimersByTimeAsync(25_000);
      perMinute.push(platform.sent.length - before);
    }
    expect(perMinute.length).toBeGreaterThanOrEqual(12);
    expect(Math.max(...perMinute)).toBeLessThan(people.length / 8);
  });

  test("comes at the same time in all processes", async () => {
    const { source, another, store } = await logIn();
    const { jitter } = (await store.load(key))?.value as { jitter: number };
    await vi.advanceTimersByTimeAsync(tokenLifetimeMs - 900_000 * (1 - jitter * 0.4) - 10);
    for (const process of [source, another(), another()]) {
      expect((await process.token()).access_token).toBe("access1");
    }
    await vi.advanceTimersByTimeAsync(20);
    expect((await soon(another().token())).access_token).toBe("access2");
  });

  test.each([
    [3600, 0, 75],
    [3600, 600, 750],
    [604_800, 172_800, 216_000],
    [600, 300, 300],
    [60, 300, 30],
  ])(
    "of a token that lives %i s, with refreshBefore %i, comes not before its last %i s",
    async (expires_in, refreshBefore, lastSeconds) => {
      const platform = new ModelPlatform();
      const source = new TokenSource(platform, new MemoryStore(), key, { refreshBefore });
      await source.save(platform.issue({ expires_in, expires_at: Date.now() + expires_in * 1000 }));
      await vi.advanceTimersByTimeAsync((expires_in - lastSeconds) * 1000 - 1);
      await source.token();
      expect(platform.sent).toEqual([]);
      await vi.advanceTimersByTimeAsync(lastSeconds * 1000 * 0.81);
      await soon(source.token());
      expect(platform.sent).toEqual(["refresh1"]);
    },
  );

  test("with refreshBefore comes at different times for tokens that were issued together", async () => {
    const platform = new ModelPlatform();
    const options = { refreshBefore: 600 };
    const people = Array.from(
      { length: 40 },
      (_, i) => new TokenSource(platform, new MemoryStore(), `${i}`, options),
    );
    for (const person of people) await person.save(platform.issue());
    await vi.advanceTimersByTimeAsync(tokenLifetimeMs - 675_000);
    people.forEach((person) => void person.token().catch(() => {}));
    await vi.advanceTimersByTimeAsync(1000);
    expect(platform.sent.length).toBeGreaterThan(5);
    expect(platform.sent.length).toBeLessThan(35);
  });

  test("is sent once for all callers of one source", async () => {
    const { source, platform } = await logIn();
    await vi.advanceTimersByTimeAsync(tooLate);
    const tokens = await soon(Promise.all(Array.from({ length: 200 }, () => source.token())));
    expect(new Set(tokens.map(({ access_token }) => access_token))).toEqual(new Set(["access2"]));
    expect(platform.sent).toEqual(["refresh1"]);
  });

  test("reads and writes the store as often for many callers as for one", async () => {
    const { platform, store } = await logIn();
    let loads = 0;
    const counting = failing(store, { load: () => void loads++ });
    const source = new TokenSource(platform, counting, key);
    await Promise.all(Array.from({ length: 200 }, () => source.token()));
    expect(loads).toBe(1);
  });

  test("is sent once for all processes", async () => {
    const { another, platform } = await logIn();
    await vi.advanceTimersByTimeAsync(tooLate);
    const tokens = await soon(Promise.all(Array.from({ length: 50 }, () => another().token())));
    expect(new Set(tokens.map(({ access_token }) => access_token))).toEqual(new Set(["access2"]));
    expect(platform.sent).toEqual(["refresh1"]);
  });

  test("is saved before any caller has the token", async () => {
    const { platform, store } = await logIn();
    let isSaved = false;
    const slow: Store = {
      load: (name) => store.load(name),
      delete: (name) => store.delete(name),
      async save(name, value, options) {
        await pause(5000);
        const version = await store.save(name, value, options);
        isSaved = /access2/.test(JSON.stringify(value));
        return version;
      },
    };
    await vi.advanceTimersByTimeAsync(tooLate);
    const token = new TokenSource(platform, slow, key).token().then((given) => {
      expect(isSaved).toBe(true);
      return given;
    });
    expect((await soon(token)).access_token).toBe("access2");
  });

  test("lets everybody else use the old token as long as it works", async () => {
    const { source, another, platform } = await logIn();
    await vi.advanceTimersByTimeAsync(whenDue);
    platform.plan.push({ outcome: "works", wait: 4900 });
    const first = source.token();
    await vi.advanceTimersByTimeAsync(1000);
    expect((await source.token()).access_token).toBe("access1");
    expect((await another().token()).access_token).toBe("access1");
    expect((await soon(first)).access_token).toBe("access2");
    expect(platform.sent).toEqual(["refresh1"]);
  });

  test("does not keep those who asked before it began either", async () => {
    const { source, platform } = await logIn();
    await vi.advanceTimersByTimeAsync(whenDue);
    platform.plan.push({ outcome: "works", wait: 4900 });
    const [first, second] = [source.token(), source.token()];
    expect((await soon(second, 10)).access_token).toBe("access1");
    expect((await soon(first)).access_token).toBe("access2");
  });

  test("keeps no caller for longer than half of the time while the old token works, and goes on", async () => {
    const { source, another, platform } = await logIn();
    await vi.advanceTimersByTimeAsync(whenDue);
    platform.plan.push({ outcome: "works", wait: 9000 });
    const first = source.token();
    expect(await timeOf(first)).toBe(5000);
    expect((await first).access_token).toBe("access1");
    expect((await another().token()).access_token).toBe("access2");
    expect(platform.sent).toEqual(["refresh1"]);
  });

  test("lets everybody else wait when the old token has expired", async () => {
    const { source, another, platform } = await logIn();
    await vi.advanceTimersByTimeAsync(tooLate);
    platform.plan.push({ outcome: "works", wait: 9000 });
    const [first, second] = [source.token(), another().token()];
    expect((await soon(second)).access_token).toBe("access2");
    expect((await soon(first)).access_token).toBe("access2");
    expect(platform.sent).toEqual(["refresh1"]);
  });

  test("goes on when the caller who began it aborts", async () => {
    const { source, platform } = await logIn();
    await vi.advanceTimersByTimeAsync(tooLate);
    const controller = new AbortController();
    const aborted = thrownBy(() => source.token({ signal: controller.signal }));
    const waiting = source.token();
    await vi.advanceTimersByTimeAsync(50);
    controller.abort(new Error("The visitor has left"));
    expect(await aborted).toMatchObject({ message: "The visitor has left" });
    expect((await soon(waiting)).access_token).toBe("access2");
    expect(platform.sent).toEqual(["refresh1"]);
  });

  test("is saved although every caller has aborted", async () => {
    const { source, another, platform } = await logIn();
    await vi.advanceTimersByTimeAsync(tooLate);
    const controller = new AbortController();
    const calls = [1, 2].map(() => thrownBy(() => source.token({ signal: controller.signal })));
    await vi.advanceTimersByTimeAsync(50);
    controller.abort();
    await Promise.all(calls);
    await vi.advanceTimersByTimeAsync(1000);
    expect((await another().token()).access_token).toBe("access2");
    expect(platform.sent).toEqual(["refresh1"]);
  });

  test("is not begun for a caller who has aborted already", async () => {
    const { source, platform } = await logIn();
    await vi.advanceTimersByTimeAsync(tooLate);
    const signal = AbortSignal.abort(new Error("The visitor has left"));
    for (
      const call of [() => source.token({ signal }), () => source.renew("access1", { signal })]
    ) {
      expect(await thrownBy(call)).toMatchObject({ message: "The visitor has left" });
    }
    expect(platform.sent).toEqual([]);
  });
});

describe("A refresh that is refused", () => {
  test("for good ends in a login, and is not tried again", async () => {
    const { source, another, platform } = await logIn();
    await vi.advanceTimersByTimeAsync(tooLate);
    platform.plan.push({ outcome: new OAuthError("invalid_grant", { httpStatus: 400 }) });
    for (const process of [source, source, another()]) {
      const thrown = await thrownSoon(() => process.token());
      expect(thrown).toBeInstanceOf(LoginRequiredError);
      expect(thrown).toMatchObject({ reason: "refused" });
    }
    expect(platform.sent).toEqual(["refresh1"]);
  });

  test("is told as such for a day, however long after the end of the token it comes", async () => {
    const { source, another, platform } = await logIn();
    await vi.advanceTimersByTimeAsync(40 * 24 * 60 * minute);
    platform.removeApplication();
    expect(await thrownSoon(() => source.token(), 1000)).toMatchObject({ reason: "refused" });
    expect(await thrownBy(() => another().token())).toMatchObject({ reason: "refused" });
    await vi.advanceTimersByTimeAsync(24 * 60 * minute - 2000);
    expect(await thrownBy(() => another().token())).toMatchObject({ reason: "refused" });
    await vi.advanceTimersByTimeAsync(2000);
    expect(await thrownBy(() => another().token())).toMatchObject({ reason: "no_token" });
    expect(platform.sent).toEqual(["refresh1"]);
  });

  test("ends nothing before the first 401 to the old token", async () => {
    const { source, another, platform } = await logIn();
    await vi.advanceTimersByTimeAsync(whenDue);
    platform.plan.push({ outcome: new OAuthError("invalid_grant", { httpStatus: 400 }) });
    expect((await soon(source.token(), 1000)).access_token).toBe("access1");
    expect((await another().token()).access_token).toBe("access1");
    expect(await thrownBy(() => another().renew("access1"))).toMatchObject({ reason: "refused" });
    expect(platform.sent).toEqual(["refresh1"]);
  });

  test("leaves the old token in use to its end", async () => {
    const { source, platform } = await logIn();
    await vi.advanceTimersByTimeAsync(whenDue);
    platform.plan.push({ outcome: new OAuthError("invalid_grant", { httpStatus: 400 }) });
    expect((await soon(source.token(), 1000)).access_token).toBe("access1");
    expect((await soon(source.token(), 1000)).access_token).toBe("access1");
    await vi.advanceTimersByTimeAsync(5 * minute);
    expect(await thrownBy(() => source.token())).toMatchObject({ reason: "refused" });
    expect(platform.sent).toEqual(["refresh1"]);
  });

  test.each([
    ["an OAuth error", new OAuthError("invalid_client", { httpStatus: 401 })],
    ["an OAuth error about something else", new OAuthError("invalid_request", { httpStatus: 400 })],
    ["a response of the edge", new ApiError("blocked", { httpStatus: 403 })],
    ["no connection", unreached],
    ["503", new ApiError("down", { httpStatus: 503 })],
    ["503 with an OAuth error", new OAuthError("temporarily_unavailable", { httpStatus: 503 })],
  ])("for another reason, by %s, is thrown, and tried again at once", async (_what, outcome) => {
    const { source, platform } = await logIn();
    await vi.advanceTimersByTimeAsync(tooLate);
    platform.plan.push({ outcome });
    expect(await thrownSoon(() => source.token(), 1000)).toBe(outcome);
    expect((await soon(source.token(), 1000)).access_token).toBe("access2");
  });

  test.each([
    [new OAuthError("invalid_client", { httpStatus: 401 }), 60],
    [new ApiError("down", { httpStatus: 503 }), 60],
    [unreached, 60],
    [new RateLimitError("too many", { httpStatus: 429, retryAfter: 5 }), 60],
    [new RateLimitError("too many", { httpStatus: 429, retryAfter: 150 }), 150],
  ])(
    "for another reason is tried again after a pause while the old token works: %s",
    async (outcome, seconds) => {
      const { source, another, platform } = await logIn();
      await vi.advanceTimersByTimeAsync(whenDue);
      platform.plan.push({ outcome });
      expect((await soon(source.token(), 1000)).access_token).toBe("access1");
      await vi.advanceTimersByTimeAsync((seconds - 2) * 1000);
      expect((await another().token()).access_token).toBe("access1");
      expect(platform.sent).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(2000);
      expect((await soon(source.token(), 1000)).access_token).toBe("access2");
    },
  );
});

test("A refresh that the platform does not process is tried again after 1, 2, 4, 8, 16, 32, 60 and 60 minutes, whichever process asks", async () => {
  const { another, platform } = await logIn({
    expires_in: 168 * 3600,
    expires_at: Date.now() + 168 * 60 * minute,
  });
  await vi.advanceTimersByTimeAsync(158 * 60 * minute);
  const times: number[] = [];
  const begun = Date.now();
  while (times.length < 9) {
    platform.plan.push({ outcome: new ApiError("down", { httpStatus: 503 }), wait: 1 });
    const before = platform.sent.length;
    const asked = (Date.now() - begun) / minute;
    expect((await soon(another().token(), 10)).access_token).toBe("access1");
    if (platform.sent.length > before) times.push(Math.floor(asked));
    platform.plan.length = 0;
    await vi.advanceTimersByTimeAsync(minute / 2);
  }
  expect(times).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183]);
  await vi.advanceTimersByTimeAsync(60 * minute);
  expect((await soon(another().token(), 1000)).access_token).toBe("access2");
});

test("A pause that a refresh takes while the old token works ends with that token", async () => {
  const { source, platform } = await logIn();
  await vi.advanceTimersByTimeAsync(whenDue);
  for (let minutes = 0; minutes < 4; minutes++) {
    platform.plan.push({ outcome: unreached });
    await soon(source.token(), minute + 1000);
  }
  platform.plan.length = 0;
  expect(platform.sent).toHaveLength(3);
  expect((await soon(source.token(), 1000)).access_token).toBe("access2");
});

describe("A refresh that is limited", () => {
  test("is not tried again by any process before the time is over, though the token has expired", async () => {
    const { source, another, platform } = await logIn();
    await vi.advanceTimersByTimeAsync(tooLate);
    const limit = new RateLimitError("too many", { httpStatus: 429, retryAfter: 60 });
    platform.plan.push({ outcome: limit });
    expect(await thrownSoon(() => source.token(), 1000)).toBe(limit);
    const error = await thrownBy(() => another().token());
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ httpStatus: 429, retryAfter: 59.1 });
    expect(platform.sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(59_100);
    expect((await soon(another().token(), 1000)).access_token).toBe("access2");
  });

  test.each([[null, 5], [1e9, 600]])(
    "for %s s is tried again after %i s",
    async (retryAfter, seconds) => {
      const { source, platform } = await logIn();
      await vi.advanceTimersByTimeAsync(tooLate);
      const limit = new RateLimitError("too many", { httpStatus: 429, retryAfter });
      platform.plan.push({ outcome: limit });
      expect(await thrownSoon(() => source.token(), 100)).toBe(limit);
      await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
      expect(await thrownBy(() => source.token())).toBeInstanceOf(RateLimitError);
      await vi.advanceTimersByTimeAsync(1);
      expect((await soon(source.token(), 1000)).access_token).toBe("access2");
    },
  );

  test("while a clock was ahead is tried again once the clock is right", async () => {
    const { source, another, platform } = await logIn();
    vi.setSystemTime(Date.now() + tooLate);
    platform.plan.push({
      outcome: new RateLimitError("too many", { httpStatus: 429, retryAfter: 5 }),
    });
    await thrownSoon(() => source.token(), 100);
    vi.setSystemTime(Date.now() - tooLate);
    expect((await soon(another().renew("access1"), 1000)).access_token).toBe("access2");
  });

  test("does not keep other refreshes waiting after a clock was ahead", async () => {
    const { source, platform } = await logIn();
    vi.setSystemTime(Date.now() + 2 * tokenLifetimeMs);
    platform.plan.push({ outcome: unreached });
    await thrownSoon(() => source.token(), 100);
    vi.setSystemTime(Date.now() - 2 * tokenLifetimeMs + whenDue);
    expect((await soon(source.token(), 1000)).access_token).toBe("access2");
  });

  test("does not limit the token of a new login", async () => {
    const { source, platform } = await logIn();
    await vi.advanceTimersByTimeAsync(tooLate);
    const limit = new RateLimitError("too many", { httpStatus: 429, retryAfter: 60 });
    platform.plan.push({ outcome: limit });
    await thrownSoon(() => source.token(), 100);
    await source.save(platform.issue());
    expect((await source.token()).access_token).toBe("access2");
  });
});

describe("A refresh whose outcome is not known", () => {
  const unknown = [
    ["a connection that breaks", new NetworkError("cut")],
    ["a response that can't be read", new PayloadError("odd", { issues: [] })],
    ["500", new ApiError("odd", { httpStatus: 500 })],
    ["502", new ApiError("odd", { httpStatus: 502 })],
    ["504", new ApiError("odd", { httpStatus: 504 })],
    ["524", new ApiError("odd", { httpStatus: 524 })],
    ["5xx with an OAuth error", new OAuthError("server_error", { httpStatus: 500 })],
    ["408", new ApiError("late", { httpStatus: 408 })],
    ["an OAuth error that was not a response", new OAuthError("access_denied")],
    ["something else", new Error("odd")],
  ] as const;

  test.each(unknown)("leaves the old token in use to its end: %s", async (_what, outcome) => {
    const { source, another, platform } = await logIn();
    await vi.advanceTimersByTimeAsync(whenDue);
    platform.plan.push({ outcome });
    expect((await soon(source.token(), 1000)).access_token).toBe("access1");
    await vi.advanceTimersByTimeAsync(3 * minute);
    expect((await source.token()).access_token).toBe("access1");
    expect((await another().token()).access_token).toBe("access1");
    expect(platform.sent).toEqual(["refresh1"]);
  });

  test("is tried once more after the old token has ended, and succeeds if the platform did nothing", async () => {
    const { source, platform } = await logIn();
    await vi.advanceTimersByTimeAsync(whenDue);
    platform.plan.push({ outcome: "never arrives" });
    await soon(source.token(), 1000);
    await vi.advanceTimersByTimeAsync(5 * minute);
    expect((await soon(source.token(), 1000)).access_token).toBe("access2");
    expect(platform.sent).toEqual(["refresh1", "refresh1"]);
  });

  test("is tried once more before the person must log in", async () => {
    const { source, platform } = await logIn();
    await vi.advanceTimersByTimeAsync(whenDue);
    platform.plan.push({ outcome: "response is lost" });
    await soon(source.token(), 1000);
    await vi.advanceTimersByTimeAsync(5 * minute);
    const error = await thrownSoon(() => source.token(), 1000);
    expect(error).toMatchObject({ name: "LoginRequiredError", reason: "refused" });
    expect(platform.sent).toEqual(["refresh1", "refresh1"]);
  });

  test.each(unknown)(
    "is thrown when the old token has expired, and tried again at once by whoever asks next: %s",
    async (_what, outcome) => {
      const { source, another, platform } = await logIn();
      await vi.advanceTimersByTimeAsync(tooLate);
      platform.plan.push({ outcome }, { outcome });
      expect(await thrownSoon(() => source.token(), 1000)).toBe(outcome);
      expect(await thrownSoon(() => another().token(), 1000)).toBe(outcome);
      expect(await timeOf(another().token())).toBe(100);
      expect(platform.sent).toEqual(["refresh1", "refresh1", "refresh1"]);
    },
  );

  test("needs no wait at the end of the old token either", async () => {
    const { source, another, platform } = await logIn();
    await vi.advanceTimersByTimeAsync(tokenLifetimeMs - minute - 200);
    platform.plan.push({ outcome: "never arrives" });
    await soon(source.token(), 200);
    expect(await timeOf(another().token())).toBe(100);
    expect((await source.token()).access_token).toBe("access2");
  });

  test("is over for a process that has just begun to watch when lease and clock difference are over", async () => {
    const { source, another, platform } = await logIn();
    await vi.advanceTimersByTimeAsync(tooLate);
    platform.plan.push({ outcome: "never ends" });
    void source.token().catch(() => {});
    await vi.advanceTimersByTimeAsync(20_000 + minute);
    expect(await thrownSoon(() => another().token(), 200)).toMatchObject({ reason: "refused" });
  });

  test.each([
    ["one source", (another: () => TokenSource) => {
      const source = another();
      return () => source;
    }],
    ["a source for each request", (another: () => TokenSource) => another],
  ])(
    "is over for a process with %s when the lease has lasted, whatever the clocks say",
    async (_, sourcesOf) => {
      const { source, another, platform } = await logIn();
      await vi.advanceTimersByTimeAsync(tooLate + 10 * minute);
      platform.plan.push({ outcome: "never ends" });
      void source.token().catch(() => {});
      await vi.advanceTimersByTimeAsync(10);
      vi.setSystemTime(Date.now() - 10 * minute);
      const nextSource = sourcesOf(another);
      const askUntilRefused = async (calls = 1): Promise<void> => {
        const error = await thrownBy(() => nextSource().token());
        if (error instanceof TimeoutError && calls < 5) await askUntilRefused(calls + 1);
      };
      const time = await timeOf(askUntilRefused());
      expect(time).toBeGreaterThan(20_000);
      expect(time).toBeLessThan(23_000);
      expect(platform.sent).toHaveLength(2);
    },
  );
});

describe("A process that ends while it refreshes", () => {
  test("does not keep the others from the old token, nor from a new one when that has expired", async () => {
    const { source, another, platform } = await logIn();
    await vi.advanceTimersByTimeAsync(whenDue);
    platform.plan.push({ outcome: "never ends" });
    void source.token().catch(() => {});
    await vi.advanceTimersByTimeAsync(minute);
    const survivor = another();
    expect((await survivor.token()).access_token).toBe("access1");
    await vi.advanceTimersByTimeAsync(5 * minute);
    expect(await thrownSoon(() => survivor.token())).toMatchObject({ reason: "refused" });
    expect(platform.sent).toHaveLength(2);
  });

  test("holds up a caller for no longer than the time limit", async () => {
    const { source, another, platform } = await logIn();
    await vi.advanceTimersByTimeAsync(tooLate);
    platform.plan.push({ outcome: "never ends" }, { outcome: "never ends" });
    void source.token().catch(() => {});
    await vi.advanceTimersByTimeAsync(10);
    const [second, third] = [another(), another()];
    const thrown = [second, third].map((waiting) => thrownBy(() => waiting.token()));
    expect(await timeOf(Promise.all(thrown))).toBe(10_000);
    for (const error of await Promise.all(thrown)) {
      expect(error).toBeInstanceOf(TimeoutError);
      expect(error).toMatchObject({ message: "There was no valid token within 10000 ms" });
    }
    expect(platform.sent).toHaveLength(1);
  });
});

test("A record that another version of this library has written is read as far as it can be", async () => {
  const platform = new ModelPlatform();
  const store = new MemoryStore();
  const odd = { lease: { id: "1" }, refused: "no", pause: "5 s", renewedAt: "now", jitter: "much" };
  await store.save(key, { token: platform.issue(), ...odd }, { version: null });
  const source = new TokenSource(platform, store, key);
  expect((await source.token()).access_token).toBe("access1");
  await vi.advanceTimersByTimeAsync(tooLate);
  expect((await soon(source.token(), 1000)).access_token).toBe("access2");
  expect((await soon(source.renew("access2"), 1000)).access_token).toBe("access3");
});

describe("renew()", () => {
  test("refreshes a token that the platform does not accept, for all processes", async () => {
    const { source, another, platform, token } = await logIn();
    expect((await soon(source.renew(token))).access_token).toBe("access2");
    expect((await soon(another().renew("access1"))).access_token).toBe("access2");
    expect(platform.sent).toEqual(["refresh1"]);
  });

  test("refreshes once, however many callers were refused", async () => {
    const { source, another, platform } = await logIn();
    const calls = [source, another()].flatMap((process) =>
      Array.from({ length: 100 }, () => process.renew("access1"))
    );
    for (const { access_token } of await soon(Promise.all(calls))) {
      expect(access_token).toBe("access2");
    }
    expect(platform.sent).toEqual(["refresh1"]);
  });

  test("waits for a refresh that is under way, instead of using the old token meanwhile", async () => {
    const { source, platform } = await logIn();
    await vi.advanceTimersByTimeAsync(whenDue);
    const token = source.token();
    await vi.advanceTimersByTimeAsync(50);
    expect((await soon(source.renew("access1"))).access_token).toBe("access2");
    expect((await token).access_token).toBe("access2");
    expect(platform.sent).toEqual(["refresh1"]);
  });

  test("does not take the old token from a refresh that failed, but waits for the next one", async () => {
    const { source, platform } = await logIn();
    await vi.advanceTimersByTimeAsync(whenDue);
    platform.plan.push({ outcome: "never arrives" });
    const token = source.token();
    await vi.advanceTimersByTimeAsync(50);
    const renewed = source.renew("access1");
    expect((await soon(token, 100)).access_token).toBe("access1");
    expect((await soon(renewed)).access_token).toBe("access2");
    expect(platform.sent).toEqual(["refresh1", "refresh1"]);
  });

  test("returns the same token in the ten minutes after a refresh, since the 401 has another reason", async () => {
    const { source, another, platform } = await logIn();
    await soon(source.renew("access1"), 1000);
    for (const process of [source, another()]) {
      expect((await process.renew("access2")).access_token).toBe("access2");
    }
    await vi.advanceTimersByTimeAsync(10 * minute);
    expect((await soon(source.renew("access2"))).access_token).toBe("access3");
    expect(platform.sent).toEqual(["refresh1", "refresh2"]);
  });

  test("refreshes a token that was renewed while a clock was ahead", async () => {
    const { source, platform } = await logIn();
    vi.setSystemTime(Date.now() + 30 * minute);
    await soon(source.renew("access1"), 1000);
    vi.setSystemTime(Date.now() - 25 * minute);
    expect((await soon(source.renew("access2"))).access_token).toBe("access3");
    expect(platform.sent).toEqual(["refresh1", "refresh2"]);
  });

  test("rejects when the token can't be refreshed", async () => {
    const { source } = await logIn({ refresh_token: null });
    expect(await thrownBy(() => source.renew("access1")))
      .toMatchObject({ name: "LoginRequiredError", reason: "no_refresh_token" });
  });

  test("rejects when the person has removed the application", async () => {
    const { source, platform } = await logIn();
    platform.removeApplication();
    expect(await thrownSoon(() => source.renew("access1"))).toMatchObject({ reason: "refused" });
    expect(await thrownSoon(() => source.token())).toMatchObject({ reason: "refused" });
    expect(platform.sent).toHaveLength(1);
  });

  test("throws the error of a failed refresh, although the token has not expired", async () => {
    const { source, platform } = await logIn();
    platform.plan.push({ outcome: "never arrives" });
    expect(await thrownSoon(() => source.renew("access1"), 1000)).toBeInstanceOf(NetworkError);
    expect((await soon(source.token())).access_token).toBe("access2");
  });

  test("reads the store once if the token stays the same", async () => {
    const { platform, store } = await logIn();
    let loads = 0;
    const source = new TokenSource(platform, failing(store, { load: () => void loads++ }), key);
    await soon(source.renew("access1"), 1000);
    loads = 0;
    await source.renew("access2");
    expect(loads).toBe(1);
  });

  test("reads the store as often for many callers as for one", async () => {
    const loadsOf = async (callers: number): Promise<number> => {
      const { platform, store } = await logIn();
      let loads = 0;
      const source = new TokenSource(platform, failing(store, { load: () => void loads++ }), key);
      await soon(Promise.all(Array.from({ length: callers }, () => source.renew("access1"))));
      return loads;
    };
    expect(await loadsOf(100)).toBe(await loadsOf(1));
  });

  test("waits no longer for two refreshes than for one", async () => {
    const { source, platform } = await logIn();
    await vi.advanceTimersByTimeAsync(whenDue);
    platform.plan.push({ outcome: "never arrives" }, { outcome: "never ends" });
    void source.token();
    await vi.advanceTimersByTimeAsync(50);
    expect(await timeOf(source.renew("access1"))).toBe(10_000);
  });

  test.each([undefined, null, "", 1, {}])(
    "throws a TypeError about a wrong token: %j",
    async (token) => {
      const { source } = await logIn();
      const error = await thrownBy(() => source.renew(token as string));
      expect(error).toBeInstanceOf(TypeError);
      expect(error).toMatchObject({ message: expect.stringMatching(/^rejected must be/) });
    },
  );
});

describe("A token without refresh token", () => {
  test("is used to its end, and then ends in a login", async () => {
    const { source, platform, another } = await logIn({ refresh_token: null });
    await vi.advanceTimersByTimeAsync(whenDue);
    expect((await source.token()).access_token).toBe("access1");
    await vi.advanceTimersByTimeAsync(5 * minute);
    const error = await thrownBy(() => another().token());
    expect(error).toMatchObject({ name: "LoginRequiredError", reason: "no_refresh_token" });
    expect(platform.sent).toEqual([]);
  });

  test("is forgotten by the store a day after its end", async () => {
    const { source } = await logIn({ refresh_token: null });
    await vi.advanceTimersByTimeAsync(tokenLifetimeMs + 24 * 60 * minute - 1);
    expect(await thrownBy(() => source.token())).toMatchObject({ reason: "no_refresh_token" });
    await vi.advanceTimersByTimeAsync(1);
    expect(await thrownBy(() => source.token())).toMatchObject({ reason: "no_token" });
  });

  test("is not forgotten when its end is not known", async () => {
    const { source } = await logIn({ refresh_token: null, expires_at: null });
    await vi.advanceTimersByTimeAsync(1000 * tokenLifetimeMs);
    expect((await source.token()).access_token).toBe("access1");
  });
});

test("A token that can be refreshed is never forgotten by the store", async () => {
  const { source } = await logIn();
  await vi.advanceTimersByTimeAsync(10_000 * tokenLifetimeMs);
  expect((await soon(source.token())).access_token).toBe("access2");
});

describe("save()", () => {
  test("replaces a token that was refused", async () => {
    const { source, another, platform } = await logIn();
    platform.removeApplication();
    await thrownSoon(() => source.renew("access1"));
    await source.save(platform.issue());
    expect((await another().token()).access_token).toBe("access2");
  });

  test("counts more than a refresh that is under way", async () => {
    const { source, another, platform } = await logIn();
    await vi.advanceTimersByTimeAsync(tooLate);
    const refreshed = source.token();
    await vi.advanceTimersByTimeAsync(99);
    const login = platform.issue({ access_token: "login" });
    await another().save(login);
    expect((await soon(refreshed)).access_token).toBe("login");
    expect((await another().token()).access_token).toBe("login");
  });

  test("counts more than a refresh that is under way also when the access token is the same", async () => {
    const { source, another, platform, token } = await logIn();
    await vi.advanceTimersByTimeAsync(tooLate);
    const refreshed = source.token();
    await vi.advanceTimersByTimeAsync(99);
    const { refresh_token } = platform.issue();
    await another().save({ ...token, refresh_token, expires_at: null });
    expect(await soon(refreshed)).toMatchObject({ refresh_token });
    expect(await another().token()).toMatchObject({ refresh_token });
  });

  test("tries again when another process saves at the same time", async () => {
    const { platform, another } = await logIn();
    const tokens = [1, 2, 3].map(() => platform.issue());
    await soon(Promise.all(tokens.map((token) => another().save(token))));
    expect(["access2", "access3", "access4"]).toContain((await another().token()).access_token);
  });

  test("ends when the store never takes it", async () => {
    const { platform, store } = await logIn();
    const source = new TokenSource(platform, failing(store, { save: () => null }), key);
    const error = await thrownSoon(() => source.save(platform.issue()));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ message: "The token was not saved within 10000 ms" });
  });

  test.each([undefined, null, "access1", {}, { access_token: "" }])(
    "throws a TypeError about a wrong token, and keeps the old one: %j",
    async (token) => {
      const { source, another } = await logIn();
      const error = await thrownBy(() => source.save(token as TokenObj));
      expect(error).toBeInstanceOf(TypeError);
      expect(String(error)).toMatch(/^TypeError: token/);
      expect((await another().token()).access_token).toBe("access1");
    },
  );

  test("takes the platform's response, and refreshes its token in time", async () => {
    const { source, platform, another } = await logIn();
    const { access_token, refresh_token } = platform.issue();
    const week = 7 * 24 * 60 * 60;
    const response = { access_token, refresh_token, token_type: "Bearer", expires_in: week };
    await source.save({ ...response, scope: "identify guilds" });
    const { scopes, expires_at } = await another().token();
    expect(scopes).toEqual(["identify", "guilds"]);
    expect(expires_at).toBe(Date.now() + week * 1000);
    expect(platform.sent).toEqual([]);
    vi.setSystemTime(Date.now() + week * 1000);
    expect((await soon(another().token())).access_token).toBe("access3");
    expect(platform.sent).toEqual([refresh_token]);
  });

  test("uses a token without a known end until the platform rejects it", async () => {
    const { source, platform, another } = await logIn();
    const { access_token, refresh_token } = platform.issue();
    await source.save({ access_token, refresh_token });
    await vi.advanceTimersByTimeAsync(tooLate);
    expect((await another().token()).access_token).toBe("access2");
    expect((await soon(another().renew("access2"))).access_token).toBe("access3");
    expect(platform.sent).toEqual([refresh_token]);
  });

  test("takes the times of a TokenObj as they are, also early in a test's virtual time", async () => {
    vi.setSystemTime(0);
    const { another } = await logIn();
    expect(await another().token()).toMatchObject({ expires_at: tokenLifetimeMs });
  });

  test("does not freeze the caller's token", async () => {
    const { source, token } = await logIn();
    const restored = JSON.parse(JSON.stringify(token)) as TokenObj;
    await source.save(restored);
    expect(Object.isFrozen(restored)).toBe(false);
    expect(Object.isFrozen(restored.scopes)).toBe(false);
  });
});

describe("revoke()", () => {
  test("revokes at the platform, then removes the token from the store", async () => {
    const { source, another, platform, store } = await logIn();
    const revoked = source.revoke();
    await vi.advanceTimersByTimeAsync(50);
    expect(await store.load(key)).not.toBeNull();
    await soon(revoked);
    expect(platform.revoked).toEqual(["access1"]);
    expect(await store.load(key)).toBeNull();
    expect(await thrownBy(() => another().token())).toMatchObject({ reason: "no_token" });
  });

  test("has no effect when there is no token", async () => {
    const platform = new ModelPlatform();
    await new TokenSource(platform, new MemoryStore(), key).revoke();
    expect(platform.revoked).toEqual([]);
  });

  test("waits for a refresh that is under way, and revokes the new token", async () => {
    const { source, another, platform, store } = await logIn();
    await vi.advanceTimersByTimeAsync(tooLate);
    const token = source.token();
    await vi.advanceTimersByTimeAsync(50);
    await soon(another().revoke());
    expect((await token).access_token).toBe("access2");
    expect(platform.revoked).toEqual(["access2"]);
    expect(await store.load(key)).toBeNull();
  });

  test("does not wait for a process that has ended for longer than its lease lasts", async () => {
    const { source, another, platform } = await logIn();
    await vi.advanceTimersByTimeAsync(tooLate);
    platform.plan.push({ outcome: "never ends" });
    void source.token().catch(() => {});
    await vi.advanceTimersByTimeAsync(10);
    expect(await timeOf(another().revoke())).toBeLessThan(23_000);
    expect(platform.revoked).toEqual(["access1"]);
  });

  test("lets no process refresh meanwhile", async () => {
    const { source, another, platform } = await logIn();
    await vi.advanceTimersByTimeAsync(tooLate);
    const revoked = source.revoke();
    await vi.advanceTimersByTimeAsync(50);
    const error = await thrownSoon(() => another().token());
    expect(error).toMatchObject({ reason: "no_token" });
    await revoked;
    expect(platform.sent).toEqual([]);
  });

  test("leaves the token in the store when the platform can't be reached, and can be tried again", async () => {
    const { source, platform, store } = await logIn();
    const cut = new NetworkError("cut");
    vi.spyOn(platform, "revoke").mockRejectedValueOnce(cut);
    expect(await thrownSoon(() => source.revoke(), 1000)).toBe(cut);
    expect((await source.token()).access_token).toBe("access1");
    expect(await timeOf(source.revoke())).toBe(100);
    expect(await store.load(key)).toBeNull();
  });

  test("leaves a doubtful refresh doubtful when it fails, so that the refresh token is not sent again", async () => {
    const { source, another, platform } = await logIn();
    await vi.advanceTimersByTimeAsync(whenDue);
    platform.plan.push({ outcome: "response is lost" });
    await soon(source.token(), 1000);
    const cut = new NetworkError("cut");
    vi.spyOn(platform, "revoke").mockRejectedValueOnce(cut);
    expect(await thrownSoon(() => source.revoke(), 1000)).toBe(cut);
    expect((await soon(another().token(), 1000)).access_token).toBe("access1");
    expect(platform.sent).toEqual(["refresh1"]);
  });

  test("leaves a login that was saved meanwhile", async () => {
    const { source, another, platform } = await logIn();
    const revoked = source.revoke();
    await vi.advanceTimersByTimeAsync(50);
    await another().save(platform.issue({ access_token: "login" }));
    await soon(revoked);
    expect((await another().token()).access_token).toBe("login");
  });

  test.each(["load", "save", "delete"] as const)(
    "leaves a login that was saved while a %s of the store was on its way",
    async (slow) => {
      const { platform, store } = await logIn();
      const on = async (operation: string) => {
        if (operation === slow) await pause(20);
      };
      const far: Store = {
        load: (name) => on("load").then(() => store.load(name)),
        save: (...given) => on("save").then(() => store.save(...given)),
        delete: (name) => on("delete").then(() => store.delete(name)),
      };
      const revoked = new TokenSource(platform, far, key).revoke();
      while (platform.revoked.length === 0) await vi.advanceTimersByTimeAsync(10);
      await vi.advanceTimersByTimeAsync(10);
      await new TokenSource(platform, store, key).save(platform.issue({ access_token: "login" }));
      await soon(revoked);
      const { access_token } = await new TokenSource(platform, store, key).token();
      expect(access_token).toBe("login");
    },
  );

  test("tries again when the store does not take its lease at first", async () => {
    const { platform, store } = await logIn();
    let refusals = 1;
    const save = () => refusals-- > 0 ? null : undefined;
    await soon(new TokenSource(platform, failing(store, { save }), key).revoke());
    expect(platform.revoked).toEqual(["access1"]);
  });

  test("ends when the store never takes its lease", async () => {
    const { platform, store } = await logIn();
    const source = new TokenSource(platform, failing(store, { save: () => null }), key);
    const error = await thrownSoon(() => source.revoke());
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ message: "The token was not revoked within 30000 ms" });
  });

  test("tries again when another process has changed the record meanwhile", async () => {
    const { source, another, platform, store } = await logIn();
    await soon(Promise.all([source.revoke(), another().revoke()]));
    expect(platform.revoked).toEqual(["access1"]);
    expect(await store.load(key)).toBeNull();
  });
});

test("A refresh that a logout overtakes ends in a login, and revokes nothing", async () => {
  const { source, platform, store } = await logIn();
  await vi.advanceTimersByTimeAsync(tooLate);
  const token = source.token();
  await vi.advanceTimersByTimeAsync(50);
  await store.delete(key);
  expect(await thrownSoon(() => token)).toMatchObject({ reason: "no_token" });
  expect(await store.load(key)).toBeNull();
  expect(platform.revoked).toEqual([]);
});

describe("A store that fails", () => {
  const broken = new Error("The store is down");

  /** A store that is down as long as `isDown` says so. */
  async function logInWithBadStore() {
    const { platform, store, token } = await logIn();
    const state = { isDown: (_value?: unknown): boolean => false };
    const fail = (value?: unknown) => {
      if (state.isDown(value)) throw broken;
    };
    const bad = failing(store, { load: fail, save: fail });
    return { platform, store, token, state, source: new TokenSource(platform, bad, key) };
  }

  test("rejects the call with its own error", async () => {
    const { source, state } = await logInWithBadStore();
    state.isDown = () => true;
    for (const call of [() => source.token(), () => source.revoke()]) {
      expect(await thrownSoon(call)).toBe(broken);
    }
  });

  test("at the lease leaves the old token in use as long as it works", async () => {
    const { source, state, platform } = await logInWithBadStore();
    state.isDown = (value) => value !== undefined;
    await vi.advanceTimersByTimeAsync(whenDue);
    expect((await source.token()).access_token).toBe("access1");
    await vi.advanceTimersByTimeAsync(5 * minute);
    expect(await thrownBy(() => source.token())).toBe(broken);
    expect(platform.sent).toEqual([]);
  });

  test("at a new token is tried again", async () => {
    const { source, state, platform, store } = await logInWithBadStore();
    await vi.advanceTimersByTimeAsync(tooLate);
    const token = source.token();
    await vi.advanceTimersByTimeAsync(50);
    state.isDown = () => true;
    await vi.advanceTimersByTimeAsync(1000);
    state.isDown = () => false;
    expect((await soon(token)).access_token).toBe("access2");
    expect((await new TokenSource(platform, store, key).token()).access_token).toBe("access2");
  });

  test("for longer does not cost the new token: this process uses it, and saves it later", async () => {
    const { source, state, platform, store } = await logInWithBadStore();
    await vi.advanceTimersByTimeAsync(tooLate);
    const token = source.token();
    await vi.advanceTimersByTimeAsync(50);
    state.isDown = () => true;
    expect((await soon(token)).access_token).toBe("access2");
    expect((await soon(source.token())).access_token).toBe("access2");
    expect(platform.sent).toEqual(["refresh1"]);
    state.isDown = () => false;
    expect((await soon(source.token())).access_token).toBe("access2");
    expect((await new TokenSource(platform, store, key).token()).access_token).toBe("access2");
  });

  test("for longer does not let another process's refusal count more than the new token", async () => {
    const { source, state, platform, store } = await logInWithBadStore();
    await vi.advanceTimersByTimeAsync(tooLate);
    const token = source.token();
    await vi.advanceTimersByTimeAsync(50);
    state.isDown = () => true;
    expect((await soon(token)).access_token).toBe("access2");
    const other = new TokenSource(platform, store, key);
    expect(await thrownSoon(() => other.token())).toMatchObject({ reason: "refused" });
    state.isDown = () => false;
    expect((await soon(source.token())).access_token).toBe("access2");
    expect((await other.token()).access_token).toBe("access2");
  });

  test("at a new token does not let it replace a login that is saved meanwhile", async () => {
    const { source, state, platform, store } = await logInWithBadStore();
    await vi.advanceTimersByTimeAsync(tooLate);
    const token = source.token();
    await vi.advanceTimersByTimeAsync(50);
    state.isDown = () => true;
    await vi.advanceTimersByTimeAsync(500);
    state.isDown = () => false;
    await source.save(platform.issue({ access_token: "login" }));
    expect((await soon(token)).access_token).toBe("login");
    expect((await new TokenSource(platform, store, key).token()).access_token).toBe("login");
  });

  test("after a new login does not bring back the token that it did not take", async () => {
    const { source, state, platform } = await logInWithBadStore();
    await vi.advanceTimersByTimeAsync(tooLate);
    const token = source.token();
    await vi.advanceTimersByTimeAsync(50);
    state.isDown = () => true;
    expect((await soon(token)).access_token).toBe("access2");
    state.isDown = () => false;
    await source.save(platform.issue({ access_token: "login" }));
    state.isDown = () => true;
    expect(await thrownSoon(() => source.token())).toBe(broken);
  });

  test("after a logout does not bring back the token that it did not take", async () => {
    const { source, state, store } = await logInWithBadStore();
    await vi.advanceTimersByTimeAsync(tooLate);
    const token = source.token();
    await vi.advanceTimersByTimeAsync(50);
    state.isDown = () => true;
    expect((await soon(token)).access_token).toBe("access2");
    state.isDown = () => false;
    await store.delete(key);
    expect(await thrownSoon(() => source.token())).toMatchObject({ reason: "no_token" });
    expect(await store.load(key)).toBeNull();
  });

  test("at a refusal does not let the refresh token be sent again by this process", async () => {
    const { source, state, platform } = await logInWithBadStore();
    platform.removeApplication();
    await vi.advanceTimersByTimeAsync(tooLate);
    const token = thrownBy(() => source.token());
    await vi.advanceTimersByTimeAsync(50);
    state.isDown = () => true;
    expect(await soon(token)).toMatchObject({ reason: "refused" });
    state.isDown = () => false;
    expect(await thrownSoon(() => source.token())).toMatchObject({ reason: "refused" });
    expect(platform.sent).toEqual(["refresh1"]);
  });

  test("at giving a lease back changes nothing for the caller", async () => {
    const { source, state, platform } = await logInWithBadStore();
    await vi.advanceTimersByTimeAsync(tooLate);
    const refusal = new OAuthError("invalid_client", { httpStatus: 401 });
    platform.plan.push({ outcome: refusal });
    const thrown = thrownBy(() => source.token());
    await vi.advanceTimersByTimeAsync(50);
    state.isDown = () => true;
    expect(await soon(thrown)).toBe(refusal);
  });

  test("after it has saved a record loses nothing", async () => {
    const { platform, store } = await logIn();
    let isFirst = true;
    const forgetful: Store = {
      load: (name) => store.load(name),
      delete: (name) => store.delete(name),
      async save(name, value, options) {
        const version = await store.save(name, value, options);
        if (!/access2/.test(JSON.stringify(value)) || !isFirst) return version;
        isFirst = false;
        throw broken;
      },
    };
    await vi.advanceTimersByTimeAsync(tooLate);
    const source = new TokenSource(platform, forgetful, key);
    expect((await soon(source.token())).access_token).toBe("access2");
    expect((await new TokenSource(platform, store, key).token()).access_token).toBe("access2");
    expect(platform.sent).toEqual(["refresh1"]);
  });

  test("that never responds holds up no call for longer, also not a later one", async () => {
    const { source, state } = await logInWithBadStore();
    let isHanging = true;
    state.isDown = () => false;
    const { platform, store } = await logIn();
    const hanging = failing(store, {
      load: () => isHanging ? new Promise(() => {}) : undefined,
    });
    const held = new TokenSource(platform, hanging, key);
    const [first, second] = [held.token(), held.token()].map((token) => thrownBy(() => token));
    expect(await timeOf(Promise.all([first, second]))).toBe(10_000);
    expect(await first).toBeInstanceOf(StoreTimeoutError);
    isHanging = false;
    expect((await held.token()).access_token).toBe("access1");
    expect((await source.token()).access_token).toBe("access1");
  });

  test.each(["load", "save", "removal"] as const)(
    "without a response to a %s does not hold up save and revoke, which can be called again",
    async (operation) => {
      const { platform, store } = await logIn();
      let isHanging = true;
      const unlessHanging = <Value>(name: string, run: () => Promise<Value>): Promise<Value> =>
        isHanging && name === operation ? new Promise(() => {}) : run();
      const hanging: Store = {
        load: (name) => unlessHanging("load", () => store.load(name)),
        save: (name, value, options) =>
          unlessHanging(
            Object(value).token ? "save" : "removal",
            () => store.save(name, value, options),
          ),
        delete: (name) => store.delete(name),
      };
      const held = new TokenSource(platform, hanging, key);
      const calls = operation === "removal"
        ? [() => held.revoke()]
        : [() => held.save(platform.issue()), () => held.revoke()];
      const outcomes = calls.map((call) => thrownBy(call));
      expect(await timeOf(Promise.all(outcomes))).toBeLessThanOrEqual(10_500);
      for (const thrown of await Promise.all(outcomes)) {
        expect(thrown).toBeInstanceOf(StoreTimeoutError);
      }
      // A revocation that is not known to be under way by everybody is not sent.
      expect(platform.revoked).toHaveLength(operation === "removal" ? 1 : 0);
      isHanging = false;
      await soon(held.revoke());
      expect(await store.load(key)).toBeNull();
    },
  );

  test("that never responds to a new token leaves it to the waiting callers, and saves it later", async () => {
    const { platform, store } = await logIn();
    let isHanging = true;
    const hanging = failing(store, {
      save: (value) =>
        isHanging && /access2/.test(JSON.stringify(value)) ? new Promise(() => {}) : undefined,
    });
    await vi.advanceTimersByTimeAsync(tooLate);
    const held = new TokenSource(platform, hanging, key);
    expect((await soon(held.token(), 15_000)).access_token).toBe("access2");
    isHanging = false;
    expect((await soon(held.token())).access_token).toBe("access2");
    expect((await new TokenSource(platform, store, key).token()).access_token).toBe("access2");
    expect(platform.sent).toEqual(["refresh1"]);
  });

  test("by failing only after it was given up does not cost the new token, whoever asks next", async () => {
    const { platform, store } = await logIn();
    let isDown = true;
    const failingLate = failing(store, {
      async save(value) {
        if (!isDown || !/access2/.test(JSON.stringify(value))) return;
        isDown = false;
        await pause(12_000);
        throw broken;
      },
    });
    await vi.advanceTimersByTimeAsync(tooLate);
    const token = new TokenSource(platform, failingLate, key).token();
    expect((await soon(token, 15_000)).access_token).toBe("access2");
    const next = new TokenSource(platform, store, key).token();
    expect((await soon(next)).access_token).toBe("access2");
    expect(platform.sent).toEqual(["refresh1"]);
  });

  test("by being slow does not let a refresh begin that would outlast its lease", async () => {
    const { platform, store } = await logIn();
    let wait = 5100;
    const slow = failing(store, { save: async () => void await pause(wait) });
    await vi.advanceTimersByTimeAsync(whenDue);
    const source = new TokenSource(platform, slow, key);
    expect((await soon(source.token(), 20_000)).access_token).toBe("access1");
    expect(platform.sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(5 * minute);
    expect(await thrownSoon(() => source.token(), 20_000)).toBeInstanceOf(StoreTimeoutError);
    expect(platform.sent).toEqual([]);
    wait = 0;
    expect((await soon(source.token())).access_token).toBe("access2");
    expect(platform.sent).toEqual(["refresh1"]);
  });
});

describe("The time limit of a call", () => {
  /** An application with a time limit, which cuts its requests. */
  async function logInWithLimit(timeout: number) {
    const { platform, store } = await logIn();
    const limits: number[] = [];
    const api: TokenApi = {
      timeout,
      async refresh(token, options) {
        const limit = options?.timeout ?? expect.fail();
        limits.push(limit);
        const cut = new TimeoutError("cut");
        return await withTimeout(platform.refresh(token), deadlineIn(limit), () => cut);
      },
      revoke: (token) => platform.revoke(token),
    };
    const another = () => new TokenSource(api, store, key);
    await vi.advanceTimersByTimeAsync(tooLate);
    return { platform, store, limits, api, another };
  }

  test("is kept by the first, the second and the third call on a platform that hangs", async () => {
    const { platform, limits, another } = await logInWithLimit(1500);
    for (let call = 1; call <= 3; call++) {
      platform.plan.push({ outcome: "never arrives", wait: minute });
      const error = thrownBy(() => another().token());
      expect(await timeOf(error)).toBeLessThanOrEqual(1500);
      expect(await error).toMatchObject({ message: "cut" });
    }
    expect(limits).toEqual([1425, 1425, 1425]);
    expect((await soon(another().token(), 200)).access_token).toBe("access2");
  });

  test("is kept by a call that waits for another process, and not refreshed with less than half of the time", async () => {
    const { platform, limits, another } = await logInWithLimit(3000);
    platform.plan.push({ outcome: "never arrives", wait: 2000 });
    const first = thrownBy(() => another().token());
    await vi.advanceTimersByTimeAsync(400);
    const second = thrownBy(() => another().token());
    expect(await timeOf(second)).toBe(3000);
    expect(await second).toBeInstanceOf(TimeoutError);
    expect(await first).toMatchObject({ message: "no response" });
    expect(limits).toEqual([2850]);
  });

  test("leaves half a second for the store at most", async () => {
    const { limits, another } = await logInWithLimit(60_000);
    await soon(another().token());
    expect(limits).toEqual([59_500]);
  });

  test("may be shorter for one call: the refresh goes on for the next one", async () => {
    const { platform, another } = await logInWithLimit(10_000);
    const source = another();
    platform.plan.push({ outcome: "works", wait: 4000 });
    const short = thrownBy(() => source.token({ timeout: 2000 }));
    await vi.advanceTimersByTimeAsync(2000);
    expect(await short).toMatchObject({ message: "There was no valid token within 2000 ms" });
    const next = await soon(source.renew("access1", { timeout: 3000 }), 2000);
    expect(next.access_token).toBe("access2");
    expect(platform.sent).toEqual(["refresh1"]);
  });

  test.each([0, -1, NaN, "2 s"])("can't be %j", async (timeout) => {
    const { another } = await logInWithLimit(10_000);
    const options = { timeout: timeout as number };
    for (const call of [() => another().token(options), () => another().renew("a", options)]) {
      expect(await thrownBy(call)).toMatchObject({
        message: expect.stringMatching(/^timeout must be a number of milliseconds/),
      });
    }
  });

  test("does not count once the platform has issued a token, which is read and saved", async () => {
    const { platform, store, api } = await logInWithLimit(10_000);
    const slowToRead: TokenApi = {
      ...api,
      async refresh(token, options) {
        const refreshed = await platform.refresh(token);
        options?.onIssued?.();
        await pause(10_000);
        return refreshed;
      },
    };
    const slow = failing(store, {
      save: (value) => /access2/.test(JSON.stringify(value)) ? pause(2000) : undefined,
    });
    const source = new TokenSource(slowToRead, slow, key);
    const token = source.token({ timeout: 1000 });
    expect(await timeOf(token)).toBe(12_100);
    expect((await token).access_token).toBe("access2");
    expect((await new TokenSource(api, store, key).token()).access_token).toBe("access2");
  });

  test("ends by the signal also while a token is saved", async () => {
    const { store, api } = await logInWithLimit(2000);
    const slow = failing(store, {
      save: (value) => /access2/.test(JSON.stringify(value)) ? pause(1900) : undefined,
    });
    const controller = new AbortController();
    const { signal } = controller;
    const aborted = thrownBy(() => new TokenSource(api, slow, key).token({ signal, timeout: 500 }));
    await vi.advanceTimersByTimeAsync(1000);
    controller.abort(new Error("The visitor has left"));
    expect(await aborted).toMatchObject({ message: "The visitor has left" });
    await vi.advanceTimersByTimeAsync(2000);
    expect((await new TokenSource(api, store, key).token()).access_token).toBe("access2");
  });

  test("is not used up by a store that hangs before a token in memory is given", async () => {
    const { platform, store, api } = await logInWithLimit(10_000);
    let isHanging = true;
    const hanging = failing(store, {
      save: (value) =>
        isHanging && /access2/.test(JSON.stringify(value)) ? new Promise(() => {}) : undefined,
    });
    const source = new TokenSource(api, hanging, key);
    expect(await timeOf(source.token())).toBe(10_100);
    const again = source.token();
    expect(await timeOf(again)).toBe(5000);
    expect((await again).access_token).toBe("access2");
    isHanging = false;
    expect(platform.sent).toEqual(["refresh1"]);
  });
});

test("The lease of an application with a longer time limit lasts longer", async () => {
  const { platform, store } = await logIn();
  const api: TokenApi = {
    timeout: 60_000,
    refresh: (token) => platform.refresh(token),
    revoke: (token) => platform.revoke(token),
  };
  await vi.advanceTimersByTimeAsync(tooLate);
  platform.plan.push({ outcome: "works", wait: 59_000 });
  const [patient, usual] = [api, platform].map((each) => new TokenSource(each, store, key).token());
  expect(await thrownSoon(() => usual ?? expect.fail())).toBeInstanceOf(TimeoutError);
  expect((await patient)?.access_token).toBe("access2");
  expect(platform.sent).toEqual(["refresh1"]);
});

test("The longest time limit that an application can have is not over at once", async () => {
  const { platform, store } = await logIn();
  const api: TokenApi = {
    timeout: 2 ** 31 - 1,
    refresh: (token) => platform.refresh(token),
    revoke: (token) => platform.revoke(token),
  };
  await vi.advanceTimersByTimeAsync(tooLate);
  platform.plan.push({ outcome: "works", wait: 1000 });
  const token = await soon(new TokenSource(api, store, key).token());
  expect(token.access_token).toBe("access2");
});

test("No secret of a source is shown", async () => {
  const secrets = ["4ccessTokenOfSomebody", "r3freshTokenOfSomebody", "l0ginIdTokenOfSomebody"];
  const [access_token = "", refresh_token, id_token] = secrets;
  const { source, platform } = await logIn({ access_token, refresh_token, id_token } as TokenObj);
  expect(leaksOf(source, secrets)).toEqual([]);
  await vi.advanceTimersByTimeAsync(tooLate);
  const error = await thrownSoon(() => source.token());
  expect(error).toBeInstanceOf(LoginRequiredError);
  expect(leaksOf([error, source, platform.plan], secrets)).toEqual([]);
  const refused = await thrownBy(() =>
    source.save({ access_token, refresh_token: `${refresh_token}\n` })
  );
  expect(refused).toBeInstanceOf(TypeError);
  expect(leaksOf(refused, secrets)).toEqual([]);
});

test("The stack of a failed refresh has the caller of token() within ten frames", async () => {
  const fetch = () => Promise.reject(new TypeError("fetch failed"));
  const api = new PlatformApi("1", "s3cret", ["identify"], null, { fetch });
  const source = new TokenSource(api, new MemoryStore(), key);
  await source.save({ access_token: "t", token_type: "Bearer", refresh_token: "r", expires_in: 0 });
  const { name, stack } = await thrownBy(async () => await source.token()) as Error;
  expect(name).toBe("NetworkError");
  expect(stack?.split("\n", 11).join("\n")).toContain("token_source.test.ts");
});
