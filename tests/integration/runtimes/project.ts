/**
 * An empty project outside of this repository with the packed package installed, like that of a user.
 *
 * @module
 */

import { build } from "esbuild";
import { packageFolders } from "../../../scripts/architecture.ts";
import { run } from "../../../scripts/command.ts";

/** A project that contains the package, the smoke suite and its starters. */
export interface Project extends AsyncDisposable {
  readonly directory: string;
  /** A copy of the tarball. It stays when another build replaces the original. */
  readonly tarball: string;
  /** Bundles a starter and its imports into one script. With the condition `workerd`, it is one for Cloudflare Workers. */
  bundle(starter: string, format: "esm" | "iife", condition?: "workerd"): Promise<string>;
}

const sources = new URL("./", import.meta.url);

/** Creates a project and installs the package with a command, to which it adds the tarball's path. */
export async function createProject(
  source: string,
  install: readonly [string, ...string[]] = ["npm", "install", "--no-audit", "--no-fund"],
): Promise<Project> {
  const directory = await Deno.makeTempDir({ prefix: "guildpass-project-" });
  const tarball = `${directory}/package.tgz`;
  await Deno.copyFile(source, tarball);
  const manifest = { private: true, type: "module", overrides: lockedVersions() };
  await Deno.writeTextFile(`${directory}/package.json`, JSON.stringify(manifest));
  await run([...install, tarball], { cwd: directory });
  await Deno.mkdir(`${directory}/starters`);
  for (const path of ["bad_responses.ts", "smoke.ts", "consumer.ts", ...starterPaths()]) {
    await Deno.copyFile(new URL(path, sources), `${directory}/${path}`);
  }
  return {
    directory,
    tarball,
    bundle: (...options) => bundle(directory, ...options),
    [Symbol.asyncDispose]: () => Deno.remove(directory, { recursive: true }),
  };
}

/** Returns the versions of the packages in the lock file of this repository, so that a new version of one fails no change here. */
function lockedVersions(): Record<string, string> {
  const { specifiers }: { specifiers: Record<string, string> } = JSON.parse(
    Deno.readTextFileSync(new URL("../../../deno.lock", sources)),
  );
  return Object.fromEntries(
    Object.keys(packageFolders).map((name) => {
      const specifier = Object.keys(specifiers).find((key) => key.startsWith(`npm:${name}@`));
      // The versions of peers follow an underscore.
      return [name, specifiers[specifier ?? ""]?.replace(/_.*/, "") ?? ""];
    }),
  );
}

function starterPaths(): string[] {
  return [...Deno.readDirSync(new URL("starters/", sources))].map(({ name }) => `starters/${name}`);
}

async function bundle(
  directory: string,
  starter: string,
  format: "esm" | "iife",
  condition?: "workerd",
): Promise<string> {
  const { outputFiles: [script] } = await build({
    entryPoints: [`${directory}/starters/${starter}`],
    absWorkingDir: directory,
    bundle: true,
    write: false,
    conditions: condition ? [condition, "worker", "browser"] : [],
    format,
    target: "es2022",
    logLevel: "error",
  });
  if (!script) throw new Error(`${starter} could not be bundled: found no output`);
  return script.text;
}
