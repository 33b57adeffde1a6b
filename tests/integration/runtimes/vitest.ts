/**
 * Runs vitest on any runtime.
 *
 * @module
 */

import { run } from "../../../scripts/command.ts";

/** The result of a run of vitest. */
export interface SuiteResult {
  /** The number of tests that passed, in a few words. */
  readonly passed: string;
  /** The names of the tests that were skipped. */
  readonly skipped: readonly string[];
}

/** The part of vitest's JSON report that {@link runVitest} reads. */
interface JsonReport {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** Runs vitest with a command. Rejects if a test fails. */
export async function runVitest(
  command: readonly [string, ...string[]],
  ...options: string[]
): Promise<SuiteResult> {
  const file = await Deno.makeTempFile();
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
    await run([...command, "run", ...reporters, ...options], {
      env: { NO_COLOR: "1" },
      // The tests have limits of their own, so that this one ends only a run that hangs between them.
      timeout: 1_800_000,
    });
    const { numPassedTests, testResults }: JsonReport = JSON.parse(await Deno.readTextFile(file));
    const skipped = testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status !== "passed")
      .map(({ fullName, status }) => `${fullName} (${status})`);
    const passed = `${numPassedTests} tests`;
    return { passed: skipped.length ? `${passed}, ${skipped.length} skipped` : passed, skipped };
  } finally {
    await Deno.remove(file);
  }
}
