/**
 * Runs vitest on any runtime.
 *
 * @module
 */

import { run } from "../../scripts/command.ts";

/** Runs vitest, and gives the number of the tests that passed. */
export async function vitest(
  command: readonly [string, ...string[]],
  ...options: string[]
): Promise<string> {
  const results = await Deno.makeTempFile();
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${results}`];
    // A machine that does other things besides, and a runtime that is slow at one of them, are no failure.
    const patience = "--testTimeout=60000";
    await run([...command, "run", patience, ...reporters, ...options], { env: { NO_COLOR: "1" } });
    return `${JSON.parse(await Deno.readTextFile(results)).numPassedTests} tests`;
  } finally {
    await Deno.remove(results);
  }
}
