/**
 * Builds the npm package in npm/ and packs it there; prints the tarball's path.
 *
 * dnt builds it. Where dnt can't be loaded (JSR is out of reach on some machines), TypeScript compiles it, as dnt does
 * underneath: the same files, except for what source maps say of them. `--release` refuses that, as nothing compares
 * the two.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { run } from "./command.ts";
import { compilePackage, type Dependencies } from "./compile_package.ts";
import { filesBelow } from "./files.ts";
import {
  type DntBuildOptions,
  dntBuildOptions,
  documents,
  metadata,
  packageDirectory,
} from "./package.ts";

/** In a variable, since Deno loads a literal in `import()`, like anything in `deno.json`, before it runs a script. */
const dnt = "jsr:@deno/dnt@0.43.2";

if (import.meta.main) {
  try {
    console.log(await buildNpm(Deno.args.includes("--release")));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    Deno.exitCode = 1;
  }
}

/** Builds and packs the package, and gives the tarball's path. A package that will be published must be built by dnt. */
async function buildNpm(release: boolean): Promise<string> {
  const module = await loadDnt(release);
  await empty();
  const dependencies = module ? await buildWithDnt(module) : compilePackage(packageDirectory);
  await dropUnreachableDeclarations();
  await writeManifest(dependencies);
  for (const document of documents) {
    await Deno.copyFile(new URL(`../${document}`, import.meta.url), inPackage(document));
  }
  const tarball = await run(["npm", "pack", "--silent"], { cwd: packageDirectory });
  return fileURLToPath(inPackage(tarball.trim()));
}

/** Removes an earlier build, but not the `.gitignore` that keeps it out of the repository. */
async function empty(): Promise<void> {
  for await (const { name } of Deno.readDir(packageDirectory)) {
    if (name !== ".gitignore") await Deno.remove(inPackage(name), { recursive: true });
  }
}

interface Dnt {
  build(options: DntBuildOptions): Promise<void>;
}

async function loadDnt(release: boolean): Promise<Dnt | null> {
  const lock = new URL("../deno.lock", import.meta.url);
  const locked = await Deno.readTextFile(lock);
  try {
    return await import(dnt);
  } catch (error) {
    const [reason] = String(error).split("\n");
    if (release) {
      throw new Error(`Could not build a release, as dnt could not be loaded: ${reason}`);
    }
    console.error(
      `Building with TypeScript alone, as dnt could not be loaded: ${reason}\n` +
        "It is the same package as far as is known, but a release must be built by dnt",
    );
    return null;
  } finally {
    // Deno adds what it loads, but dnt is no dependency: whoever runs the tests need not download it.
    await Deno.writeTextFile(lock, locked);
  }
}

async function buildWithDnt({ build }: Dnt): Promise<Dependencies> {
  await build(dntBuildOptions);
  const manifest = inPackage("package.json");
  // dnt says there what `metadata` says for the whole package.
  await Deno.remove(inPackage("esm/package.json")).catch(() => {});
  return JSON.parse(await Deno.readTextFile(manifest)).dependencies;
}

/** Removes the declarations that no public one imports. */
async function dropUnreachableDeclarations(): Promise<void> {
  const reached = new Set(
    Object.values(metadata.exports).map(({ types }) => inPackage(types).href),
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

async function writeManifest(dependencies: Dependencies): Promise<void> {
  const sorted = Object.fromEntries(Object.entries(dependencies).sort());
  const manifest = { ...metadata, files: ["esm", "CHANGELOG.md"], dependencies: sorted };
  await Deno.writeTextFile(inPackage("package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

function inPackage(path: string): URL {
  return new URL(path, packageDirectory);
}
