/**
 * An empty project outside of this repository, as a user has one, with the packed package installed.
 *
 * @module
 */

import { build } from "esbuild";
import { run } from "../../../scripts/command.ts";

/** A project with the package in it, and with the suite and its starters. */
export interface Project extends AsyncDisposable {
  readonly directory: string;
  /** A copy of the tarball, which stays when the package is built again. */
  readonly tarball: string;
  /** Bundles a starter into one script. */
  bundle(starter: string, format: "esm" | "iife"): Promise<string>;
}

const suite = new URL("./", import.meta.url);

/** Makes a project and installs the package with the given command, to which the tarball's path is added. */
export async function createProject(
  source: string,
  install: readonly [string, ...string[]] = ["npm", "install", "--no-audit", "--no-fund"],
): Promise<Project> {
  const directory = await Deno.makeTempDir({ prefix: "guildpass-project-" });
  const tarball = `${directory}/package.tgz`;
  await Deno.copyFile(source, tarball);
  await Deno.writeTextFile(`${directory}/package.json`, '{ "private": true, "type": "module" }');
  await run([...install, tarball], { cwd: directory });
  await Deno.mkdir(`${directory}/starters`);
  for (const path of ["bad_responses.ts", "smoke.ts", "consumer.ts", ...starters()]) {
    await Deno.copyFile(new URL(path, suite), `${directory}/${path}`);
  }
  return {
    directory,
    tarball,
    bundle: (starter, format) => bundle(directory, starter, format),
    [Symbol.asyncDispose]: () => Deno.remove(directory, { recursive: true }),
  };
}

function starters(): string[] {
  return [...Deno.readDirSync(new URL("starters/", suite))].map(({ name }) => `starters/${name}`);
}

async function bundle(
  directory: string,
  starter: string,
  format: "esm" | "iife",
): Promise<string> {
  const { outputFiles: [script] } = await build({
    entryPoints: [`${directory}/starters/${starter}`],
    absWorkingDir: directory,
    bundle: true,
    write: false,
    format,
    target: "es2022",
    logLevel: "error",
  });
  if (!script) throw new Error(`${starter} could not be bundled: found no output`);
  return script.text;
}
