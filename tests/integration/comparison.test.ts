import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { rows } from "../../scripts/comparisons/login/rows.ts";

const guide = readFileSync(new URL("../../docs/comparison.md", import.meta.url), "utf8");
const [head = [], , ...body] = guide.split("\n").filter((line) => line.startsWith("|"))
  .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
const mishaps = body.slice(2);

describe("The comparison of logins in the guide", () => {
  test("lists the rows that the comparison runs, in the same order", () => {
    expect(mishaps.map(([name]) => name)).toEqual(rows.map(({ name }) => name));
  });

  test("has a cell for every application in every row", () => {
    expect(head.length).toBeGreaterThan(7);
    for (const row of body) expect(row).toHaveLength(head.length);
    expect(body.flat()).not.toContain("");
  });
});
