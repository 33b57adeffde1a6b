/**
 * Measures the import time of every entry point, each in a new process: the source in Deno, the packed package in Node.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import configuration from "../../../../deno.json" with { type: "json" };
import { run } from "../../../command.ts";
import { binaryOf, installTools } from "../../../../tests/integration/runtimes/tools.ts";
import { median } from "./compare.ts";
import { installPackage, project } from "./packed.ts";

/** The import times of an entry point beyond those of an empty module, in milliseconds. */
export interface ImportTime {
  readonly entry: string;
  readonly deno: number;
  readonly node: number;
}

const rounds = 9;
const empty = "data:text/javascript,";
const probe = new URL("probe.mjs", import.meta.url);

/** Measures every entry point, and an empty module in the same rounds. */
export async function importTimes(): Promise<ImportTime[]> {
  await Promise.all([installTools(), installPackage()]);
  await Deno.copyFile(probe, new URL("probe.mjs", project));
  const node = [binaryOf("node24"), "probe.mjs"] as const;
  const deno = [
    Deno.execPath(),
    "run",
    "-A",
    "--no-check",
    fileURLToPath(probe),
  ] as const;

  const entries: [name: string, source: string, packed: string][] = [
    ["an empty module", empty, empty],
  ];
  for (const [name, path] of Object.entries(configuration.exports)) {
    const source = new URL(`../../../../${path}`, import.meta.url).href;
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
        Number(await run([...node, packed], { cwd: project })),
      );
    }
  }
  const added = (index: number, runtime: "deno" | "node") =>
    median(
      (times[index]?.[runtime] ?? []).map((time, round) =>
        time - (times[0]?.[runtime][round] ?? NaN)
      ),
    );
  return entries.slice(1).map(([entry], index) => ({
    entry,
    deno: added(index + 1, "deno"),
    node: added(index + 1, "node"),
  }));
}
