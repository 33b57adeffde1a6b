/**
 * The test suite on other runtimes, which take it from Deno's `node_modules`.
 *
 * @module
 */

import type { RuntimeTest } from "./report.ts";
import { binaryOf, type Runtime, versionOf } from "./tools.ts";
import { vitest } from "./vitest.ts";

/** The tests. */
export function suiteTests(): RuntimeTest[] {
  return [suiteOn("node24", "Node 24"), suiteOn("bun", "Bun", "--bun")];
}

function suiteOn(runtime: Runtime, name: string, ...flags: string[]): RuntimeTest {
  return {
    runtime: name,
    what: "the test suite",
    run: async () => [
      await versionOf(runtime),
      await vitest([binaryOf(runtime), ...flags, "node_modules/vitest/vitest.mjs"]),
    ],
  };
}
