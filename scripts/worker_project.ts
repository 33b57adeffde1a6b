/**
 * The Worker example as a user has it: in a project of its own, with the built package installed.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { run } from "./command.ts";
import { buildPackage } from "./package.ts";

const examples = new URL("../examples/", import.meta.url);

/** The tools that this example needs. They are large, so they have a folder and a lock file of their own. */
const tools = new URL("../tests/integration/examples/", import.meta.url);

/** Below the folder of the tools, so that the packages which the example imports are found there. */
const copies = new URL("node_modules/.cache/worker_project/", tools);

/** What a user copies, as the README of the example says. */
const copiedFolders = ["cloudflare_worker/", "shared/"];

/** Makes the project, in place of an earlier one, and gives its folder. */
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

/** The command that runs one of the tools, in Deno: wrangler needs a newer Node than some machines have. */
export function tool(name: "wrangler" | "tsc", ...args: string[]): [string, ...string[]] {
  const specifier = { wrangler: "npm:wrangler", tsc: "npm:typescript/tsc" }[name];
  const configuration = fileURLToPath(new URL("deno.json", tools));
  return [Deno.execPath(), "run", "-A", "--quiet", "--config", configuration, specifier, ...args];
}

/** Keeps wrangler from asking for an account and from sending usage data. */
export const wranglerEnvironment = { WRANGLER_SEND_METRICS: "false", CI: "true" };

async function copyFiles(from: URL, to: URL): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    // Running the example in its own folder leaves these behind.
    if (["node_modules", ".wrangler", ".dev.vars"].includes(name)) continue;
    if (isDirectory) await copyFiles(new URL(`${name}/`, from), new URL(`${name}/`, to));
    else await Deno.copyFile(new URL(name, from), new URL(name, to));
  }
}
