import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import configuration from "../../deno.json" with { type: "json" };

const root = new URL("../../", import.meta.url);

/** The lock files of folders with their own tools and the library's source. They list its packages. */
const lockFiles = ["scripts", "tests/integration"].flatMap((folder) =>
  readdirSync(new URL(`${folder}/`, root))
    .map((name) => `${folder}/${name}/deno.lock`)
    .filter((path) => existsSync(new URL(path, root)))
    .filter((path) => packagesOf(path) !== undefined)
);

/** The packages of the library's own source in a lock file. */
function packagesOf(path: string): readonly string[] | undefined {
  const { workspace } = JSON.parse(readFileSync(new URL(path, root), "utf8"));
  const [library] = Object.values(workspace?.links ?? {}) as { dependencies?: string[] }[];
  return library?.dependencies;
}

describe("A lock file", () => {
  test("exists in several folders", () => {
    expect(lockFiles.length).toBeGreaterThan(2);
  });

  // If this fails, run `deno install` in the folder.
  test.each(lockFiles)("%s lists every package of the library's deno.json", (path) => {
    const names = Object.values<string>(configuration.imports)
      .filter((specifier) => specifier.startsWith("npm:"))
      .map((specifier) => specifier.replace(/@[^@]*$/, ""));
    const known = packagesOf(path)?.map((specifier) => specifier.replace(/@[^@]*$/, ""));
    expect(known?.sort()).toEqual(names.sort());
  });
});

describe("The lock file of dnt", () => {
  const { imports } = JSON.parse(readFileSync(new URL("scripts/dnt/deno.json", root), "utf8"));
  const lock = JSON.parse(readFileSync(new URL("scripts/dnt/deno.lock", root), "utf8"));
  const versions: Record<string, string> = lock.specifiers;

  // If this fails, run `deno install` in the folder.
  test("pins the version in its deno.json", () => {
    const specifier = imports["@deno/dnt"];
    expect(versions).toHaveProperty([specifier], specifier.split("@").at(-1));
  });

  test("pins the packages of dnt", () => {
    const names = Object.keys(versions).map((specifier) => specifier.replace(/@[^@]*$/, ""));
    expect(names).toEqual(
      expect.arrayContaining(["jsr:@std/fmt", "jsr:@std/fs", "jsr:@ts-morph/bootstrap"]),
    );
  });
});

const editions = ["newest", "older", "others"];

describe("The lock file of the frameworks", () => {
  test.each(editions)("in %s fits its package.json", (edition) => {
    const { packages } = npmLock(edition);
    expect(packages[""]?.dependencies).toEqual(json(edition, "package.json").dependencies);
  });

  // The `.npmrc` beside it removes the addresses.
  test.each(editions)("in %s has a digest for every package, and no address", (edition) => {
    const { packages: { "": _project, ...packages } } = npmLock(edition);
    expect(Object.keys(packages).length).toBeGreaterThan(100);
    for (const [path, entry] of Object.entries(packages)) {
      expect(entry, path).not.toHaveProperty("resolved");
      // The digest of the package around it covers a bundled package.
      if (!entry.inBundle) expect(entry.integrity, path).toMatch(/^sha512-/);
    }
  });
});

interface NpmLock {
  readonly packages: Readonly<Record<string, NpmPackage>>;
}

interface NpmPackage {
  readonly integrity?: string;
  readonly inBundle?: boolean;
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
