import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const root = new URL("../../", import.meta.url);

/** Matches an address of a file: `new URL("…", import.meta.url)`, or one below an address with one of these names. */
function fileUrlPattern(names: Iterable<string>): string {
  return String.raw`new URL\([^()]*,\s*(?:import\.meta\.url|${[...names].join("|")}),?\s*\)`;
}

/** Returns the names of constants that are addresses of files. */
function namesOfFileUrls(source: string, imported: Iterable<string> = []): Set<string> {
  const names = new Set(imported);
  for (let known = -1; known < names.size;) {
    known = names.size;
    const definition = new RegExp(
      String.raw`(\w+)(?:: URL)? =\s+${fileUrlPattern(["import.meta.url", ...names])}`,
      "g",
    );
    for (const [, name = ""] of source.matchAll(definition)) names.add(name);
  }
  return names;
}

/** Returns the code that takes the path from the address of a file by `pathname`. */
function findPathnames(source: string, imported: Iterable<string> = []): string[] {
  const names = [...namesOfFileUrls(source, imported), "import.meta.url"];
  const address = `(?:${fileUrlPattern(names)}|\\b(?:${names.join("|")}))`;
  const patterns = [`${address}\\.pathname`, `\\{[^{}]*\\bpathname\\b[^{}]*\\} = ${address};`];
  return patterns.flatMap((pattern) => source.match(new RegExp(pattern, "g")) ?? []);
}

/** Returns the paths of the TypeScript files in a folder, without packages and hidden folders. */
function sourcesIn(folder: string): string[] {
  return readdirSync(new URL(folder, root), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === "node_modules" || entry.name.startsWith(".")) return [];
    if (entry.isDirectory()) return sourcesIn(`${folder}${entry.name}/`);
    return /\.m?ts$/.test(entry.name) ? [folder + entry.name] : [];
  });
}

const sources = ["scripts/", "tests/"].flatMap(sourcesIn)
  .map((path) => ({ path, source: readFileSync(new URL(path, root), "utf8") }));

// The pathname of an address has `%20` for a space, and `/C:/` on Windows. `fileURLToPath` returns the path.
describe("The pathname of a file's address", () => {
  test("is not used as a path in scripts and tests", () => {
    const exported = sources.flatMap(({ source }) =>
      [...namesOfFileUrls(source)].filter((name) => source.includes(`export const ${name}`))
    );
    const found = sources.filter(({ path }) => path !== "tests/integration/file_paths.test.ts")
      .flatMap(({ path, source }) =>
        findPathnames(source, exported.filter((name) => source.includes(`  ${name},`)))
          .map((code) => `${path}: ${code}`)
      );
    expect(sources.length).toBeGreaterThan(200);
    expect(found).toEqual([]);
  });

  test.each([
    'const path = new URL("a.ts", import.meta.url).pathname;',
    'const root = new URL("../", import.meta.url);\nrun(root.pathname);',
    'const root = new URL("../", import.meta.url);\nrun(new URL("a/", root).pathname);',
    'const root = new URL("../", import.meta.url);\nconst a =\n  new URL("a/", root);\nrun(a.pathname);',
    'const { pathname } = new URL("a.ts", import.meta.url);',
  ])("is found in %j", (source) => {
    expect(findPathnames(source)).toHaveLength(1);
  });

  test.each([
    "const { pathname } = new URL(request.url);",
    'const path = new URL("/callback", origin).pathname;',
    'const path = fileURLToPath(new URL("a.ts", import.meta.url));',
  ])("is not found in %j", (source) => {
    expect(findPathnames(source)).toEqual([]);
  });
});
