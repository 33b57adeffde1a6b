import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import library from "../../../deno.json" with { type: "json" };
import { exampleFolder, readConfiguration } from "./support/worker.ts";

/** The version ranges of the Worker's package.json, and the tools of these tests, the oldest versions in these ranges. */
const { devDependencies } = JSON.parse(
  readFileSync(new URL("package.json", exampleFolder), "utf8"),
);
const wranglerPath = createRequire(import.meta.url).resolve("wrangler/package.json");
const wrangler = JSON.parse(readFileSync(wranglerPath, "utf8"));

describe("The oldest wrangler that the Worker allows", () => {
  test("is the version that these tests use", () => {
    expect(devDependencies.wrangler).toBe(`^${wrangler.version}`);
  });

  test.each(["wrangler.jsonc", "demo/wrangler.jsonc"])(
    "has a runtime that knows the compatibility date of %s",
    (path) => {
      // A runtime knows compatibility dates up to that of its own release.
      const { compatibilityDate: newest } = createRequire(wranglerPath)("workerd");
      expect(newest).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(readConfiguration(path).compatibilityDate <= newest).toBe(true);
    },
  );
});

test("The Worker and its demo compile with the types of Workers", () => {
  const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  const folder = fileURLToPath(exampleFolder);
  const { config } = ts.readConfigFile(`${folder}tsconfig.json`, ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  expect(fileNames).toHaveLength(4);
  const entryPoints = Object.entries(library.exports).map(([name, path]) => [
    library.name + name.slice(1),
    [here(`../../../${path}`)],
  ]);
  const packages = ["jose", "ky", "valibot"].map((name) => [
    `npm:${name}@*`,
    [here(`node_modules/${name}`)],
  ]);
  const program = ts.createProgram(fileNames, {
    ...options,
    typeRoots: [here("node_modules")],
    paths: Object.fromEntries([...entryPoints, ...packages]),
  });
  const problems = fileNames.flatMap((file) =>
    program.getSemanticDiagnostics(program.getSourceFile(file))
  );
  expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n")))
    .toEqual([]);
});
