/**
 * Runs tests, several at a time, and prints a line of a table for each.
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
 * Returns the tests whose line contains one of the words, in upper or lower case. Without words, it returns all. A word after a minus
 * sign drops the tests whose line contains it.
 *
 * @throws {Error} If no line contains one of the words: with a typing error, all tests would seem to pass.
 */
export function selectTests(
  tests: readonly RuntimeTest[],
  words: readonly string[],
): readonly RuntimeTest[] {
  const lines = tests.map((test) => ({
    test,
    line: `${test.runtime} ${test.title}`.toLowerCase(),
  }));
  const dropping = words.filter((word) => word.startsWith("-")).map((word) => word.slice(1));
  const wanted = words.filter((word) => !word.startsWith("-"));
  const contains = (line: string, word: string) => line.includes(word.toLowerCase());
  const unknown = [...wanted, ...dropping]
    .filter((word) => !lines.some(({ line }) => contains(line, word)));
  if (unknown.length) {
    throw new Error(
      `No line has ${unknown.map((word) => `"${word}"`).join(", ")}; there are:\n` +
        tests.map(({ runtime, title }) => `${runtime}: ${title}`).join("\n"),
    );
  }
  return lines
    .filter(({ line }) => !wanted.length || wanted.some((word) => contains(line, word)))
    .filter(({ line }) => !dropping.some((word) => contains(line, word)))
    .map(({ test }) => test);
}

/** Options of {@link runAndReport}. */
export interface ReportOptions {
  /** True if a runtime that this machine can't have counts as a failure. */
  readonly requireAll: boolean;
  /** The number of tests that run at the same time. Most of them wait for a server or a download. @default {4} */
  readonly maxRunning?: number;
}

/** Runs the tests, prints the result of each when it ends, and returns the number of failures. */
export async function runAndReport(
  tests: readonly RuntimeTest[],
  { requireAll, maxRunning = 4 }: ReportOptions,
): Promise<number> {
  const failures: string[] = [];
  const notes: string[] = [];
  let unavailable = 0;
  printLine("runtime", "version", "test", "result");
  printLine(...widths.map((width) => "-".repeat(width)));

  async function runTest({ runtime, title, run }: RuntimeTest): Promise<void> {
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

  const waiting = tests.values();
  await Promise.all(Array.from({ length: maxRunning }, async () => {
    for (const test of waiting) await runTest(test);
  }));
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
