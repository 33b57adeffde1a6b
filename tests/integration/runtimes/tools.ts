/**
 * Installs runtimes and tools from npm. They are not in `deno.json`, because work on the library needs none of them.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { run } from "../../../scripts/command.ts";
import { npmCi } from "../../../scripts/npm_ci.ts";
import { UnavailableError } from "./report.ts";
import manifest from "./tools/package.json" with { type: "json" };

/** A runtime whose binary is on npm. */
export type Runtime = "node22" | "node24" | "node26" | "bun" | "deno";

/** A version of the TypeScript compiler. */
export type TypeScript = Extract<keyof typeof tools, `typescript${string}`>;

/** The exact versions of everything. The update bot raises them, except for the old compilers and the oldest supported Deno. */
const tools = manifest.dependencies;

const machine = `${Deno.build.os} ${Deno.build.arch}`;

/** The machines that npm has binaries for, by their names in the packages of Node, Bun and Deno. */
const platforms = new Map([
  ["linux x86_64", ["linux-x64", "linux-x64", "linux-x64-glibc"]],
  ["linux aarch64", ["linux-arm64", "linux-aarch64", "linux-arm64-glibc"]],
  ["darwin x86_64", ["darwin-x64", "darwin-x64", "darwin-x64"]],
  ["darwin aarch64", ["darwin-arm64", "darwin-aarch64", "darwin-arm64"]],
]);

const directory = new URL("../../../node_modules/.cache/runtimes/", import.meta.url);

/**
 * Installs the runtimes and tools that are missing: on the machine of the checks, exactly as the lock file says. Two processes that call
 * this do not disturb each other.
 */
export async function installTools(): Promise<void> {
  const isLocked = machine === "linux x86_64";
  const lockFile = new URL("./tools/package-lock.json", import.meta.url);
  const wanted = isLocked
    ? await Deno.readTextFile(lockFile)
    : JSON.stringify({ private: true, dependencies: toolsOfMachine() });
  const installedFile = new URL("node_modules/.installed.json", directory);
  await Deno.mkdir(directory, { recursive: true });
  using file = await Deno.open(new URL("install.lock", directory), { create: true, write: true });
  await file.lock(true);
  const found = await Deno.readTextFile(installedFile).catch(() => "");
  if (found === wanted) return;
  const content = isLocked ? JSON.stringify(manifest) : wanted;
  await Deno.writeTextFile(new URL("package.json", directory), content);
  await Deno.remove(new URL("package-lock.json", directory)).catch(() => {});
  if (isLocked) await npmCi(directory, lockFile);
  else await run(["npm", "install", "--no-audit", "--no-fund"], { cwd: directory });
  // Its package has no run bit, which the package around it would set.
  if (platforms.has(machine)) await Deno.chmod(binaryOf("deno"), 0o755);
  // npm has ended, so that this file stands for a complete installation.
  await Deno.writeTextFile(installedFile, wanted);
}

/** Returns the packages for another machine. Not every version of a runtime exists for it, so it gets the newest one of the same major. */
function toolsOfMachine(): Record<string, string> {
  const [node, bun, deno] = platforms.get(machine) ?? [];
  return Object.fromEntries(
    Object.entries(tools).filter(([, version]) => node || !version.includes("linux-x64"))
      .map(([name, version]) => [
        name,
        version.replace("linux-x64-glibc", `${deno}`)
          .replace(/linux-x64@(\d+)\..*/, `${name === "bun" ? bun : node}@^$1`),
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
  return installed(
    runtime === "deno" ? "deno/deno" : `${runtime}/bin/${runtime.replace(/\d+/, "")}`,
  );
}

/** The command of the oldest Deno. It needs {@link oldestDenoEnvironment}. */
export function oldestDeno(...args: string[]): [string, ...string[]] {
  return [binaryOf("deno"), ...args];
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
