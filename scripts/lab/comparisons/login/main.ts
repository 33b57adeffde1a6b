/**
 * Compares logins with several libraries: runs `compare.ts` on Node, and makes the tables of `docs/comparison.md`.
 *
 * ```sh
 * deno task --cwd scripts/lab compare:login         # prints the tables
 * deno task --cwd scripts/lab compare:login --keep  # and writes them to docs/comparison.md
 * ```
 *
 * It needs Redis, and installs it from Debian's packages if it is missing.
 *
 * @module
 */

import { cp, mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { binaryOf, installTools } from "../../../../tests/integration/runtimes/tools.ts";
import { run } from "../../../command.ts";
import { installPackages } from "../../../debian_packages.ts";
import { npmCi } from "../../../npm_ci.ts";
import { readPackages } from "./packages.ts";
import { projects } from "./projects.ts";
import { groups } from "./rows.ts";
import { libraryTable, mishapSections, type Results, summaryTable } from "./tables.ts";

const guide = new URL("../../../../docs/comparison.md", import.meta.url);

/** A table in Markdown. */
const table = /(?:^\|.*\|\n)+/gm;

if (import.meta.main) {
  installPackages([{ name: "redis-server", program: "/usr/bin/redis-server" }]);
  await installTools();
  await buildProjects();
  const tables = await compare();
  if (Deno.args.includes("--keep")) await keep(tables);
}

/** Runs `compare.ts`, measures the libraries, and prints and returns the tables. */
async function compare(): Promise<string> {
  const { code, stdout } = await new Deno.Command(binaryOf("node24"), {
    args: ["--import=./npm_specifiers.ts", "compare.ts"],
    cwd: new URL("./", import.meta.url),
    env: { NODE_ENV: "production" },
    stderr: "inherit",
  }).output();
  if (code !== 0) throw new Error(`compare.ts ended with ${code}`);
  const { date, verdicts } = JSON.parse(new TextDecoder().decode(stdout));
  const results: Results = { date, verdicts: new Map(verdicts) };
  const tables = [
    summaryTable(results),
    libraryTable(await readPackages()),
    mishapSections(results, groups),
  ].join("\n");
  console.log(tables);
  return tables;
}

/** Installs Nuxt and Next.js, and builds the applications with them. */
async function buildProjects(): Promise<void> {
  for (const { source, folder, builder } of projects) {
    await mkdir(folder, { recursive: true });
    await cp(source, folder, { recursive: true });
    await npmCi(folder, new URL("package-lock.json", source));
    await run([binaryOf("node24"), `node_modules/${builder}`, "build"], {
      cwd: folder,
      env: {
        NITRO_PRESET: "node-listener",
        NUXT_TELEMETRY_DISABLED: "1",
        NEXT_TELEMETRY_DISABLED: "1",
      },
    });
  }
}

/** Replaces the tables in the guide, and the headings of the mishaps. */
async function keep(tables: string): Promise<void> {
  const [ahead, sections] = dividedAtMishaps(tables);
  const newTables = ahead.match(table) ?? [];
  const [before, replaced] = dividedAtMishaps(await Deno.readTextFile(guide));
  const [, after = ""] = replaced.split(/<\/details>\n(?![^]*<\/details>)/);
  const text = before.replace(table, () => newTables.shift() ?? "");
  await Deno.writeTextFile(guide, text + sections + after);
  await run([Deno.execPath(), "fmt", "--quiet", fileURLToPath(guide)]);
}

/** Divides a text before the heading of the first group of mishaps. */
function dividedAtMishaps(text: string): readonly [before: string, after: string] {
  const index = text.indexOf(`### ${groups[0]?.heading}\n`);
  if (index < 0) throw new Error("The text has no heading of the mishaps");
  return [text.slice(0, index), text.slice(index)];
}
