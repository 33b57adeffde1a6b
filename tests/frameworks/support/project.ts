/**
 * Projects of frameworks that have to be built, with the packed package installed.
 *
 * @module
 */

import { cp, mkdir, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { run } from "../../../scripts/command.ts";
import { binaryOf } from "../../runtimes/tools.ts";
import { createSurroundings, type Paths, runServer, type Site, type SiteOptions } from "./site.ts";

/** A project: the folder of its recipe, and how it is built and started. */
export interface Project {
  readonly name: "next" | "sveltekit" | "astro";
  /** The recipe with the login, and where the project has it. */
  readonly login: readonly [recipe: string, path: string];
  /** Programs of Node, with their arguments. */
  readonly build: readonly [string, ...string[]];
  start(port: number): readonly [string, ...string[]];
  /** What the framework's own documentation says to set. */
  readonly env?: Readonly<Record<string, string>>;
  readonly paths?: Paths;
}

const root = new URL("../../../", import.meta.url);
const recipes = new URL("examples/frameworks/", root);
const sources = new URL("../projects/", import.meta.url);
const folder = new URL("node_modules/.cache/frameworks/", root);
const quiet = { NEXT_TELEMETRY_DISABLED: "1", ASTRO_TELEMETRY_DISABLED: "1" };

/** Installs the frameworks and the package. */
export async function installProjects(): Promise<void> {
  await mkdir(folder, { recursive: true });
  await cp(new URL("package.json", sources), new URL("package.json", folder));
  await run(["npm", "install", "--no-audit", "--no-fund"], { cwd: folder });
  const printed = await run([Deno.execPath(), "task", "--quiet", "build:npm"], { cwd: root });
  const tarball = printed.trim().split("\n").at(-1) ?? "";
  const sdk = new URL("node_modules/@guildpass/sdk/", folder);
  await rm(sdk, { recursive: true, force: true });
  await mkdir(sdk, { recursive: true });
  await run(["tar", "-xzf", tarball, "--strip-components=1", "-C", fileURLToPath(sdk)]);
}

/** Builds a project, without any secret. */
export async function buildProject({ name, login: [recipe, path], build }: Project): Promise<void> {
  const cwd = new URL(`${name}/`, folder);
  await rm(cwd, { recursive: true, force: true });
  await cp(new URL(`${name}/`, sources), cwd, { recursive: true });
  await cp(new URL(`${name}/`, recipes), cwd, { recursive: true });
  await cp(new URL(recipe, recipes), new URL(path, cwd));
  await run([binaryOf("node24"), ...build], { cwd, env: quiet });
}

/** Starts a project that was built. */
export async function startProject(project: Project, options: SiteOptions = {}): Promise<Site> {
  const { name, start, env = {}, paths } = project;
  const site = await createSurroundings({
    ...options,
    ...(paths && { paths }),
    platformOrigin: "https://discord.com",
  });
  const { port, address } = site;
  const preload = new URL("fake_discord.mjs", import.meta.url).href;
  const end = await runServer([binaryOf("node24"), "--import", preload, ...start(port)], {
    cwd: fileURLToPath(new URL(`${name}/`, folder)),
    address,
    env: { ...quiet, ...site.env, HOST: "localhost", ...env },
  });
  return {
    ...site,
    async [Symbol.asyncDispose]() {
      await end();
      await site[Symbol.asyncDispose]();
    },
  };
}
