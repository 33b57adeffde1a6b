/**
 * Time that advances only when nothing else is left to do, which makes tests of long waits quick and repeatable.
 *
 * @module
 */

import { onTestFinished, vi } from "vitest";

/** The real `setImmediate`, since reading a body takes a few turns of the real event loop. */
const { setImmediate } = globalThis;

/** Replaces the clock of the running test. Time advances in {@link untilDone} only. */
export function useVirtualTime(): void {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
}

/** Advances time from timer to timer until a promise has settled. */
export async function untilDone<Result>(promise: Promise<Result>): Promise<Result> {
  let isSettled = false;
  const settle = () => void (isSettled = true);
  promise.then(settle, settle);
  while (true) {
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    if (isSettled) return await promise;
    await vi.advanceTimersToNextTimerAsync();
  }
}
