/**
 * The test suite on other runtimes, which take it from Deno's `node_modules`.
 *
 * @module
 */

import { run } from "../command.ts";
import type { RuntimeTest } from "./report.ts";
import { binaryOf, type Runtime, versionOf } from "./tools.ts";

/** The tests. */
export function suiteTests(): RuntimeTest[] {
  return [
    suiteOn("node24", "Node 24"),
    suiteOn("bun", "Bun", "--bun"),
    {
      runtime: "browsers",
      what: "the invite builder, in all three",
      run: async () => [
        Deno.version.deno,
        await vitest(
          [Deno.execPath(), "run", "-A", "npm:vitest@^5.1.0"],
          "--config",
          "vitest.browser.config.ts",
        ),
      ],
    },
  ];
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

async function vitest(
  command: readonly [string, ...string[]],
  ...options: string[]
): Promise<string> {
  const results = await Deno.makeTempFile();
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${results}`];
    // A machine that does other things besides, and a runtime that is slow at one of them, are no failure.
    const patience = "--testTimeout=60000";
    await run([...command, "run", patience, ...reporters, ...options], { env: { NO_COLOR: "1" } });
    const { numPassedTests } = JSON.parse(await Deno.readTextFile(results));
    return `${numPassedTests} tests`;
  } finally {
    await Deno.remove(results);
  }
}
