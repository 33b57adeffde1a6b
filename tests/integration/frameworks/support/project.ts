/**
 * Builds projects with a framework and the packed package, as a user would.
 *
 * @module
 */

import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { run } from "../../../../scripts/command.ts";
import { npmCi } from "../../../../scripts/npm_ci.ts";
import { binaryOf } from "../../runtimes/tools.ts";
import { createSurroundings, type Paths, runServer, type Site, type SiteOptions } from "./site.ts";

/**
 * Versions of the frameworks: each is a folder of `projects/` with a manifest and a lock file. The packages of `others` are other
 * logins, with their own frameworks.
 */
export type Edition = "newest" | "older" | "others";

/** A program for Node, with its arguments. */
export type NodeProgram = readonly [string, ...string[]];

/** Returns the command that starts a project on a port. Behind a proxy, `origin` is the address that visitors see. */
export type Start = (port: number, origin?: string) => NodeProgram;

/** A project: the folder of its recipe, and the commands that check, build and start it. */
export interface Project {
  readonly edition: Edition;
  /** The runtime of the server. @default {the Node version of the edition} */
  readonly runtime?: "bun";
  readonly name:
    | "servers"
    | "nest"
    | "jest"
    | "beside"
    | "beside_next"
    | "moving_next"
    | "next"
    | "next_pages"
    | "sveltekit"
    | "astro"
    | "react_router"
    | "next_cache_components"
    | "nuxt"
    | "tanstack_start"
    | "solid_start";
  /** Recipes outside of that folder, with their paths in the project. */
  readonly recipes?: Readonly<Record<string, string>>;
  /** The line that users of these versions leave out of some files. */
  readonly leftOut?: { readonly line: string; readonly files: readonly string[] };
  readonly build?: NodeProgram;
  /** The type check, unless the build checks the types. */
  readonly check?: NodeProgram;
  /** The program that writes types for the check. */
  readonly typegen?: NodeProgram;
  /** The environment variables that the framework requires, at the build too. */
  readonly env?: Readonly<Record<string, string>>;
  readonly paths?: Paths;
  /** False if the server does not print the address to open. @default true */
  readonly printsAddress?: boolean;
}

const root = new URL("../../../../", import.meta.url);
const recipeFolder = new URL("examples/frameworks/", root);
const sources = new URL("../projects/", import.meta.url);
const quiet = {
  ASTRO_TELEMETRY_DISABLED: "1",
  NEXT_TELEMETRY_DISABLED: "1",
  NUXT_TELEMETRY_DISABLED: "1",
  // Otherwise, Next would add binaries for other machines to the lock file.
  NEXT_IGNORE_INCORRECT_LOCKFILE: "1",
};

/** The Node versions. The older frameworks run on the oldest one that the package supports. */
const nodes = { newest: "node24", older: "node22", others: "node24" } as const;

/** The folder of the projects. It is not in `node_modules`, where Node runs no TypeScript, and webpack compiles none. */
function editionFolder(edition: Edition): URL {
  return new URL(`../.projects/${edition}/`, import.meta.url);
}

function projectFolder({ edition, name }: Project): URL {
  return new URL(`${name}/`, editionFolder(edition));
}

/** Installs the package, and the frameworks exactly as in the lock file. */
export async function installPackages(edition: Edition, tarball: string): Promise<void> {
  const folder = editionFolder(edition);
  const lock = new URL(`${edition}/package-lock.json`, sources);
  const installed = new URL("node_modules/.installed-lock.json", folder);
  if (await textOf(lock) !== await textOf(installed)) {
    await mkdir(folder, { recursive: true });
    await cp(new URL(`${edition}/package.json`, sources), new URL("package.json", folder));
    await npmCi(folder, lock);
    await cp(lock, installed);
  }
  const sdk = new URL("node_modules/@guildpass/sdk/", folder);
  await rm(sdk, { recursive: true, force: true });
  await mkdir(sdk, { recursive: true });
  await run(["tar", "-xzf", tarball, "--strip-components=1", "-C", fileURLToPath(sdk)]);
}

/** Reads a file, or returns `undefined` if it is missing. */
async function textOf(file: URL): Promise<string | undefined> {
  return await readFile(file, "utf8").catch(() => undefined);
}

/** Assembles a project, and builds it without any secret. */
export async function buildProject(project: Project): Promise<void> {
  const { edition, name, recipes = {}, build } = project;
  const folder = projectFolder(project);
  await rm(folder, { recursive: true, force: true });
  for (const source of [`${name}/`, `${edition}/${name}/`]) {
    await copyIfThere(new URL(source, sources), folder);
  }
  await copyIfThere(new URL(`${name}/`, recipeFolder), folder);
  for (const [recipe, path] of Object.entries(recipes)) {
    await cp(new URL(recipe, recipeFolder), new URL(path, folder), { recursive: true });
  }
  for (const path of project.leftOut?.files ?? []) {
    const file = new URL(path, folder);
    const lines = (await readFile(file, "utf8")).split("\n");
    await writeFile(file, lines.filter((line) => line !== project.leftOut?.line).join("\n"));
  }
  if (build) await runInProject(project, build);
}

async function copyIfThere(from: URL, to: URL): Promise<void> {
  await cp(from, to, { recursive: true }).catch((error) => {
    if (error.code !== "ENOENT") throw error;
  });
}

/** Runs a program of Node in the folder of a project, or in a folder within. */
export async function runInProject(
  project: Project,
  program: NodeProgram,
  folder = "./",
): Promise<string> {
  const command = [binaryOf(nodes[project.edition]), ...program] as const;
  return await run(command, {
    cwd: new URL(folder, projectFolder(project)),
    env: { ...quiet, ...project.env },
  });
}

/** Starts a project that was built. */
export async function startProject(
  project: Project,
  start: Start,
  options: SiteOptions = {},
): Promise<Site> {
  const { edition, runtime = nodes[edition], env = {}, paths } = project;
  const site = await createSurroundings({
    ...options,
    ...(paths && { paths }),
  });
  const { port, address } = site;
  const command = [binaryOf(runtime), ...start(port, options.origin)];
  const { end, printed } = await runServer(command, {
    cwd: fileURLToPath(projectFolder(project)),
    address,
    env: { ...quiet, ...site.env, HOST: "localhost", ...env, ...options.env },
  });
  return {
    ...site,
    ...(project.printsAddress !== false && { printed }),
    async [Symbol.asyncDispose]() {
      await end();
      await site[Symbol.asyncDispose]();
    },
  };
}
