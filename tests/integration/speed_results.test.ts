import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { keptRatio, lostGround } from "../../scripts/lab/comparisons/speed/kept_ratios.ts";
import { pages, servers } from "../../scripts/size_budgets.ts";

const results = readFileSync("scripts/lab/comparisons/speed/RESULTS.md", "utf8");

/** Returns the bytes in the row of RESULTS.md for some imports, without the goals in parentheses. */
function keptBytes(imports: string): number[] {
  const row = results.split("\n").find((line) => line.startsWith(`| ${imports} `)) ?? "";
  const [, , ...cells] = row.replaceAll(/\(.*?\)/g, "").split("|");
  return cells.slice(0, -1).map((cell) => Number(cell.replaceAll(",", "")));
}

const budgets: readonly (readonly [string, readonly number[]])[] = [
  ...pages.map(({ imports, budget }) => [imports, [budget]] as const),
  ...servers.map(({ imports, budget, fileBudget = NaN }) =>
    [imports, [budget, fileBudget]] as const
  ),
];

test.each(budgets)(
  "The kept size of %s is near its budget: else run `deno task --cwd scripts/lab bench sizes --keep`",
  (imports, budgetsOfRow) => {
    const kept = keptBytes(imports);
    expect(kept).toHaveLength(budgetsOfRow.length);
    kept.forEach((bytes, column) => {
      const budget = budgetsOfRow[column] as number;
      if (Number.isNaN(budget)) return;
      expect(bytes).toBeLessThanOrEqual(budget);
      expect(bytes).toBeGreaterThan(budget * 0.9);
    });
  },
);

test.each([
  "from five names",
  "from a decimal string",
  "add a name",
  "has a name",
  "to a list of names",
])("The kept results say that Permissions is as fast as discord.js or faster %s", (title) => {
  // From one run to the next, the same ratio differs by a few percent.
  expect(keptRatio(results, title, "discord.js")).toBeGreaterThan(0.9);
});

test("lostGround() names a ratio that is less than half of the kept one", () => {
  const measured = (ratio: number) => ({
    "has a name": ["@guildpass/sdk", "discord.js"].map((name, index) => (
      { name, time: 1, bytes: null, ratio: index ? ratio : 1 }
    )),
  });
  const kept = keptRatio(results, "has a name", "discord.js");
  expect(lostGround(measured(kept / 2), results)).toEqual([]);
  expect(lostGround(measured(kept / 4), results)).toEqual([
    `has a name: the ratio of discord.js is ${(kept / 4).toFixed(2)}, and ${kept} in RESULTS.md`,
  ]);
});
