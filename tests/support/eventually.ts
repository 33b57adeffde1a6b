import { vi } from "vitest";

/**
 * Repeats an assertion until it holds. It gives up before the test does, so that its message shows what did not hold.
 */
export async function eventually(assertion: () => unknown): Promise<void> {
  await vi.waitFor(assertion, { timeout: 20_000 });
}
