import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { StoreTimeoutError } from "../../mod.ts";
import { deadlineIn, sleep } from "../../src/core/wait.ts";
import { pollStore, untilSaved } from "../../src/tokens/store_loops.ts";
import { thrownBy } from "../support/responders.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("pollStore()", () => {
  test("returns the first result, also if it is empty, without a delay", async () => {
    for (const result of ["found", "", 0, false]) {
      expect(await pollStore(() => Promise.resolve(result), deadlineIn(0), Error)).toBe(result);
    }
  });

  test("looks again after 20 ms, then twice as long up to 400 ms, times a random factor up to 2", async () => {
    for (const random of [0, 0.5]) {
      vi.spyOn(Math, "random").mockReturnValue(random);
      const begin = performance.now();
      const times: number[] = [];
      const look = () => {
        times.push(performance.now() - begin);
        return Promise.resolve(times.length === 8 ? "found" : null);
      };
      const found = pollStore(look, deadlineIn(10_000), Error);
      await vi.advanceTimersByTimeAsync(5000);
      expect(await found).toBe("found");
      const delays = times.slice(1).map((time, index) => time - (times[index] ?? 0));
      expect(delays).toEqual([20, 40, 80, 160, 320, 400, 400].map((ms) => ms * (1 + random)));
    }
  });

  test("looks a last time at the deadline, and then throws", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    const begin = performance.now();
    const times: number[] = [];
    const look = () => {
      times.push(performance.now() - begin);
      return Promise.resolve(null);
    };
    const error = thrownBy(() => pollStore(look, deadlineIn(100), () => new Error("too late")));
    await vi.advanceTimersByTimeAsync(1000);
    expect(await error).toEqual(new Error("too late"));
    expect(times).toEqual([0, 20, 60, 100]);
  });
});

describe("untilSaved()", () => {
  test("returns what was saved, without a pause, also if it is empty", async () => {
    for (const saved of ["saved", "", 0, false]) {
      expect(await untilSaved("Not saved", () => Promise.resolve(saved))).toBe(saved);
    }
  });

  test("tries again after a random pause that grows to half a second", async () => {
    vi.spyOn(Math, "random").mockReturnValue(1);
    const times: number[] = [];
    const begin = Date.now();
    const saved = untilSaved("Not saved", () => {
      times.push(Date.now() - begin);
      return Promise.resolve(times.length === 11 ? "saved" : null);
    });
    await vi.advanceTimersByTimeAsync(2000);
    expect(await saved).toBe("saved");
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(pauses).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 500, 500]);
  });

  test("does not pause as long as all others do", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    let tries = 0;
    const begin = Date.now();
    const saved = untilSaved("Not saved", () => Promise.resolve(++tries === 3 ? Date.now() : null));
    await vi.advanceTimersByTimeAsync(1000);
    expect(await saved).toBe(begin + 3);
  });

  test("gives up after 30 seconds and 20 attempts, and says what was not saved", async () => {
    vi.spyOn(Math, "random").mockReturnValue(1);
    for (const [attemptMs, tries, after] of [[1, 68, 30_078], [3000, 20, 66_010]] as const) {
      const begin = performance.now();
      const error = thrownBy(() =>
        untilSaved("The session was not saved", () => sleep(attemptMs).then(() => null))
      ).then((error) => ({ error, after: performance.now() - begin }));
      await vi.advanceTimersByTimeAsync(120_000);
      expect(await error).toEqual({ error: expect.any(StoreTimeoutError), after });
      expect((await error).error).toMatchObject({
        message:
          `The session was not saved: another request changed the value in each of ${tries} attempts`,
        hint: "Try again",
        isTemporary: true,
      });
    }
  });
});
