/**
 * Builds the npm package in npm/ and packs it there; prints the tarball's path.
 *
 * dnt builds it. Where dnt can't be loaded (JSR is out of reach on some machines), `deno pack` does, and the package is
 * the same: the same files, entry points and `package.json`.
 *
 * @module
 */

import { fileURLToPath, pathToFileURL } from "node:url";
import config from "../deno.json" with { type: "json" };
import { run } from "./command.ts";
import {
  type DntBuildOptions,
  dntBuildOptions,
  documents,
  metadata,
  packageDirectory,
  program,
} from "./package.ts";

/** In a variable, as Deno loads what stands in an `import()`, or in `deno.json`, before it runs anything. */
const dnt = "jsr:@deno/dnt@0.43.2";

if (import.meta.main) console.log(await buildNpm());

/** Builds and packs the package, and gives the tarball's path. */
export async function buildNpm(): Promise<string> {
  await empty();
  const module = await loadDnt();
  if (module) await module.build(dntBuildOptions);
  else await buildWithDenoPack();
  await dropUnreachableDeclarations();
  await finishMetadata();
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

async function loadDnt(): Promise<Dnt | null> {
  try {
    return await import(dnt);
  } catch (error) {
    const [reason] = String(error).split("\n");
    console.error(`Building with "deno pack", as dnt could not be loaded: ${reason}`);
    return null;
  }
}

/** Leaves in npm/ what dnt does: modules with declarations and source maps in esm/, and the dependencies. */
async function buildWithDenoPack(): Promise<void> {
  const temporary = await Deno.makeTempDir();
  // It packs what the exports reach. The program is none of them, so it is made one for as long as that takes;
  // the paths in it are read from where the file is.
  const withProgram = new URL("../.npm-build.deno.json", import.meta.url);
  const exports = { ...config.exports, [`./${program.name}`]: program.path };
  await Deno.writeTextFile(withProgram, JSON.stringify({ ...config, exports }));
  try {
    const tarball = `${temporary}/package.tgz`;
    const configFile = fileURLToPath(withProgram);
    // Dirty, as what is not committed yet is built too, to be tested.
    const flags = ["--quiet", "--allow-dirty", "--config", configFile, "--output", tarball];
    await run([Deno.execPath(), "pack", ...flags]);
    await run(["tar", "-xzf", tarball, "-C", temporary]);
    const source = pathToFileURL(`${temporary}/package/`);
    for (const path of filesBelow(source)) {
      if (!/\.(js|d\.ts)$/.test(path)) continue;
      const target = inPackage(`esm/${path}`);
      await Deno.mkdir(new URL(".", target), { recursive: true });
      await Deno.copyFile(new URL(path, source), target);
      if (path.endsWith(".js")) await moveSourceMapOut(target);
    }
    await Deno.copyFile(new URL("package.json", source), inPackage("package.json"));
  } finally {
    await Deno.remove(withProgram);
    await Deno.remove(temporary, { recursive: true });
  }
}

/** `deno pack` puts the source map into the module, with the path that the source has on this machine. */
async function moveSourceMapOut(module: URL): Promise<void> {
  const name = module.pathname.replace(/.*\//, "");
  const [code, encoded] = (await Deno.readTextFile(module))
    .split("//# sourceMappingURL=data:application/json;base64,");
  if (!code || !encoded) throw new Error(`"deno pack" wrote no source map into ${name}`);
  const map = JSON.parse(new TextDecoder().decode(Uint8Array.fromBase64(encoded)));
  map.sources = [name.replace(/js$/, "ts")];
  await Deno.writeTextFile(module, `${code}//# sourceMappingURL=${name}.map\n`);
  await Deno.writeTextFile(new URL(`${name}.map`, module), JSON.stringify(map));
}

/** Declarations of what is not public help nobody; only dnt writes them. */
async function dropUnreachableDeclarations(): Promise<void> {
  const reached = new Set(
    Object.values(metadata.exports).map(({ types }) => inPackage(types).href),
  );
  for (const declarations of reached) {
    for (const [, module] of (await readDeclarations(declarations)).matchAll(/"(\.[^"]+)\.js"/g)) {
      reached.add(new URL(`${module}.d.ts`, declarations).href);
    }
  }
  for (const path of filesBelow(inPackage("esm/"))) {
    const file = inPackage(`esm/${path}`);
    if (path.endsWith(".d.ts") && !reached.has(file.href)) await Deno.remove(file);
  }
}

async function readDeclarations(url: string): Promise<string> {
  try {
    return await Deno.readTextFile(new URL(url));
  } catch {
    // Without a word, "deno pack" leaves all of them out when the type of one export has to be inferred.
    throw new Error(`There is no ${url}: see whether "deno publish --dry-run" finds slow types`);
  }
}

async function finishMetadata(): Promise<void> {
  const { dependencies } = JSON.parse(await Deno.readTextFile(inPackage("package.json")));
  const files = ["esm", "CHANGELOG.md"];
  const finished = JSON.stringify({ ...metadata, files, dependencies }, null, 2);
  await Deno.writeTextFile(inPackage("package.json"), `${finished}\n`);
  // dnt says there what `metadata` says for the whole package.
  await Deno.remove(inPackage("esm/package.json")).catch(() => {});
}

function inPackage(path: string): URL {
  return new URL(path, packageDirectory);
}

function filesBelow(directory: URL): string[] {
  return [...Deno.readDirSync(directory)].flatMap(({ name, isDirectory }) =>
    isDirectory
      ? filesBelow(new URL(`${name}/`, directory)).map((path) => `${name}/${path}`)
      : [name]
  );
}
