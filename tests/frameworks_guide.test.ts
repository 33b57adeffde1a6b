import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const folder = new URL("../examples/frameworks/", import.meta.url);

const recipes = readdirSync(folder, { recursive: true }).map(String)
  .filter((path) => /\.(ts|tsx|svelte|astro)$/.test(path)).sort();

/** The code of a recipe, without the comment that introduces it. */
function codeOf(recipe: string): string {
  return readFileSync(new URL(recipe, folder), "utf8").replace(/^\/\*\*.*?\*\/\n\n/s, "");
}

describe("The guide to frameworks", () => {
  const text = readFileSync(new URL("../docs/frameworks.md", import.meta.url), "utf8");
  const blocks = [...text.matchAll(/^```(?:ts|tsx|svelte|astro)\n(.*?)^```$/gms)]
    .map(([, code]) => code);

  test("shows every recipe as it is tested, and no other code", () => {
    expect(recipes.length).toBeGreaterThan(6);
    expect(blocks.toSorted()).toEqual(recipes.map(codeOf).toSorted());
  });
});

test.each(recipes)("The recipe %s has less than 15 lines besides its imports", (recipe) => {
  const lines = codeOf(recipe).split("\n").filter((line) => !/^$|^import /.test(line));
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.length).toBeLessThan(15);
});
