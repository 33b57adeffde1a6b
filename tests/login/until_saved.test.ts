import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { untilSaved } from "../../src/login/until_saved.ts";
import { thrownBy } from "../support/responders.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("untilSaved()", () => {
  test("returns what was saved, without a pause, also if it is empty", async () => {
    for (const saved of ["saved", "", 0, false]) {
      expect(await untilSaved("Not saved", () => Promise.resolve(saved))).toBe(saved);
    }
  });

  test("tries again after a random pause that grows to a tenth of a second", async () => {
    vi.spyOn(Math, "random").mockReturnValue(1);
    const times: number[] = [];
    const begin = Date.now();
    const saved = untilSaved("Not saved", () => {
      times.push(Date.now() - begin);
      return Promise.resolve(times.length === 9 ? "saved" : null);
    });
    await vi.advanceTimersByTimeAsync(1000);
    expect(await saved).toBe("saved");
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(pauses).toEqual([2, 4, 8, 16, 32, 64, 100, 100]);
  });

  test("does not pause as long as all others do", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    let tries = 0;
    const begin = Date.now();
    const saved = untilSaved("Not saved", () => Promise.resolve(++tries === 3 ? Date.now() : null));
    await vi.advanceTimersByTimeAsync(1000);
    expect(await saved).toBe(begin + 3);
  });

  test("gives up after twenty tries, and says what was not saved", async () => {
    const tryToSave = vi.fn(() => Promise.resolve(null));
    const error = thrownBy(() => untilSaved("The session was not saved", tryToSave));
    await vi.advanceTimersByTimeAsync(5000);
    expect(await error).toEqual(
      new Error(
        "The session was not saved: in 20 attempts, another request changed the value each time. Try again",
      ),
    );
    expect(tryToSave).toHaveBeenCalledTimes(20);
  });
});
