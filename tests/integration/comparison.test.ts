import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { columns, headingOf, libraries } from "../../scripts/lab/comparisons/login/columns.ts";
import { groups, missingFeature, rows } from "../../scripts/lab/comparisons/login/rows.ts";
import {
  cellOf,
  libraryTable,
  mishapSections,
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
const [summary = [], libraryCells = [], ...mishapTables] = tables;
const [, , ...libraryRows] = libraryCells;
const mishapHead = mishapTables[0]?.[0] ?? [];
const mishaps = mishapTables.flatMap(([, , ...found]) => found);

const lostHeading = "## The rows that this library loses\n";

/** The results in the guide's tables of mishaps. */
const kept: Results = {
  date: mishapHead[0]?.replace("Tested ", "") ?? "",
  verdicts: new Map(mishaps.map(([name = "", ...cells]) => [name, cells.map(verdictIn)])),
};

const numbers = "zero one two three four five six seven eight nine ten eleven twelve thirteen " +
  "fourteen fifteen sixteen seventeen eighteen nineteen twenty";

describe("The summary", () => {
  const modules = Object.values(summaryColumns);
  const good: Results = {
    date: "2027-01-31",
    verdicts: new Map(rows.map(({ name }) => [name, columns.map(() => "yes")])),
  };

  test("has a cross where any of the measured rows behind it is not good", () => {
    const [, , ...goodRows] = cellsOf(summaryTable(good));
    const measured = goodRows.slice(0, -1);
    for (const [, ...cells] of measured) expect(new Set(cells)).toEqual(new Set(["✓"]));

    const index = columns.findIndex(({ module }) => module === modules[2]);
    const rowsBehind: Record<string, string[]> = {};
    for (const { name } of rows) {
      const verdicts = new Map(good.verdicts);
      verdicts.set(name, columns.map((_, column) => column === index ? "an error" : "yes"));
      const [, , ...found] = cellsOf(summaryTable({ ...good, verdicts }));
      for (const [label = "", ...cells] of found.slice(0, -1)) {
        if (cells.every((cell) => cell === "✓")) continue;
        expect(cells).toEqual(modules.map((_, column) => column === 2 ? "✗" : "✓"));
        (rowsBehind[label] ??= []).push(name);
      }
    }
    expect(rowsBehind).toEqual({
      "Logins in two tabs both work": [
        "Logins in two tabs both work if the older tab finishes first",
        "Logins in two tabs both work if the newer tab finishes first",
      ],
      "Users see an error page within 15 s if Discord doesn't respond": [
        "A visitor sees a page within 15 seconds if Discord doesn't respond",
      ],
      "A stolen code is useless": [
        "Code injection: a thief can't log in with a stolen code",
      ],
      "Logging out disables copied cookies": [
        "After a logout, a copied session cookie no longer works",
      ],
      "Another site can't start a login": [
        "Another site can't start a login with a link or form",
      ],
    });
  });

  test("has neither mark where the library does not have the feature", () => {
    const verdicts = new Map(rows.map(({ name }) => [name, columns.map(() => missingFeature)]));
    const [, , ...found] = cellsOf(summaryTable({ ...good, verdicts }));
    for (const [, ...cells] of found.slice(0, -1)) expect(new Set(cells)).toEqual(new Set(["n/a"]));
  });

  test("refuses results without a row that it needs", () => {
    expect(() => summaryTable({ ...good, verdicts: new Map() })).toThrow("have no row");
  });

  test("has six rows and six applications, and as many rows that this library loses as it wins", () => {
    const [head = [], , ...found] = summary;
    expect(head.slice(1)).toEqual(Object.keys(summaryColumns));
    expect(head.slice(1)).toHaveLength(6);
    expect(found.map(([label]) => label)).toEqual(summaryRows.map(({ label }) => label));
    expect(found).toHaveLength(6);
    const lost = found.filter(([, ours, , ...others]) => ours === "✗" && others.includes("✓"));
    expect(lost).toHaveLength(3);
  });

  test("has the results of the tables of mishaps", () => {
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
    expect(cellOf(missingFeature)).toBe(missingFeature);
  });

  test("gives its verdict back", () => {
    for (const verdict of ["yes", "an error", missingFeature]) {
      expect(verdictIn(cellOf(verdict))).toBe(verdict);
    }
  });
});

describe("The table of libraries in the guide", () => {
  test("has a row for every library, with the facts in the code", () => {
    const packages = new Map(libraries.map((library, index) => {
      const [, , , , license = "", bytes = ""] = libraryRows[index] ?? [];
      return [library, { version: testedVersions(index).join(" and "), license, bytes }];
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

  test("states the same bytes for this library as the results of the benchmark", () => {
    const [, bytes] = /^\| Login +\| +[\d,]+ \| +([\d,]+) \|$/m.exec(
      textOf("scripts/lab/comparisons/speed/RESULTS.md"),
    ) ?? [];
    expect(libraryRows[0]?.[5]).toBe(bytes);
  });

  test("names the tested version of each library, or of each of its majors, and no older last release", () => {
    for (const [index, library] of libraries.entries()) {
      const tested = testedVersions(index);
      const majors = columns.filter((column) => column.library === library)
        .map(({ major }) => `${major ?? /\d+/.exec(tested[0] ?? "")}`);
      expect(tested.map((version) => version.split(".")[0])).toEqual([...new Set(majors)]);
      const [newest = ""] = versionsIn(library.lastRelease).sort(compareVersions).slice(-1);
      for (const version of tested) {
        expect(compareVersions(version, newest)).toBeLessThanOrEqual(0);
      }
    }
  });
});

describe("The advice on choosing a library", () => {
  const [, advice = ""] = /## Choosing a library\n([^]*?)\n## /.exec(guide) ?? [];
  const lines = advice.replaceAll(/\s+/g, " ");

  test("says that this library with a store has one row that is not good", () => {
    const index = columns.findIndex(({ module }) => module === "guildpass_with_store");
    const missed = [...kept.verdicts.values()].filter((verdicts) => verdicts[index] !== "yes");
    expect(missed).toHaveLength(1);
    expect(lines).toContain("it passes every [test](#the-mishaps) except one");
  });

  test("says that only better-auth has account linking and rate limiting", () => {
    const both = libraries.filter(({ accountLinking, rateLimiting }) =>
      accountLinking.startsWith("✓") && rateLimiting.startsWith("✓")
    );
    expect(both.map((library) => library.package)).toEqual(["better-auth"]);
    expect(lines).toContain("**`better-auth`** if you need account linking and rate limiting");
  });
});

test("The legend of the summary has the tested version of each column", () => {
  const [, legend = ""] = /## At a glance\n([^]*?)\n## /.exec(guide) ?? [];
  for (const module of Object.values(summaryColumns)) {
    const column = columns.find((column) => column.module === module);
    const index = libraries.findIndex((library) => library === column?.library);
    const tested = testedVersions(index);
    const version = tested.find((one) => one.startsWith(`${column?.major}.`)) ?? tested[0];
    expect(legend.replaceAll(/\s+/g, " ")).toContain(`\`${column?.library.package}\` ${version}`);
  }
});

describe("The tables of mishaps in the guide", () => {
  test("have a column for every contender in the code", () => {
    const modules = readdirSync(new URL("scripts/lab/comparisons/login/contenders/", root))
      .filter((name) => /^export const contender\b/m.test(textOf(contenderPath(name))));
    expect(columns.map(({ module }) => `${module}.ts`).sort()).toEqual(modules.sort());
    expect(mishapHead.slice(1)).toEqual(columns.map(headingOf));
  });

  test("are the generator's sections, with a heading and a table for each group", () => {
    expect(groups.length).toBeGreaterThan(2);
    const sections = mishapSections(kept, groups);
    expect(partsOf(guide)).toContain(partsOf(sections));
  });

  test("name the date", () => {
    expect(kept.date).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  test("list the rows of the comparison, in the same order", () => {
    expect(mishaps.map(([name]) => name)).toEqual(rows.map(({ name }) => name));
  });

  test("have a cell for every application in every row", () => {
    for (const row of mishaps) expect(row).toHaveLength(columns.length + 1);
    expect(mishaps.flat()).not.toContain("");
  });

  test("have no worse result of this library that the list of lost rows does not name", () => {
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

/** Returns a text with its tables in the form of the generator's, on lines without padding. */
function partsOf(text: string): string {
  return text.split("\n").map((line) =>
    line.startsWith("|") ? `| ${cellsOf(line)[0]?.join(" | ")} |` : line
  ).join("\n");
}

/** Returns the tested version of a library, or of each of its majors. */
function testedVersions(index: number): string[] {
  const [tested = ""] = libraryRows[index]?.[1]?.split("(last release:") ?? [];
  return versionsIn(tested);
}

/** Returns the versions in a text, without those in URLs. */
function versionsIn(text: string): string[] {
  return text.match(/(?<![\w/.%@-])\d+\.\d+\.\d+(-\w+\.\d+)?/g) ?? [];
}

function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, "en", { numeric: true });
}
