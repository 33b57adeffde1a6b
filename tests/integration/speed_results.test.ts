import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
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
