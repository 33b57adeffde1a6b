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

const compilers = {
  "typescript5.2": "npm:typescript@~5.2.0",
  "typescript6": "npm:typescript@^6.0.0",
  "typescript7": "npm:typescript@^7.0.0",
};

const tools = {
  "@arethetypeswrong/cli": "0.18.5",
  "edge-runtime": "4.0.1",
  "miniflare": "4.20260730.0",
  "publint": "0.3.25",
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

/** Installs the runtimes and tools that are missing. */
export async function installTools(): Promise<void> {
  const [node, bun] = platforms.get(machine) ?? [];
  const runtimes: Record<Runtime, string> = {
    node22: `npm:node-${node}@^22.12`,
    node24: `npm:node-${node}@^24`,
    node26: `npm:node-${node}@^26`,
    bun: `npm:@oven/bun-${bun}@^1.4`,
  };
  const manifest = {
    private: true,
    dependencies: { ...tools, ...compilers, ...(node ? runtimes : {}) },
  };
  await Deno.mkdir(directory, { recursive: true });
  await Deno.writeTextFile(new URL("package.json", directory), JSON.stringify(manifest, null, 2));
  await run(["npm", "install", "--no-audit", "--no-fund"], { cwd: directory });
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

/** Returns the path of a file in an installed package. */
export function installed(path: string): string {
  return fileURLToPath(new URL(`node_modules/${path}`, directory));
}

/** Returns the version that a runtime prints. */
export async function versionOf(runtime: Runtime): Promise<string> {
  return (await run([binaryOf(runtime), "--version"])).trim().replace("v", "");
}
