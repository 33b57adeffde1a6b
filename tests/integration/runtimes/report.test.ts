import { beforeEach, describe, expect, test, vi } from "vitest";
import { choose, report, type RuntimeTest, Unavailable } from "./report.ts";

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
  throw new Unavailable("no apt-get");
});

describe("choose()", () => {
  const tests = [passing, failing, absent];

  test("gives every test when there are no words", () => {
    expect(choose(tests, [])).toEqual(tests);
  });

  test("gives the tests whose line has one of the words", () => {
    expect(choose(tests, ["bun", "WEBKIT"])).toEqual([passing, absent]);
    expect(choose(tests, ["packed"])).toEqual([failing, absent]);
  });

  test("fails on a word that is in no line, and names the lines", () => {
    expect(() => choose(tests, ["bun", "nosuchword"])).toThrow(
      'No line has "nosuchword"; there are:\nBun: the test suite\n',
    );
  });
});

describe("report()", () => {
  test("prints version, result and notes of a test that passed", async () => {
    expect(await report([passing], { mustHaveAll: true })).toBe(0);
    expect(printed.join("\n")).toMatch(/\| Bun +\| 1\.4\.5 .*\| ok: 9 tests \(\d/);
    expect(printed).toContain("\nBun, the test suite: skipped: one");
    expect(printed.at(-1)).toContain("1 ok, 0 failed, 0 not");
  });

  test("counts a test that failed and prints why", async () => {
    expect(await report([passing, failing], { mustHaveAll: false })).toBe(1);
    expect(printed).toContain("\nNode 22, the packed package:\nfound nothing");
  });

  test("lets a runtime be missing", async () => {
    expect(await report([absent], { mustHaveAll: false })).toBe(0);
    expect(printed.join()).toContain("not here: no apt-get");
  });

  test("fails when a runtime is missing where all must be there", async () => {
    expect(await report([absent], { mustHaveAll: true })).toBe(1);
    expect(printed).toContain("\nWebKit, the packed package:\nno apt-get");
  });
});

function testOf(
  runtime: string,
  what: string,
  run: () => Awaited<ReturnType<RuntimeTest["run"]>>,
): RuntimeTest {
  return { runtime, what, run: () => new Promise((resolve) => resolve(run())) };
}
