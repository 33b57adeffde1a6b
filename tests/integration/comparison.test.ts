import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { columns, headingOf, libraries } from "../../scripts/lab/comparisons/login/columns.ts";
import { missingFeatures, rows } from "../../scripts/lab/comparisons/login/rows.ts";
import {
  cellOf,
  libraryTable,
  mishapTable,
  type Results,
  summaryColumns,
  summaryRows,
  summaryTable,
  verdictIn,
} from "../../scripts/lab/comparisons/login/tables.ts";

const root = new URL("../../", import.meta.url);
const guide = textOf("docs/comparison.md");
const readme = textOf("README.md");

const tables = [...guide.matchAll(/(?:^\|.*\|\n)+/gm)].map(([table]) => cellsOf(table));
const [summary = [], libraryCells = [], mishapCells = []] = tables;
const [, , ...libraryRows] = libraryCells;
const [mishapHead = [], , versions = [], ...mishaps] = mishapCells;

const lostHeading = "## The rows that this library loses\n";

/** The results in the guide's table of mishaps. */
const kept: Results = {
  date: mishapHead[0] ?? "",
  versions: versions.slice(1),
  verdicts: new Map(mishaps.map(([name = "", ...cells]) => [name, cells.map(verdictIn)])),
};

const numbers = "zero one two three four five six seven eight nine ten eleven twelve thirteen " +
  "fourteen fifteen sixteen seventeen eighteen nineteen twenty";

describe("The summary", () => {
  const modules = Object.values(summaryColumns);
  const good: Results = {
    date: "2027-01-31",
    versions: columns.map(() => "1.0.0"),
    verdicts: new Map(rows.map(({ name }) => [name, columns.map(() => "yes")])),
  };

  test("has a cross where any of the measured rows behind it is not good", () => {
    const [, , ...goodRows] = cellsOf(summaryTable(good));
    const measured = goodRows.slice(0, -1);
    for (const [, ...cells] of measured) expect(new Set(cells)).toEqual(new Set(["✓"]));

    const index = columns.findIndex(({ module }) => module === modules[1]);
    const rowsBehind: Record<string, string[]> = {};
    for (const { name } of rows) {
      const verdicts = new Map(good.verdicts);
      verdicts.set(name, columns.map((_, column) => column === index ? "an error" : "yes"));
      const [, , ...found] = cellsOf(summaryTable({ ...good, verdicts }));
      for (const [label = "", ...cells] of found.slice(0, -1)) {
        if (cells.every((cell) => cell === "✓")) continue;
        expect(cells).toEqual(modules.map((_, column) => column === 1 ? "✗" : "✓"));
        (rowsBehind[label] ??= []).push(name);
      }
    }
    expect(rowsBehind).toEqual({
      "Logins in two tabs both work": [
        "Two tabs, the older one finishes first: both logins work",
        "Two tabs, the newer one finishes first: both logins work",
      ],
      "Users see an error page if Discord doesn't respond": [
        "The visitor sees a page if Discord's token response never arrives",
      ],
      "A stolen code is useless": [
        "Code injection: a stolen code in the thief's own callback doesn't start a session",
      ],
      "Logging out disables copied cookies": [
        "Logging out disables a cookie that was copied earlier",
      ],
    });
  });

  test("has neither mark where the library does not have the feature", () => {
    const verdicts = new Map(rows.map(({ name }) => [name, columns.map(() => "no logout")]));
    const [, , ...found] = cellsOf(summaryTable({ ...good, verdicts }));
    for (const [, ...cells] of found.slice(0, -1)) expect(new Set(cells)).toEqual(new Set(["n/a"]));
  });

  test("refuses results without a row that it needs", () => {
    expect(() => summaryTable({ ...good, verdicts: new Map() })).toThrow("have no row");
  });

  test("has five rows and five libraries, and a row that this library loses", () => {
    const [head = [], , ...found] = summary;
    expect(head.slice(1)).toEqual(Object.keys(summaryColumns));
    expect(head.slice(1)).toHaveLength(5);
    expect(found.map(([label]) => label)).toEqual(summaryRows.map(({ label }) => label));
    expect(found).toHaveLength(5);
    expect(found.some(([, ours, ...others]) => ours === "✗" && others.includes("✓"))).toBe(true);
  });

  test("has the results of the table of mishaps", () => {
    expect(summary).toEqual(cellsOf(summaryTable(kept)));
  });

  test("comes first, and the rows that this library loses directly after it", () => {
    const parts = ["## At a glance", summaryRows[0]?.label, lostHeading, "## The libraries"];
    const places = parts.map((part) => guide.indexOf(part ?? "## missing"));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((one, other) => one - other));
    const between = guide.slice(places[1], places[2]);
    expect(between).not.toContain("\n## ");
  });
});

describe("A cell", () => {
  test("has a mark, and the words of anything but yes", () => {
    expect(cellOf("yes")).toBe("✓");
    expect(cellOf("an error")).toBe("✗ an error");
    for (const verdict of missingFeatures) expect(cellOf(verdict)).toBe(verdict);
  });

  test("gives its verdict back", () => {
    for (const verdict of ["yes", "an error", ...missingFeatures]) {
      expect(verdictIn(cellOf(verdict))).toBe(verdict);
    }
  });
});

describe("The table of libraries in the guide", () => {
  test("has a row for every library, with the facts in the code", () => {
    const packages = new Map(libraries.map((library, index) => {
      const [, , , , license = "", bytes = ""] = libraryRows[index] ?? [];
      return [library, { license, bytes }];
    }));
    expect(libraryCells).toEqual(cellsOf(libraryTable(packages)));
  });

  test("has no empty cell", () => {
    expect(libraryRows.flat()).not.toContain("");
  });

  test("has larger bundles only for the libraries named in the guide", () => {
    const bundles = libraryRows.map(([name = "", , , , , bytes = ""]) => ({
      name,
      bytes: (bytes.match(/[\d,]+/g) ?? []).map((text) => Number(text.replaceAll(",", ""))),
    }));
    const ours = bundles[0]?.bytes[0] ?? 0;
    const larger = bundles.filter(({ bytes }) => bytes.some((one) => one > ours));
    const [, named = ""] = /Only the ([^.]*)\s+bundles\s+are\s+larger/.exec(guide) ?? [];
    expect(named.match(/`.*?`/g)).toEqual(larger.map(({ name }) => name));
  });

  test("names no release older than the compared one", () => {
    for (const [index, { library: { lastRelease } }] of columns.entries()) {
      const known = lastRelease.match(/(?<![\w/.%@-])\d+\.\d+\.\d+(-\w+\.\d+)?/g) ?? ["0.1.0"];
      const [newest] = [...known].sort(compareVersions).slice(-1);
      expect(compareVersions(kept.versions[index] ?? "", newest ?? "")).toBeLessThanOrEqual(0);
    }
  });
});

describe("The table of mishaps in the guide", () => {
  test("has a column for every contender in the code", () => {
    const modules = readdirSync(new URL("scripts/lab/comparisons/login/contenders/", root))
      .filter((name) => /^export const contender\b/m.test(textOf(contenderPath(name))));
    expect(columns.map(({ module }) => `${module}.ts`).sort()).toEqual(modules.sort());
    expect(mishapHead.slice(1)).toEqual(columns.map(headingOf));
  });

  test("is what the generator makes of its results", () => {
    expect(mishapCells).toEqual(cellsOf(mishapTable(kept)));
  });

  test("names the date, and the version of each library", () => {
    expect(kept.date).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(kept.versions).toHaveLength(columns.length);
    for (const [index, { major }] of columns.entries()) {
      expect(kept.versions[index]).toMatch(new RegExp(`^${major ?? "\\d+"}\\.\\d+\\.\\d+`));
    }
  });

  test("lists the rows of the comparison, in the same order", () => {
    expect(mishaps.map(([name]) => name)).toEqual(rows.map(({ name }) => name));
  });

  test("has a cell for every application in every row", () => {
    for (const row of mishaps) expect(row).toHaveLength(columns.length + 1);
    expect(mishaps.flat()).not.toContain("");
  });

  test("has no worse result of this library that the list of lost rows does not name", () => {
    const [lost = ""] = guide.split(lostHeading)[1]?.split("\n## ") ?? [];
    const others = columns.findIndex(({ library }) => library !== columns[0]?.library);
    for (const [name, verdicts] of kept.verdicts) {
      const ours = verdicts.slice(0, others);
      const isLost = ours.some((verdict) => verdict !== "yes") && verdicts.includes("yes");
      if (isLost) expect(lost.replaceAll(/\s+/g, " ")).toContain(`"${name}"`);
    }
  });
});

test("README and guide state the number of compared applications and libraries", () => {
  const words = numbers.split(" ");
  const counts = `${words[columns.length]} applications with ${words[libraries.length]} libraries`;
  expect(readme.replaceAll(/\s+/g, " ")).toContain(counts);
  expect(guide.replaceAll(/\s+/g, " ")).toContain(counts);
  expect(textOf("docs/README.md")).toContain(`of ${words[libraries.length]} libraries`);
});

function textOf(path: string): string {
  return readFileSync(new URL(path, root), "utf8");
}

function contenderPath(name: string): string {
  return `scripts/lab/comparisons/login/contenders/${name}`;
}

/** Reads the cells of a table. A line of dashes has the form of the generator's. */
function cellsOf(table: string): string[][] {
  return table.trim().split("\n").map((line) =>
    line.split("|").slice(1, -1).map((cell) => cell.trim().replace(/^-+$/, "---"))
  );
}

function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, "en", { numeric: true });
}
