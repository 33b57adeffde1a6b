import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { columns, headingOf, libraries } from "../../scripts/lab/comparisons/login/columns.ts";
import { rows } from "../../scripts/lab/comparisons/login/rows.ts";

const root = new URL("../../", import.meta.url);
const guide = textOf("docs/comparison.md");
const readme = textOf("README.md");

const [libraryTable, mishapTable] = [...guide.matchAll(/(?:^\|.*\|\n)+/gm)].map(([table]) =>
  table.trim().split("\n").map(cellsOf)
);
const [libraryHead = [], , ...libraryRows] = libraryTable ?? [];
const [mishapHead = [], , ...mishapRows] = mishapTable ?? [];
const [statuses = [], releases = [], versions = [], lines = [], ...mishaps] = mishapRows;

const numbers = "zero one two three four five six seven eight nine ten eleven twelve thirteen " +
  "fourteen fifteen sixteen seventeen eighteen nineteen twenty";

describe("The table of libraries in the guide", () => {
  test("has a row for every library, with the facts in the code", () => {
    const facts = libraryRows.map(([name, status, release, since, _license, _bytes, ...more]) => [
      name,
      status,
      release,
      since,
      ...more,
    ]);
    expect(facts).toEqual(libraries.map((library) => [
      `\`${library.package}\``,
      library.status,
      library.lastRelease,
      `${library.since}`,
      library.severalProviders,
      library.accountLinking,
      library.rateLimiting,
    ]));
  });

  test("has no empty cell", () => {
    for (const row of libraryRows) expect(row).toHaveLength(libraryHead.length);
    expect(libraryRows.flat()).not.toContain("");
  });

  test("has larger bundles only for the libraries named in the guide", () => {
    const bundles = libraryRows.map(([name = "", , , , , bytes = ""]) => ({
      name,
      bytes: (bytes.match(/[\d,]+/g) ?? []).map((text) => Number(text.replaceAll(",", ""))),
    }));
    const ours = bundles[0]?.bytes[0] ?? 0;
    const larger = bundles.filter(({ bytes }) => bytes.some((one) => one > ours));
    const [, named = ""] = /only those of ([^.]*) are\s+larger/.exec(guide) ?? [];
    expect(named.match(/`.*?`/g)).toEqual(larger.map(({ name }) => name));
  });

  test("names no release older than the compared one", () => {
    for (const [index, { library: { lastRelease } }] of columns.entries()) {
      const known = lastRelease.match(/(?<![\w/.%@-])\d+\.\d+\.\d+(-\w+\.\d+)?/g) ?? ["0.1.0"];
      const [newest] = [...known].sort(compareVersions).slice(-1);
      expect(compareVersions(versions[index + 1] ?? "", newest ?? "")).toBeLessThanOrEqual(0);
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

  test("names the date, and the status, the last release and the version of each library", () => {
    expect(mishapHead[0]).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(statuses.slice(1)).toEqual(columns.map(({ library }) => library.status));
    expect(releases.slice(1)).toEqual(columns.map(({ library }) => library.lastRelease));
    for (const [index, { major }] of columns.entries()) {
      expect(versions[index + 1]).toMatch(new RegExp(`^${major ?? "\\d+"}\\.\\d+\\.\\d+`));
      expect(lines[index + 1]).toMatch(/^\d+$/);
    }
  });

  test("lists the rows of the comparison, in the same order", () => {
    expect(mishaps.map(([name]) => name)).toEqual(rows.map(({ name }) => name));
  });

  test("has a cell for every application in every row", () => {
    for (const row of mishapRows) expect(row).toHaveLength(columns.length + 1);
    expect(mishapRows.flat()).not.toContain("");
  });

  test("names every cell with a worse result of this library, in the list below the table", () => {
    const [, lost = ""] = guide.split("## The rows that this library loses\n");
    const others = columns.findIndex(({ library }) => library !== columns[0]?.library);
    for (const [name = "", ...cells] of mishaps) {
      const ours = cells.slice(0, others);
      const isLost = ours.some((cell) => cell !== "yes") && cells.includes("yes");
      if (isLost) expect(lost.replaceAll(/\s+/g, " ")).toContain(`"${name}"`);
    }
  });
});

test("README and guide state the number of compared applications and libraries", () => {
  const words = numbers.split(" ");
  const counts = `${words[columns.length]} applications with ${words[libraries.length]} libraries`;
  expect(readme.replaceAll(/\s+/g, " ")).toContain(counts);
  expect(guide.replaceAll(/\s+/g, " ")).toContain(counts);
  expect(readme).toContain(`of ${words[libraries.length]} libraries`);
});

function textOf(path: string): string {
  return readFileSync(new URL(path, root), "utf8");
}

function contenderPath(name: string): string {
  return `scripts/lab/comparisons/login/contenders/${name}`;
}

function cellsOf(line: string): string[] {
  return line.split("|").slice(1, -1).map((cell) => cell.trim());
}

function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, "en", { numeric: true });
}
