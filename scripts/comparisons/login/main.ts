/**
 * Compares logins with several libraries: runs `compare.ts` on Node.
 *
 * ```sh
 * deno task --cwd scripts/comparisons/login compare         # prints the table
 * deno task --cwd scripts/comparisons/login compare --keep  # and writes it to docs/comparison.md
 * ```
 *
 * It needs Redis, and installs it from Debian's packages if it is missing.
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

/** Runs `compare.ts`, prints each row as soon as it is known, and returns the table. */
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

/** Installs Nuxt and builds its application as a listener for Node's server. */
async function buildNuxt(): Promise<void> {
  await mkdir(nuxtFolder, { recursive: true });
  await cp(nuxtProject, nuxtFolder, { recursive: true });
  await run(["npm", "install", "--no-audit", "--no-fund"], { cwd: nuxtFolder });
  await run([binaryOf("node24"), "node_modules/nuxt/bin/nuxt.mjs", "build"], {
    cwd: nuxtFolder,
    env: { NITRO_PRESET: "node-listener", NUXT_TELEMETRY_DISABLED: "1" },
  });
}

/** Replaces the table in the guide. */
async function keep(table: string): Promise<void> {
  const text = await Deno.readTextFile(guide);
  await Deno.writeTextFile(guide, text.replace(/(?:^\|.*\|\n)+/m, () => table));
  await run([Deno.execPath(), "fmt", "--quiet", guide.pathname]);
}
