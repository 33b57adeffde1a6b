import { describe, expect, test, vi } from "vitest";
import { sleep } from "../../../src/testing/faults/bodies.ts";

describe("sleep()", () => {
  test("removes its listener from the signal at the end", async () => {
    const { signal } = new AbortController();
    const add = vi.spyOn(signal, "addEventListener");
    const remove = vi.spyOn(signal, "removeEventListener");
    await sleep(1, signal);
    const [listened] = add.mock.calls;
    expect(listened?.[0]).toBe("abort");
    expect(remove.mock.calls).toEqual([["abort", listened?.[1]]]);
  });

  test("rejects with the reason of the signal, even if it aborted before", async () => {
    const reason = new Error("enough");
    await expect(sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const waiting = sleep(Infinity, controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });

  test("works without a signal", async () => {
    await expect(sleep(0, null)).resolves.toBeUndefined();
  });
});
