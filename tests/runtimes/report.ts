/**
 * Runs tests one after the other, and prints a line of a table for each.
 *
 * @module
 */

import { Unavailable } from "./tools.ts";

/** What is tested, and how. */
export interface RuntimeTest {
  readonly runtime: string;
  readonly what: string;
  /** Gives the runtime's version, and in a few words what was found. */
  run(): Promise<readonly [version: string, found: string]>;
}

/** Runs the tests, and gives the number of those that failed. */
export async function report(tests: readonly RuntimeTest[]): Promise<number> {
  const failures: string[] = [];
  let unavailable = 0;
  printLine("runtime", "version", "what ran", "result");
  printLine(...widths.map((width) => "-".repeat(width)));
  for (const { runtime, what, run } of tests) {
    const start = performance.now();
    try {
      const [version, found] = await run();
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      printLine(runtime, version, what, `ok: ${found} (${seconds} s)`);
    } catch (error) {
      const { message } = error as Error;
      if (error instanceof Unavailable) {
        printLine(runtime, "-", what, `not here: ${message}`);
        unavailable++;
      } else {
        printLine(runtime, "-", what, "FAILED");
        failures.push(`\n${runtime}, ${what}:\n${message}`);
      }
    }
  }
  for (const failure of failures) console.error(failure);
  const ok = tests.length - failures.length - unavailable;
  console.log(
    `\n${ok} ok, ${failures.length} failed, ${unavailable} not to be had on this machine`,
  );
  return failures.length;
}

const widths = [12, 14, 54, 42];

function printLine(...cells: string[]): void {
  console.log(`| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`);
}
