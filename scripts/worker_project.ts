/**
 * Copies the Worker example into a project of its own with the built package installed, as a user would.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { run } from "./command.ts";
import { buildPackage } from "./package.ts";

const examples = new URL("../examples/", import.meta.url);

/** The folder of the tools that this example needs. It has a lock file of its own, because they are large. */
const tools = new URL("../tests/integration/examples/", import.meta.url);

/** The folder of the copies. It is below the tools, so that the copies find their packages there. */
const copies = new URL("node_modules/.cache/worker_project/", tools);

/** The folders that a user copies, as the README of the example says. */
const copiedFolders = ["cloudflare_worker/", "shared/"];

/** Replaces the project with a new one and returns its folder. */
export async function createWorkerProject(): Promise<string> {
  await run([Deno.execPath(), "install", "--quiet", "--frozen"], { cwd: tools });
  await Deno.remove(copies, { recursive: true }).catch(() => {});
  for (const folder of copiedFolders) {
    await copyFiles(new URL(folder, examples), new URL(folder, copies));
  }
  const project = new URL("cloudflare_worker/", copies);
  const sdk = new URL("node_modules/@guildpass/sdk/", project);
  await Deno.mkdir(sdk, { recursive: true });
  const tarball = await buildPackage();
  await run(["tar", "-xzf", tarball, "--strip-components=1", "-C", fileURLToPath(sdk)]);
  return fileURLToPath(project);
}

/** Returns the command that runs a tool in Deno, because wrangler needs a newer Node than some machines have. */
export function tool(name: "wrangler" | "tsc", ...args: string[]): [string, ...string[]] {
  const specifier = { wrangler: "npm:wrangler", tsc: "npm:typescript/tsc" }[name];
  const configuration = fileURLToPath(new URL("deno.json", tools));
  return [Deno.execPath(), "run", "-A", "--quiet", "--config", configuration, specifier, ...args];
}

/** The environment in which wrangler asks for no account and sends no usage data. */
export const wranglerEnvironment = { WRANGLER_SEND_METRICS: "false", CI: "true" };

async function copyFiles(from: URL, to: URL): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    // These are left over from running the example in its own folder.
    if (["node_modules", ".wrangler", ".dev.vars"].includes(name)) continue;
    if (isDirectory) await copyFiles(new URL(`${name}/`, from), new URL(`${name}/`, to));
    else await Deno.copyFile(new URL(name, from), new URL(name, to));
  }
}
