import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  ApiError,
  MemoryStore,
  NetworkError,
  OAuthError,
  RateLimitError,
  type SaveOptions,
  type Store,
  type TokenApi,
  type TokenObj,
  TokenSource,
} from "../../mod.ts";
import type { Claim } from "../../src/http/limits/claim.ts";
import { type PacedTokenApi, takeRefreshSlot } from "../../src/tokens/token_api.ts";
import { ModelPlatform, pause, tokenLifetimeMs } from "../support/model_platform.ts";
import { thrownBy } from "../support/responders.ts";

const key = "discord:1000000000000000001";
const tooLate = tokenLifetimeMs + 1;
const whenDue = tokenLifetimeMs - 200_000;

/** A platform whose refreshes have slots, or are held back. */
class PacedPlatform extends ModelPlatform implements PacedTokenApi {
  /** The error of a refresh that this process holds back. */
  held: Error | null = null;
  /** True if another refresh of the token has a slot. */
  isUnderWay = false;
  /** The times until which the refreshes could wait for their slots, from now. */
  readonly patience: number[] = [];
  readonly slots: Claim[] = [];

  async [takeRefreshSlot](_token: TokenObj, latest: number): Promise<Claim | null> {
    this.patience.push(latest - performance.now());
    await pause(10);
    if (this.held) throw this.held;
    if (this.isUnderWay) return null;
    const slot = { heldUntil: Infinity };
    this.slots.push(slot);
    return slot;
  }
}

/** A store that counts its saves, and may fail. */
class TestStore implements Store {
  readonly memory = new MemoryStore();
  saves = 0;
  failure: Error | null = null;

  load(name: string) {
    return this.memory.load(name);
  }

  async save(name: string, value: unknown, options: SaveOptions) {
    this.saves += 1;
    if (this.failure) throw this.failure;
    return await this.memory.save(name, value, options);
  }

  delete(name: string) {
    return this.memory.delete(name);
  }
}

async function logIn(platform: PacedPlatform = new PacedPlatform()) {
  const store = new TestStore();
  const another = (api: TokenApi = platform) => new TokenSource(api, store, key);
  await another().save(platform.issue());
  store.saves = 0;
  return { platform, store, another };
}

/** Awaits a promise while virtual time goes on. */
async function soon<Value>(promise: Promise<Value>, milliseconds = 20_000): Promise<Value> {
  promise.catch(() => {});
  await vi.advanceTimersByTimeAsync(milliseconds);
  return await promise;
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("A refresh that this process holds back", () => {
  test("takes no lease, and throws if the old token has ended", async () => {
    const { platform, store, another } = await logIn();
    await vi.advanceTimersByTimeAsync(tooLate);
    platform.held = new RateLimitError("held", { httpStatus: 429, retryAfter: 3 });
    expect(await thrownBy(() => soon(another().token()))).toBe(platform.held);
    expect(store.saves).toBe(0);
    expect(platform.patience).toEqual([5000]);
  });

  test("takes no lease, and leaves the old token in use while it works", async () => {
    const { platform, store, another } = await logIn();
    await vi.advanceTimersByTimeAsync(whenDue);
    platform.held = new Error("held");
    expect((await soon(another().token())).access_token).toBe("access1");
    expect(store.saves).toBe(0);
    expect(platform.patience).toEqual([0]);
    platform.held = null;
    expect((await soon(another().token())).access_token).toBe("access2");
    expect(store.saves).toBe(2);
  });

  test.each([["has ended", tooLate], ["works", whenDue]])(
    "takes no lease while another call of this process refreshes the token, also if the old token %s",
    async (_when, at) => {
      const { platform, store, another } = await logIn();
      await vi.advanceTimersByTimeAsync(at);
      platform.isUnderWay = true;
      const token = another().token();
      await vi.advanceTimersByTimeAsync(1000);
      expect(store.saves).toBe(0);
      platform.isUnderWay = false;
      const expected = at === tooLate ? "access2" : "access1";
      expect((await soon(token)).access_token).toBe(expected);
    },
  );
});

describe("The slot of a refresh", () => {
  test.each(["works", "response is lost"] as const)("is released: %s", async (outcome) => {
    const { platform, another } = await logIn();
    await vi.advanceTimersByTimeAsync(tooLate);
    platform.plan.push({ outcome });
    await soon(another().token()).catch(() => {});
    expect(platform.slots).toEqual([{ heldUntil: -Infinity }]);
  });
});

describe("A lease", () => {
  test("lets one process send, and the other look again and release its slot", async () => {
    const { platform, another } = await logIn();
    await vi.advanceTimersByTimeAsync(tooLate);
    const tokens = await soon(Promise.all([another().token(), another().token()]));
    expect(tokens.map((token) => token.access_token)).toEqual(["access2", "access2"]);
    expect(platform.sent).toEqual(["refresh1"]);
    expect(platform.slots).toEqual([{ heldUntil: -Infinity }, { heldUntil: -Infinity }]);
  });

  test.each([
    ["has ended, in an error of the store", tooLate, "the store is down"],
    ["works, in the old token", whenDue, null],
  ])("ends, if the store fails while the old token %s", async (_when, at, message) => {
    const { platform, store, another } = await logIn();
    await vi.advanceTimersByTimeAsync(at);
    store.failure = new Error("the store is down");
    const result = await soon(another().token()).catch((error) => error);
    expect(result).toMatchObject(message === null ? { access_token: "access1" } : { message });
    expect(platform.sent).toEqual([]);
  });
});

describe("A caller who waits for the refresh of another process", () => {
  const unreached = new NetworkError("refused", { mayHaveArrived: false });

  test.each([
    ["503", new ApiError("down", { httpStatus: 503, retryAfter: 7 }), {
      name: "ApiError",
      httpStatus: 503,
      retryAfter: 7,
      isTemporary: true,
    }],
    ["no connection", unreached, { name: "NetworkError", mayHaveArrived: false }],
    ["429", new RateLimitError("limited", { httpStatus: 429, retryAfter: 9 }), {
      name: "RateLimitError",
      // The store is polled every 400 to 800 ms.
      retryAfter: expect.closeTo(8.6, 0),
    }],
  ])("learns at once that it has failed: %s", async (_how, outcome, expected) => {
    const { platform, another } = await logIn();
    await vi.advanceTimersByTimeAsync(tooLate);
    platform.plan.push({ outcome, wait: 2000 });
    const first = thrownBy(() => another().token());
    await vi.advanceTimersByTimeAsync(500);
    const begin = Date.now();
    let took = Infinity;
    const second = thrownBy(() => another().token()).finally(() => took = Date.now() - begin);
    await vi.advanceTimersByTimeAsync(20_000);
    await first;
    expect(await second).toMatchObject(expected);
    expect(took).toBeLessThan(1510 + 800);
    expect(platform.sent).toHaveLength(1);
    // Whoever asks next tries again.
    expect(await soon(another().token())).toMatchObject({ access_token: "access2" });
  });

  test("sends the refresh token again at once after a lost response, since the old token has ended", async () => {
    const { platform, another } = await logIn();
    await vi.advanceTimersByTimeAsync(tooLate);
    platform.plan.push({ outcome: "response is lost", wait: 2000 });
    const first = thrownBy(() => another().token());
    await vi.advanceTimersByTimeAsync(500);
    const second = thrownBy(() => soon(another().token()));
    expect(await first).toMatchObject({ name: "NetworkError" });
    expect(await second).toMatchObject({ reason: "refused" });
    expect(platform.sent).toHaveLength(2);
  });

  test("tries by itself if the platform has refused the application, since that error says more", async () => {
    const { platform, another } = await logIn();
    await vi.advanceTimersByTimeAsync(tooLate);
    platform.plan.push({ outcome: new OAuthError("invalid_client", { httpStatus: 401 }) });
    const first = thrownBy(() => another().token());
    await vi.advanceTimersByTimeAsync(50);
    expect((await soon(another().token())).access_token).toBe("access2");
    expect(await first).toMatchObject({ error: "invalid_client" });
  });

  test("gets the token of a login that came meanwhile", async () => {
    const { platform, another } = await logIn();
    await vi.advanceTimersByTimeAsync(tooLate);
    platform.plan.push({ outcome: unreached, wait: 2000 });
    const first = thrownBy(() => another().token());
    await vi.advanceTimersByTimeAsync(500);
    const second = another().token();
    await another().save(platform.issue());
    expect((await soon(second)).access_token).toBe("access2");
    await first;
  });
});
