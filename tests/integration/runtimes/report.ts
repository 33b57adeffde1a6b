/**
 * Runs tests one after the other, and prints a line of a table for each.
 *
 * @module
 */

/** Thrown for a runtime that can't be had on this machine, which is no failure of the library. */
export class Unavailable extends Error {}

/** What is tested, and how. */
export interface RuntimeTest {
  readonly runtime: string;
  readonly what: string;
  /** Gives the runtime's version, what was found in a few words, and lines to print below the table. */
  run(): Promise<readonly [version: string, found: string, notes?: readonly string[]]>;
}

/**
 * The tests whose line has one of the words, whatever their case; without words, all of them.
 *
 * @throws {Error} When no line has one of the words: it is misspelt, and its tests would seem to have passed.
 */
export function choose(
  tests: readonly RuntimeTest[],
  words: readonly string[],
): readonly RuntimeTest[] {
  if (!words.length) return tests;
  const lines = tests.map((test) => ({
    test,
    line: `${test.runtime} ${test.what}`.toLowerCase(),
  }));
  const wanted = words.map((word) => word.toLowerCase());
  const unknown = wanted.filter((word) => !lines.some(({ line }) => line.includes(word)));
  if (unknown.length) {
    throw new Error(
      `No line has ${unknown.map((word) => `"${word}"`).join(", ")}; there are:\n` +
        tests.map(({ runtime, what }) => `${runtime}: ${what}`).join("\n"),
    );
  }
  return lines
    .filter(({ line }) => wanted.some((word) => line.includes(word)))
    .map(({ test }) => test);
}

/** How {@link report} judges. */
export interface ReportOptions {
  /** Whether a runtime that can't be had counts as a failure, as it does where every one must be tested. */
  readonly mustHaveAll: boolean;
}

/** Runs the tests, prints what they found, and gives the number of those that failed. */
export async function report(
  tests: readonly RuntimeTest[],
  { mustHaveAll }: ReportOptions,
): Promise<number> {
  const failures: string[] = [];
  const notes: string[] = [];
  let unavailable = 0;
  printLine("runtime", "version", "what ran", "result");
  printLine(...widths.map((width) => "-".repeat(width)));
  for (const { runtime, what, run } of tests) {
    const start = performance.now();
    try {
      const [version, found, lines = []] = await run();
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      printLine(runtime, version, what, `ok: ${found} (${seconds} s)`);
      notes.push(...lines.map((line) => `${runtime}, ${what}: ${line}`));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (error instanceof Unavailable && !mustHaveAll) {
        printLine(runtime, "-", what, `not here: ${message}`);
        unavailable++;
      } else {
        printLine(runtime, "-", what, "FAILED");
        failures.push(`${runtime}, ${what}:\n${message}`);
      }
    }
  }
  if (notes.length) console.log(`\n${notes.join("\n")}`);
  for (const failure of failures) console.error(`\n${failure}`);
  const ok = tests.length - failures.length - unavailable;
  console.log(
    `\n${ok} ok, ${failures.length} failed, ${unavailable} not to be had on this machine`,
  );
  return failures.length;
}

const widths = [14, 24, 54, 42];

function printLine(...cells: string[]): void {
  console.log(`| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`);
}
