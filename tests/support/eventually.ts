import { vi } from "vitest";

/**
 * Repeats an assertion until it holds. On a busy machine that may take long, so the wait is nearly as long as the time limit of a test.
 */
export async function eventually(assertion: () => unknown): Promise<void> {
  await vi.waitFor(assertion, { timeout: 300_000 });
}
