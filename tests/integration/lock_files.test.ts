import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
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

const frameworks = "tests/integration/frameworks/projects";
const logins = "scripts/lab/comparisons/login";
const npmProjects = [
  ...["newest", "older", "others"].map((edition) => `${frameworks}/${edition}`),
  ...["next_auth_4", "next_auth_5", "nuxt"].map((login) => `${logins}/${login}`),
  "tests/integration/runtimes/tools",
];

// If this fails, run `npm install --package-lock-only` in the folder.
describe("The lock file of npm", () => {
  test.each(npmProjects)("in %s fits its package.json", (folder) => {
    const { packages } = npmLock(folder);
    expect(packages[""]?.dependencies).toEqual(json(folder, "package.json").dependencies);
  });

  // The `.npmrc` beside it removes the addresses.
  test.each(npmProjects)("in %s has a digest for every package, and no address", (folder) => {
    const { packages: { "": _project, ...packages } } = npmLock(folder);
    expect(Object.keys(packages).length).toBeGreaterThan(50);
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

function npmLock(folder: string): NpmLock {
  return json(folder, "package-lock.json");
}

function json(folder: string, name: string) {
  return JSON.parse(readFileSync(new URL(`${folder}/${name}`, root), "utf8"));
}

/** The only scripts that install packages without a lock file, each with its reason. */
const unlocked: Readonly<Record<string, string>> = {
  "scripts/check_older_version.ts": "the latest published version",
  "scripts/docs_site/api_pages.ts": "nothing: `add` is a method of `Permissions`",
  "scripts/drift.ts": "the newest types of others",
  "tests/integration/runtimes/project.ts": "the packed package, with the versions in deno.lock",
  "tests/integration/runtimes/smoke_tests.ts": "the packed package, with the versions in deno.lock",
  "tests/integration/runtimes/tools.ts": "tools for other machines than that of the checks",
};

describe("The gate", () => {
  const gate = readFileSync(new URL(".ci/run", root), "utf8");

  test("installs no package that a lock file lacks", () => {
    const installations = gate.split("\n").filter((line) => /run_deno .*\binstall\b/.test(line));
    expect(installations).not.toEqual([]);
    for (const line of installations) expect(line).toContain("--frozen");
    const others = configuration.tasks.workflows.command;
    expect(others).toMatch(/--lock=\S+ --frozen /);
  });

  test("installs the packages of a folder before its tasks", () => {
    const [, lanes = ""] = /^run_lane\(\) \{\n([^]*?)^\}/m.exec(gate) ?? [];
    const missing = lanes.split(";;").flatMap((lane) =>
      [...lane.matchAll(/run_task --cwd (\S+)/g)]
        .filter(([, folder]) => existsSync(new URL(`${folder}/deno.lock`, root)))
        .filter(({ 1: folder, index }) => !lane.slice(0, index).includes(`install ${folder}\n`))
        .map(([task]) => task)
    );
    expect(lanes).toContain("run_task --cwd");
    expect(missing).toEqual([]);
  });

  test("has scripts that install packages as a lock file says, with a few exceptions", () => {
    const command = /\[[^\]]*"(?:install|add|ci)"(?![^\]]*"--frozen")[^\]]*\]/;
    const found = ["scripts/", "tests/"].flatMap((folder) =>
      globSync(`${folder}**/*.ts`, {
        cwd: root,
        exclude: (path) => /node_modules|\.projects|test\.ts$/.test(path),
      })
    )
      .map((path) => path.replaceAll("\\", "/"))
      .filter((path) => command.test(readFileSync(new URL(path, root), "utf8")));
    expect(found.sort()).toEqual([...Object.keys(unlocked), "scripts/npm_ci.ts"].sort());
  });
});
