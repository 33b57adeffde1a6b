/**
 * Runs the test suite on other runtimes, with the packages in Deno's `node_modules`.
 *
 * @module
 */

import type { RuntimeTest } from "./report.ts";
import { binaryOf, type Runtime, versionOf } from "./tools.ts";
import { runVitest } from "./vitest.ts";

/** Creates the tests. */
export function suiteTests(): RuntimeTest[] {
  return [suiteOn("node24", "Node 24"), suiteOn("bun", "Bun", "--bun")];
}

function suiteOn(runtime: Runtime, name: string, ...flags: string[]): RuntimeTest {
  return {
    runtime: name,
    title: "the test suite",
    async run() {
      const command = [binaryOf(runtime), ...flags, "node_modules/vitest/vitest.mjs"] as const;
      const { passed, skipped } = await runVitest(command);
      return [await versionOf(runtime), passed, skipped.map((test) => `skipped: ${test}`)];
    },
  };
}
