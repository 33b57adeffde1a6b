/**
 * Builds the npm package in npm/, packs it there, and prints the tarball's path.
 *
 * dnt builds it. On a machine that can't reach JSR, dnt can't be loaded, and TypeScript alone compiles the same files.
 * `--release` fails then. `--without-dnt` does not try to load it. `scripts/check_build.ts` compares the two builds.
 *
 * @module
 */

import { recipeFiles } from "../src/command/recipes.ts";
import { run } from "./command.ts";
import { bundleDemo } from "./bundle_demo.ts";
import { bundlePageFile } from "./bundle_page_file.ts";
import { compilePackage, type Dependencies } from "./compile_package.ts";
import { filesBelow } from "./files.ts";
import {
  builtPath,
  dntBuildOptions,
  documents,
  entryPoints,
  findTarball,
  metadata,
  packageDirectory,
} from "./package.ts";

/** The folder of the script that runs dnt. */
const dntFolder = new URL("dnt/", import.meta.url);

if (import.meta.main) {
  try {
    await buildNpm(
      Deno.args.includes("--release"),
      Deno.args.includes("--without-dnt"),
    );
    console.log(findTarball());
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    Deno.exitCode = 1;
  }
}

/** Builds and packs the package. Only dnt may build a release. */
async function buildNpm(release: boolean, withoutDnt: boolean): Promise<void> {
  // Before everything else, so that no tarball of an earlier build is there to publish after a failure.
  await emptyPackageDirectory();
  const hasDnt = !withoutDnt && await loadDnt(release);
  const dependencies = hasDnt ? await buildWithDnt() : compilePackage(packageDirectory);
  await removeUnreachableDeclarations();
  await unwrapDefaults();
  // Before the file for pages, since esbuild reads it.
  await writeManifest(dependencies);
  await bundlePageFile(packageDirectory);
  await bundleDemo(inPackage("esm/"));
  await copyRecipes();
  for (const document of documents) {
    await Deno.copyFile(new URL(`../${document}`, import.meta.url), inPackage(document));
  }
  await run(["npm", "pack", "--silent"], { cwd: packageDirectory });
}

/** Removes an earlier build, but not the `.gitignore` that keeps builds out of the repository. */
async function emptyPackageDirectory(): Promise<void> {
  for await (const { name } of Deno.readDir(packageDirectory)) {
    if (name !== ".gitignore") await Deno.remove(inPackage(name), { recursive: true });
  }
}

/** Loads dnt into Deno's cache. Returns false if it can't be loaded, unless the build is a release. */
async function loadDnt(release: boolean): Promise<boolean> {
  try {
    await runDeno("cache", "build.ts");
    return true;
  } catch (error) {
    const reason = /error: (.*)/.exec(String(error))?.[1] ?? error;
    if (release) {
      throw new Error(`Could not build a release, as dnt could not be loaded: ${reason}`);
    }
    console.error(
      `Building with TypeScript alone, as dnt could not be loaded: ${reason}\n` +
        "The package works the same. Only a release needs dnt",
    );
    return false;
  }
}

async function buildWithDnt(): Promise<Dependencies> {
  await runDeno("run", "--cached-only", "-A", "build.ts", JSON.stringify(dntBuildOptions));
  // It holds `"type": "module"`, which `metadata` has for the whole package.
  await Deno.remove(inPackage("esm/package.json")).catch(() => {});
  return JSON.parse(await Deno.readTextFile(inPackage("package.json"))).dependencies;
}

/** Runs a command of Deno in the folder of dnt, with its lock file. A build does not change that file. */
async function runDeno(...command: string[]): Promise<void> {
  const lockFile = new URL("deno.lock", dntFolder);
  const lock = await Deno.readTextFile(lockFile);
  try {
    await run([Deno.execPath(), ...command], { cwd: dntFolder, env: { NO_COLOR: "1" } });
  } finally {
    await Deno.writeTextFile(lockFile, lock);
  }
}

/** Removes the declarations that no entry point imports, directly or through others. */
async function removeUnreachableDeclarations(): Promise<void> {
  const reached = new Set(
    entryPoints.map(({ path }) => inPackage(builtPath(path, ".d.ts")).href),
  );
  for (const declarations of reached) {
    for (
      const [, module] of (await Deno.readTextFile(new URL(declarations))).matchAll(
        /"(\.[^"]+)\.js"/g,
      )
    ) {
      reached.add(new URL(`${module}.d.ts`, declarations).href);
    }
  }
  for (const path of filesBelow(inPackage("esm/"))) {
    const file = inPackage(`esm/${path}`);
    if (path.endsWith(".d.ts") && !reached.has(file.href)) await Deno.remove(file);
  }
}

/** Removes the braces around the value of each `@default`. JSR needs them, and editors would show them. */
async function unwrapDefaults(): Promise<void> {
  for (const path of filesBelow(inPackage("esm/"))) {
    if (!path.endsWith(".d.ts")) continue;
    const file = inPackage(`esm/${path}`);
    const text = await Deno.readTextFile(file);
    await Deno.writeTextFile(file, text.replace(/(?<=@default )\{(.*)\}(?=\s)/g, "$1"));
  }
}

/** Copies the recipes of `guildpass init`, at their paths in the repository. */
async function copyRecipes(): Promise<void> {
  for (const path of recipeFiles) {
    const file = inPackage(`esm/${path}`);
    await Deno.mkdir(new URL("./", file), { recursive: true });
    await Deno.copyFile(new URL(`../${path}`, import.meta.url), file);
  }
}

async function writeManifest(dependencies: Dependencies): Promise<void> {
  const sorted = Object.fromEntries(Object.entries(dependencies).sort());
  const manifest = {
    ...metadata,
    files: ["esm", "CHANGELOG.md"],
    dependencies: sorted,
  };
  await Deno.writeTextFile(inPackage("package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

function inPackage(path: string): URL {
  return new URL(path, packageDirectory);
}
