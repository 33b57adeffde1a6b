import { beforeEach, describe, expect, test, vi } from "vitest";
import { runAndReport, type RuntimeTest, selectTests, UnavailableError } from "./report.ts";

const printed: string[] = [];

beforeEach(() => {
  printed.length = 0;
  vi.spyOn(console, "log").mockImplementation((line) => void printed.push(line));
  vi.spyOn(console, "error").mockImplementation((line) => void printed.push(line));
  return () => vi.restoreAllMocks();
});

const passing = testOf("Bun", "the test suite", () => ["1.4.5", "9 tests", ["skipped: one"]]);
const failing = testOf("Node 22", "the packed package", () => {
  throw new Error("found nothing");
});
const absent = testOf("WebKit", "the packed package", () => {
  throw new UnavailableError("no apt-get");
});

describe("selectTests()", () => {
  const tests = [passing, failing, absent];

  test("returns every test without words", () => {
    expect(selectTests(tests, [])).toEqual(tests);
  });

  test("returns the tests whose line contains one of the words", () => {
    expect(selectTests(tests, ["bun", "WEBKIT"])).toEqual([passing, absent]);
    expect(selectTests(tests, ["packed"])).toEqual([failing, absent]);
  });

  test("drops the tests whose line contains a word after a minus sign", () => {
    expect(selectTests(tests, ["-packed"])).toEqual([passing]);
    expect(selectTests(tests, ["packed", "-webkit"])).toEqual([failing]);
  });

  test("throws for a word that no line contains, and lists the lines", () => {
    expect(() => selectTests(tests, ["-nosuchword"])).toThrow('No line has "nosuchword"');
    expect(() => selectTests(tests, ["bun", "nosuchword"])).toThrow(
      'No line has "nosuchword"; there are:\nBun: the test suite\n',
    );
  });
});

describe("runAndReport()", () => {
  test("prints the version, the result and the notes of a test that passed", async () => {
    expect(await runAndReport([passing], { requireAll: true })).toBe(0);
    expect(printed.join("\n")).toMatch(/\| Bun +\| 1\.4\.5 .*\| ok: 9 tests \(\d/);
    expect(printed).toContain("\nBun, the test suite: skipped: one");
    expect(printed.at(-1)).toContain("1 ok, 0 failed, 0 not");
  });

  test("runs as many tests at the same time as `maxRunning` says, and four by default", async () => {
    for (const [options, expected] of [[{}, 4], [{ maxRunning: 1 }, 1]] as const) {
      let running = 0;
      let maxSeen = 0;
      const tests = Array.from({ length: 6 }, (): RuntimeTest => ({
        ...passing,
        async run() {
          maxSeen = Math.max(maxSeen, ++running);
          await new Promise((resolve) => setTimeout(resolve));
          running--;
          return ["1", "ok"];
        },
      }));
      expect(await runAndReport(tests, { requireAll: true, ...options })).toBe(0);
      expect(maxSeen).toBe(expected);
      expect(printed.at(-1)).toContain("6 ok");
    }
  });

  test("counts a test that failed, and prints its error", async () => {
    expect(await runAndReport([passing, failing], { requireAll: false })).toBe(1);
    expect(printed).toContain("\nNode 22, the packed package:\nfound nothing");
  });

  test("returns 0 although a runtime is not available", async () => {
    expect(await runAndReport([absent], { requireAll: false })).toBe(0);
    expect(printed.join()).toContain("not available: no apt-get");
  });

  test("counts a runtime that is not available as a failure with requireAll", async () => {
    expect(await runAndReport([absent], { requireAll: true })).toBe(1);
    expect(printed).toContain("\nWebKit, the packed package:\nno apt-get");
  });
});

function testOf(
  runtime: string,
  title: string,
  run: () => Awaited<ReturnType<RuntimeTest["run"]>>,
): RuntimeTest {
  return { runtime, title, run: () => new Promise((resolve) => resolve(run())) };
}
