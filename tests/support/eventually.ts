import { vi } from "vitest";

/**
 * Repeats an assertion until it holds. The wait is nearly as long as the time limit of a test: a busy machine may need it.
 */
export async function eventually(assertion: () => unknown): Promise<void> {
  await vi.waitFor(assertion, { timeout: 300_000 });
}
