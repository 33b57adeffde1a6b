import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  deadlineIn,
  maxTimerMs,
  settledWithin,
  sleep,
  unlessAborted,
  withTimeout,
} from "../../src/core/wait.ts";
import { thrownBy } from "../support/responders.ts";

const never = new Promise<never>(() => {});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});

afterEach(() => {
  vi.useRealTimers();
});

describe("settledWithin()", () => {
  test("ends with the promise, whatever its result", async () => {
    expect(await settledWithin(Promise.resolve(1), 1000)).toBeUndefined();
    expect(await settledWithin(Promise.reject("no"), 1000)).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
  });

  test("ends after the time", async () => {
    const over = settledWithin(never, 1000);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await over).toBeUndefined();
  });
});

describe("unlessAborted()", () => {
  test("ends with the promise", async () => {
    const { signal } = new AbortController();
    expect(await unlessAborted(Promise.resolve(1), signal)).toBe(1);
    expect(await unlessAborted(Promise.resolve(1), null)).toBe(1);
    expect(await thrownBy(() => unlessAborted(Promise.reject("no"), signal))).toBe("no");
  });

  test("rejects with the reason of its signal, even if the promise never ends", async () => {
    const controller = new AbortController();
    const waiting = thrownBy(() => unlessAborted(never, controller.signal));
    controller.abort("enough");
    expect(await waiting).toBe("enough");
  });

  test("rejects at once when the signal has fired before", async () => {
    expect(await thrownBy(() => unlessAborted(never, AbortSignal.abort("enough")))).toBe("enough");
  });

  test("removes its listener from the signal", async () => {
    const { signal } = new AbortController();
    const removed = vi.spyOn(signal, "removeEventListener");
    await unlessAborted(Promise.resolve(), signal);
    await Promise.resolve();
    expect(removed).toHaveBeenCalledOnce();
  });
});

describe("withTimeout()", () => {
  const makeError = () => new Error("too late");

  test("ends with the promise and leaves no timer behind", async () => {
    expect(await withTimeout(Promise.resolve(1), deadlineIn(1000), makeError)).toBe(1);
    expect(await thrownBy(() => withTimeout(Promise.reject("no"), deadlineIn(1000), makeError)))
      .toBe("no");
    await Promise.resolve();
    expect(vi.getTimerCount()).toBe(0);
  });

  test("rejects with the error when the time is over, and not before", async () => {
    const ended = vi.fn();
    const waiting = thrownBy(() => withTimeout(never, deadlineIn(1000), makeError)).finally(ended);
    await vi.advanceTimersByTimeAsync(999);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await waiting).toMatchObject({ message: "too late" });
  });

  test("rejects with the reason of its signal and leaves no timer behind", async () => {
    const controller = new AbortController();
    const waiting = thrownBy(() =>
      withTimeout(never, deadlineIn(1000), makeError, controller.signal)
    );
    controller.abort("enough");
    expect(await waiting).toBe("enough");
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("sleep()", () => {
  test("resolves after the time, and not before", async () => {
    const ended = vi.fn();
    void sleep(1000).then(ended);
    await vi.advanceTimersByTimeAsync(999);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toHaveBeenCalledOnce();
  });

  test("takes a longer time than a timer does for the longest one", async () => {
    const ended = vi.fn();
    void sleep(maxTimerMs + 1).then(ended);
    await vi.advanceTimersByTimeAsync(maxTimerMs - 1);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toHaveBeenCalledOnce();
  });

  test("rejects with the reason of its signal and leaves no timer behind", async () => {
    const controller = new AbortController();
    const sleeping = thrownBy(() => sleep(1000, controller.signal));
    controller.abort("enough");
    expect(await sleeping).toBe("enough");
    expect(vi.getTimerCount()).toBe(0);
  });
});
