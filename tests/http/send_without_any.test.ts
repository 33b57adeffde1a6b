import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Fetch, User } from "../../mod.ts";
import { neverRespond, respondWith, thrownBy } from "../support/responders.ts";

// ky looks for it once, when it is loaded.
const any = vi.hoisted(() => {
  const { any } = AbortSignal;
  Reflect.set(AbortSignal, "any", undefined);
  return any;
});

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());
afterAll(() => void Reflect.set(AbortSignal, "any", any));

describe("Without AbortSignal.any, and with a fetch that ignores signals, an abort", () => {
  test.each([
    ["while a read waits for its response", neverRespond],
    ["during the pause before a retry", respondWith("", { status: 503 })],
  ])("%s sends no further request", async (_when, response) => {
    const sent = Promise.withResolvers<void>();
    let requests = 0;
    const fetch: Fetch = async (url, init) => {
      requests += 1;
      sent.resolve();
      return await response(new Request(url, init));
    };
    const controller = new AbortController();
    const { signal } = controller;
    const aborted = thrownBy(() => new User("t0ken", { fetch }).getCurrentUser({ signal }));
    await sent.promise;
    await vi.advanceTimersByTimeAsync(1);
    controller.abort("enough");
    expect(await aborted).toBe("enough");
    await vi.advanceTimersByTimeAsync(5000);
    expect(requests).toBe(1);
  });
});
