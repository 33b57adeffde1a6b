/**
 * Runs tests one after the other and prints a line of a table for each.
 *
 * @module
 */

/** This machine can't have a runtime. That is not a failure of the library. */
export class UnavailableError extends Error {}

/** One line of the table. */
export interface RuntimeTest {
  /** The name of a runtime or a tool. */
  readonly runtime: string;
  readonly title: string;
  /** Returns the version of the runtime, the result in a few words, and lines to print below the table. */
  run(): Promise<readonly [version: string, result: string, notes?: readonly string[]]>;
}

/**
 * Returns the tests whose line contains one of the words, in upper or lower case. Without words, it returns all.
 *
 * @throws {Error} If no line contains one of the words: with a typing error, all tests would seem to pass.
 */
export function selectTests(
  tests: readonly RuntimeTest[],
  words: readonly string[],
): readonly RuntimeTest[] {
  if (!words.length) return tests;
  const lines = tests.map((test) => ({
    test,
    line: `${test.runtime} ${test.title}`.toLowerCase(),
  }));
  const wanted = words.map((word) => word.toLowerCase());
  const unknown = wanted.filter((word) => !lines.some(({ line }) => line.includes(word)));
  if (unknown.length) {
    throw new Error(
      `No line has ${unknown.map((word) => `"${word}"`).join(", ")}; there are:\n` +
        tests.map(({ runtime, title }) => `${runtime}: ${title}`).join("\n"),
    );
  }
  return lines
    .filter(({ line }) => wanted.some((word) => line.includes(word)))
    .map(({ test }) => test);
}

/** Options of {@link runAndReport}. */
export interface ReportOptions {
  /** True if a runtime that this machine can't have counts as a failure. */
  readonly requireAll: boolean;
}

/** Runs the tests, prints their results, and returns the number of failures. */
export async function runAndReport(
  tests: readonly RuntimeTest[],
  { requireAll }: ReportOptions,
): Promise<number> {
  const failures: string[] = [];
  const notes: string[] = [];
  let unavailable = 0;
  printLine("runtime", "version", "test", "result");
  printLine(...widths.map((width) => "-".repeat(width)));
  for (const { runtime, title, run } of tests) {
    const start = performance.now();
    try {
      const [version, result, lines = []] = await run();
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      printLine(runtime, version, title, `ok: ${result} (${seconds} s)`);
      notes.push(...lines.map((line) => `${runtime}, ${title}: ${line}`));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (error instanceof UnavailableError && !requireAll) {
        printLine(runtime, "-", title, `not available: ${message}`);
        unavailable++;
      } else {
        printLine(runtime, "-", title, "FAILED");
        failures.push(`${runtime}, ${title}:\n${message}`);
      }
    }
  }
  if (notes.length) console.log(`\n${notes.join("\n")}`);
  for (const failure of failures) console.error(`\n${failure}`);
  const ok = tests.length - failures.length - unavailable;
  console.log(
    `\n${ok} ok, ${failures.length} failed, ${unavailable} not available on this machine`,
  );
  return failures.length;
}

const widths = [14, 24, 54, 42];

function printLine(...cells: string[]): void {
  console.log(`| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`);
}
