/**
 * Runs vitest on any runtime.
 *
 * @module
 */

import { run } from "../../../scripts/command.ts";

/** What a run of vitest found. */
export interface SuiteResult {
  /** How many tests passed, in a few words. */
  readonly found: string;
  /** The tests that were skipped, by name. */
  readonly skipped: readonly string[];
}

/** The part of vitest's JSON report that is read here. */
interface JsonReport {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** Runs vitest with the given command. Rejects when a test fails. */
export async function vitest(
  command: readonly [string, ...string[]],
  ...options: string[]
): Promise<SuiteResult> {
  const file = await Deno.makeTempFile();
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
    // Some runtimes are slow at single tests, and the machine may be busy: that is no failure.
    const timeout = "--testTimeout=60000";
    await run([...command, "run", timeout, ...reporters, ...options], {
      env: { NO_COLOR: "1" },
      timeout: 1_800_000,
    });
    const { numPassedTests, testResults }: JsonReport = JSON.parse(await Deno.readTextFile(file));
    const skipped = testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status !== "passed")
      .map(({ fullName, status }) => `${fullName} (${status})`);
    const found = `${numPassedTests} tests`;
    return { found: skipped.length ? `${found}, ${skipped.length} skipped` : found, skipped };
  } finally {
    await Deno.remove(file);
  }
}
