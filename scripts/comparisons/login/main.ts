/**
 * Compares logins with several libraries: runs `compare.ts` on Node, which Deno brings along.
 *
 * ```sh
 * deno task --cwd scripts/comparisons/login compare         # prints the table
 * deno task --cwd scripts/comparisons/login compare --keep  # and writes it to docs/comparison.md
 * ```
 *
 * It needs Redis, which it installs from Debian's packages where it is missing.
 *
 * @module
 */

import { cp, mkdir } from "node:fs/promises";
import { binaryOf, installTools } from "../../../tests/integration/runtimes/tools.ts";
import { run } from "../../command.ts";
import { installPackages } from "../../debian_packages.ts";
import { nuxtFolder, nuxtProject } from "./nuxt_project.ts";

const guide = new URL("../../../docs/comparison.md", import.meta.url);

if (import.meta.main) {
  installPackages([{ name: "redis-server", program: "/usr/bin/redis-server" }]);
  await installTools();
  await buildNuxt();
  const table = await compare();
  if (Deno.args.includes("--keep")) await keep(table);
}

/** Prints each row as soon as it is known. */
async function compare(): Promise<string> {
  const child = new Deno.Command(binaryOf("node24"), {
    args: ["--import=./npm_specifiers.ts", "compare.ts"],
    cwd: new URL("./", import.meta.url),
    env: { NODE_ENV: "production" },
    stdout: "piped",
  }).spawn();
  let table = "";
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    await Deno.stdout.write(new TextEncoder().encode(text));
    table += text;
  }
  const { code } = await child.status;
  if (code !== 0) throw new Error(`compare.ts ended with ${code}`);
  return table;
}

/** Installs Nuxt, and builds the application as a listener for a server of Node. */
async function buildNuxt(): Promise<void> {
  await mkdir(nuxtFolder, { recursive: true });
  await cp(nuxtProject, nuxtFolder, { recursive: true });
  await run(["npm", "install", "--no-audit", "--no-fund"], { cwd: nuxtFolder });
  await run([binaryOf("node24"), "node_modules/nuxt/bin/nuxt.mjs", "build"], {
    cwd: nuxtFolder,
    env: { NITRO_PRESET: "node-listener", NUXT_TELEMETRY_DISABLED: "1" },
  });
}

/** Writes the table where the one before it is. */
async function keep(table: string): Promise<void> {
  const text = await Deno.readTextFile(guide);
  await Deno.writeTextFile(guide, text.replace(/(?:^\|.*\|\n)+/m, () => table));
  await run([Deno.execPath(), "fmt", "--quiet", guide.pathname]);
}
