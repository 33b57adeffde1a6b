import { existsSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { recipeFiles, recipes } from "../../src/command/recipes.ts";

const root = new URL("../../", import.meta.url);

/** The files and folders that `init` does not copy, with a reason. */
const others: Readonly<Record<string, string>> = {
  "beside/": "for an application that has another login",
  "beside_next/": "for an application that has another login",
  "deno.ts": "an application of Deno has no package.json",
  "nest/src/main-fastify.ts": "the starter of Nest has a file in its place",
  "nest/src/main.ts": "the starter of Nest has the same file",
  "workers/": "a Worker with a database, a whole application",
};

describe("The recipes of init", () => {
  test("are those of examples/frameworks", () => {
    const files = readdirSync(new URL("examples/frameworks/", root), {
      recursive: true,
      withFileTypes: true,
    }).filter((entry) => entry.isFile())
      .map(({ parentPath, name }) =>
        `${parentPath}/${name}`.replace(/^.*examples\/frameworks\/+/, "")
      )
      .filter((path) => !Object.keys(others).some((other) => path.startsWith(other)));
    expect(recipeFiles.toSorted()).toEqual(
      files.map((path) => `examples/frameworks/${path}`).sort(),
    );
  });

  test.each(recipes)("have a place for each file, a guide and a step for $title", (recipe) => {
    const places = Object.values({ ...recipe.files, ...recipe.homePage, ...recipe.merged });
    expect(new Set(places).size).toBe(places.length);
    expect(places.filter((place) => /^\/|\.\.\/|\\/.test(place))).toEqual([]);
    expect(existsSync(new URL(`docs/${recipe.guide}`, root))).toBe(true);
    expect(recipe.steps.join()).toMatch(/Start /);
  });

  test("come in an order in which each can be found", () => {
    const found = (packages: readonly string[], folder: string | undefined) =>
      recipes.find((one) =>
        one.packages.every((name) => packages.includes(name)) &&
        (one.folder === undefined || one.folder === folder)
      );
    for (const recipe of recipes) expect(found(recipe.packages, recipe.folder)).toBe(recipe);
  });
});
