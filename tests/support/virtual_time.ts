/**
 * Time that passes only when nothing else is left to do, so that tests of long waits are quick and say the same everywhere.
 *
 * @module
 */

import { onTestFinished, vi } from "vitest";

/** The real one, as reading a body takes a few turns of the real event loop. */
const { setImmediate } = globalThis;

/** Takes over the clock of the running test, which has to let it pass with {@link untilDone}. */
export function useVirtualTime(): void {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
}

/** Lets time pass from timer to timer until a promise has settled. */
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
