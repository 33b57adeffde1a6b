import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import configuration from "../../deno.json" with { type: "json" };

const root = new URL("../../", import.meta.url);

/** The lock files in folders with tools of their own, which list the packages of the library too when they use its source. */
const lockFiles = ["scripts/comparisons", "tests/integration"].flatMap((folder) =>
  readdirSync(new URL(`${folder}/`, root))
    .map((name) => `${folder}/${name}/deno.lock`)
    .filter((path) => existsSync(new URL(path, root)))
    .filter((path) => packagesOf(path) !== undefined)
);

/** The packages that a lock file has for the library's own source. */
function packagesOf(path: string): readonly string[] | undefined {
  const { workspace } = JSON.parse(readFileSync(new URL(path, root), "utf8"));
  const [library] = Object.values(workspace?.links ?? {}) as { dependencies?: string[] }[];
  return library?.dependencies;
}

describe("A lock file", () => {
  test("is looked at in every folder that uses the source", () => {
    expect(lockFiles.length).toBeGreaterThan(2);
  });

  // `deno install` in the folder mends it; with --frozen, as elsewhere, it would fail.
  test.each(lockFiles)("%s knows every package that the library's deno.json has", (path) => {
    const names = Object.values<string>(configuration.imports)
      .filter((specifier) => specifier.startsWith("npm:"))
      .map((specifier) => specifier.replace(/@[^@]*$/, ""));
    const known = packagesOf(path)?.map((specifier) => specifier.replace(/@[^@]*$/, ""));
    expect(known?.sort()).toEqual(names.sort());
  });
});

const editions = ["newest", "older"];

describe("The lock file of the frameworks", () => {
  test.each(editions)("in %s goes with its package.json", (edition) => {
    const { packages } = npmLock(edition);
    expect(packages[""]?.dependencies).toEqual(json(edition, "package.json").dependencies);
  });

  // `.npmrc` beside it has npm leave the addresses out.
  test.each(editions)("in %s says what is installed, and not from where", (edition) => {
    const { packages: { "": _project, ...packages } } = npmLock(edition);
    expect(Object.keys(packages).length).toBeGreaterThan(100);
    for (const [path, entry] of Object.entries(packages)) {
      expect(entry, path).not.toHaveProperty("resolved");
      expect(entry.integrity, path).toMatch(/^sha512-/);
    }
  });
});

interface NpmLock {
  readonly packages: Readonly<Record<string, NpmPackage>>;
}

interface NpmPackage {
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

function npmLock(edition: string): NpmLock {
  return json(edition, "package-lock.json");
}

function json(edition: string, name: string) {
  return JSON.parse(
    readFileSync(new URL(`tests/integration/frameworks/projects/${edition}/${name}`, root), "utf8"),
  );
}
