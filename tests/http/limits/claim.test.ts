import { describe, expect, test, vi } from "vitest";
import { isHeld, newClaim, release, untilReleased } from "../../../src/http/limits/claim.ts";
import { useVirtualTime } from "../../support/virtual_time.ts";

/** A claim that is held for some milliseconds. */
function heldFor(milliseconds: number) {
  useVirtualTime();
  const claim = newClaim();
  claim.heldUntil = performance.now() + milliseconds;
  return claim;
}

/** Waits for a claim, and keeps the number of milliseconds that it took, and the result. */
function waitFor(claim: ReturnType<typeof newClaim>, limit = Infinity, signal?: AbortSignal) {
  const begin = performance.now();
  const waited = { took: NaN, result: undefined as unknown };
  const end = (result: unknown) => {
    waited.took = performance.now() - begin;
    waited.result = result;
  };
  untilReleased(claim, begin + limit, signal).then(end, end);
  return waited;
}

describe("A claim", () => {
  test("is free at first, held until its end, and free after a release", () => {
    useVirtualTime();
    expect(isHeld(newClaim())).toBe(false);
    const claim = heldFor(100);
    expect(isHeld(claim)).toBe(true);
    expect(isHeld(claim, performance.now() + 100)).toBe(false);
    release(claim);
    expect(isHeld(claim)).toBe(false);
  });

  test("that no call holds is not awaited", async () => {
    expect(await untilReleased(newClaim(), -Infinity, null)).toBe(true);
  });

  test("is awaited until its release, by a timer that loses at most a twentieth of the time", async () => {
    const claim = heldFor(10_000);
    const waited = waitFor(claim);
    await vi.advanceTimersByTimeAsync(600);
    expect(waited.took).toBeNaN();
    release(claim);
    await vi.advanceTimersByTimeAsync(30);
    expect(waited).toMatchObject({ result: true });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("is awaited until its end, at which a Worker may have left it", async () => {
    const waited = waitFor(heldFor(3000));
    await vi.advanceTimersByTimeAsync(3050);
    expect(waited.result).toBe(true);
    expect(waited.took).toBeGreaterThanOrEqual(3000);
  });

  test("is awaited no longer than the deadline", async () => {
    const waited = waitFor(heldFor(3000), 1234);
    await vi.advanceTimersByTimeAsync(1234);
    expect(waited).toEqual({ took: 1234, result: false });
  });

  test("is not awaited after an abort", async () => {
    const controller = new AbortController();
    const waited = waitFor(heldFor(3000), 2000, controller.signal);
    await vi.advanceTimersByTimeAsync(100);
    controller.abort("enough");
    await vi.advanceTimersByTimeAsync(0);
    expect(waited).toEqual({ took: 100, result: "enough" });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("is looked at every 5 ms at first, and every 50 ms in a long wait", async () => {
    const claim = heldFor(60_000);
    void untilReleased(claim, Infinity, null);
    const looks = [performance.now()];
    for (const end = performance.now() + 3000; performance.now() < end;) {
      await vi.advanceTimersToNextTimerAsync();
      looks.push(performance.now());
    }
    const pauses = looks.slice(1).map((look, i) => look - (looks[i] ?? NaN));
    expect(pauses[0]).toBe(5);
    expect(pauses.at(-1)).toBe(50);
    // A request that looks all the time takes the processor from others.
    expect(pauses.length).toBeLessThan(150);
  });
});
