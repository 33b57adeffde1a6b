import { describe, expect, test } from "vitest";
import {
  type KnownSurvivors,
  type Report,
  resultsOf,
  scoreText,
  sectionOf,
  unexplainedSurvivors,
  withSections,
} from "../../scripts/lab/mutation/results.ts";

const source = "export function isSmall(size: number) {\n  return size <\n    10;\n}\n";

/** Returns a report about a file with a mutant of each status. */
function reportOf(...statuses: string[]): Report {
  const mutants = statuses.map((status) => ({
    replacement: "size <= 10",
    status,
    location: { start: { line: 2, column: 10 }, end: { line: 3, column: 7 } },
  }));
  return { files: { "src/links/size.ts": { source, mutants } } };
}

const known: KnownSurvivors = {
  file: "src/links/size.ts",
  line: "return size <",
  mutations: ["size < 10 → size <= 10"],
  kind: "equivalent",
  reason: "no size is 10",
};

describe("The results of mutation tests", () => {
  test("count a mutant without a test as survived, and ignore a mutant that can't run", () => {
    const report = reportOf(
      "Killed",
      "Killed",
      "Timeout",
      "NoCoverage",
      "Survived",
      "RuntimeError",
    );
    expect(scoreText(resultsOf(report, []))).toBe(
      "5 mutants; 2 killed; 1 stopped by a time limit; 2 survived, of which 0 are equivalent; score 60.0 %",
    );
  });

  test("count a mutant with a too slow test as stopped by a time limit", () => {
    const mutant = reportOf("Killed").files["src/links/size.ts"]?.mutants[0];
    const mutants = ["Test timed out in 20000ms.", "expected 1 to be 2"]
      .map((statusReason) => ({ ...mutant, statusReason }));
    const report = { files: { "src/links/size.ts": { source, mutants } } };
    expect(resultsOf(report as Report, [])).toMatchObject({ mutants: 2, killed: 1, timedOut: 1 });
  });

  test("name a survivor without a known reason by its place and its mutation", () => {
    expect(unexplainedSurvivors(resultsOf(reportOf("Survived"), [])))
      .toEqual(["src/links/size.ts:2 survived: size < 10 → size <= 10"]);
    expect(unexplainedSurvivors(resultsOf(reportOf("Survived"), [known]))).toEqual([]);
  });

  test.each([
    ["of another file", { file: "src/links/other.ts" }],
    ["of another line", { line: "return size >" }],
    ["of another mutation", { mutations: ["size < 10 → true"] }],
  ])("use no reason %s", (_difference, difference) => {
    const results = resultsOf(reportOf("Survived"), [{ ...known, ...difference }]);
    expect(unexplainedSurvivors(results)).toHaveLength(1);
  });

  test("list each survivor with its line, its mutation and its reason", () => {
    const section = sectionOf("links", resultsOf(reportOf("Survived"), [known]), "Stryker 1.2.3");
    expect(section).toMatch(/^## links\n\n\d{4}-\d\d-\d\d, Stryker 1\.2\.3: 1 mutants; /);
    expect(section).toContain(
      "### src/links/size.ts\n\n- `return size <`\n  - `size < 10 → size <= 10`\n  - equivalent: no size is 10\n",
    );
  });
});

test("The results of a part of a folder name the measured files", () => {
  const results = resultsOf(reportOf("Killed"), []);
  expect(sectionOf("links", results, "Stryker 1.2.3", false))
    .toContain("\n\nMeasured were only `src/links/size.ts`.\n");
  expect(sectionOf("links", results, "Stryker 1.2.3")).not.toContain("only");
});

describe("The file of the results", () => {
  const before = "# Results\n\nIntroduction.\n\n## stores\n\nOld.\n";

  test("keeps the sections of folders without a new measurement", () => {
    const text = withSections(
      before,
      ["links", "stores"],
      new Map([["links", "## links\n\nNew.\n"]]),
    );
    expect(text).toBe("# Results\n\nIntroduction.\n\n## links\n\nNew.\n\n## stores\n\nOld.\n");
  });

  test("marks a folder without a measurement", () => {
    const text = withSections(
      before,
      ["stores", "login"],
      new Map([["stores", "## stores\n\nNew.\n"]]),
    );
    expect(text).toContain("## stores\n\nNew.\n\n## login\n\nNot measured yet.\n");
  });
});
