import { describe, expect, test, vi } from "vitest";
import { sleep } from "../../../src/testing/faults/bodies.ts";

describe("wait()", () => {
  test("takes its listener from the signal when it is over", async () => {
    const { signal } = new AbortController();
    const add = vi.spyOn(signal, "addEventListener");
    const remove = vi.spyOn(signal, "removeEventListener");
    await sleep(1, signal);
    const [listened] = add.mock.calls;
    expect(listened?.[0]).toBe("abort");
    expect(remove.mock.calls).toEqual([["abort", listened?.[1]]]);
  });

  test("ends with the reason of the signal, before it begins too", async () => {
    const reason = new Error("enough");
    await expect(sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const waiting = sleep(Infinity, controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });

  test("needs no signal", async () => {
    await expect(sleep(0, null)).resolves.toBeUndefined();
  });
});
