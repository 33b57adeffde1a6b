/**
 * Measures the import time of every entry point, each in a new process: the source in Deno, the packed package in Node.
 *
 * @module
 */

import configuration from "../../../deno.json" with { type: "json" };
import { run } from "../../command.ts";
import { buildPackage } from "../../package.ts";
import { createProject } from "../../../tests/integration/runtimes/project.ts";
import { binaryOf, installTools } from "../../../tests/integration/runtimes/tools.ts";
import { median } from "./compare.ts";

/** The import times of an entry point, in milliseconds. */
export interface ImportTime {
  readonly entry: string;
  readonly deno: number;
  readonly node: number;
}

const rounds = 15;
const empty = "data:text/javascript,";
const probe = new URL("probe.mjs", import.meta.url);

/** Measures every entry point, and an empty module for comparison. */
export async function importTimes(): Promise<ImportTime[]> {
  await installTools();
  await using project = await createProject(await buildPackage());
  await Deno.copyFile(probe, `${project.directory}/probe.mjs`);
  const node = [binaryOf("node24"), "probe.mjs"] as const;
  const deno = [
    Deno.execPath(),
    "run",
    "-A",
    "--no-check",
    probe.pathname,
  ] as const;

  const entries: [name: string, source: string, packed: string][] = [
    ["an empty module", empty, empty],
  ];
  for (const [name, path] of Object.entries(configuration.exports)) {
    const source = new URL(`../../../${path}`, import.meta.url).href;
    entries.push([name, source, `@guildpass/sdk${name.slice(1)}`]);
  }
  const times = entries.map(() => ({
    deno: [] as number[],
    node: [] as number[],
  }));
  for (let round = 0; round < rounds; round++) {
    for (const [index, [, source, packed]] of entries.entries()) {
      times[index]?.deno.push(Number(await run([...deno, source])));
      times[index]?.node.push(
        Number(await run([...node, packed], { cwd: project.directory })),
      );
    }
  }
  return entries.map(([entry], index) => ({
    entry,
    deno: median(times[index]?.deno ?? []),
    node: median(times[index]?.node ?? []),
  }));
}
