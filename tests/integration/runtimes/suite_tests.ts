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
    async run() {
      const command = [binaryOf(runtime), ...flags, "node_modules/vitest/vitest.mjs"] as const;
      const { found, skipped } = await vitest(command);
      return [await versionOf(runtime), found, skipped.map((test) => `skipped: ${test}`)];
    },
  };
}
