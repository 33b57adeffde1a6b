/**
 * Tests the packed package against responses that never end or are far too large. Each call must end within the limits
 * of time and of bytes, and needs little memory. The number of bytes is that of the library: while it stops, the buffers of the
 * connection take more, on a busy machine tens of megabytes. These need no memory of the process.
 *
 * @module
 */

import { run } from "../../../scripts/command.ts";
import { kinds, maxBytes, type Measurement, timeout } from "./bad_responses.ts";
import { serveBadResponses } from "./bad_response_server.ts";
import type { Project } from "./project.ts";
import type { RuntimeTest } from "./report.ts";
import { binaryOf, installed, versionOf } from "./tools.ts";

/** The output of a starter. */
interface StarterOutput {
  readonly measurements: readonly Measurement[];
  /** The growth of the process from its start to its peak, in bytes; `null` on a system that does not tell it. */
  readonly memory: number | null;
}

/**
 * The most milliseconds that a call may take beyond its time limit. Without a time limit, a slow response never ends, so that
 * this needs no precision, and a busy machine gets all the time that it wants.
 */
const tolerance = 20_000;

/**
 * The most memory that all calls together may take, in bytes. Without a limit, one endless body takes a thousand
 * megabytes or more. The peak depends on the moments when a runtime collects garbage: Bun has taken from 100 to 410 MB.
 */
const maxMemory = 512 * 1024 * 1024;

const starter = "starters/bad_responses.ts";

/** Creates the tests for a project with the package in it. */
export function badResponseTests(project: Project): RuntimeTest[] {
  return [
    {
      runtime: "Deno",
      title: "responses that are endless or too large",
      run: async () => [
        Deno.version.deno,
        await measure([
          Deno.execPath(),
          "run",
          "--quiet",
          "-A",
          "--no-lock",
          "--node-modules-dir=manual",
          starter,
        ], project),
      ],
    },
    ...(["node22", "node26", "bun"] as const).map((runtime): RuntimeTest => ({
      runtime: runtime === "bun" ? "Bun" : runtime.replace("node", "Node "),
      title: "responses that are endless or too large",
      run: async () => [
        await versionOf(runtime),
        await measure([binaryOf(runtime), starter], project),
      ],
    })),
    {
      runtime: "workerd",
      title: "responses that are endless or too large",
      async run() {
        const script = `${project.directory}/bad_responses.bundle.mjs`;
        await Deno.writeTextFile(script, await project.bundle("bad_responses_worker.ts", "esm"));
        const miniflare = installed("miniflare/dist/src/index.js");
        const host = "starters/bad_responses_in_workerd.ts";
        const manifest = await Deno.readTextFile(installed("miniflare/package.json"));
        return [
          JSON.parse(manifest).version,
          await measure([binaryOf("node24"), host, miniflare, script], project),
        ];
      },
    },
  ];
}

async function measure(
  command: readonly [string, ...string[]],
  { directory }: Project,
): Promise<string> {
  await using server = await serveBadResponses();
  const output = await run([...command, server.origin], { cwd: directory });
  const { measurements, memory }: StarterOutput = JSON.parse(output);
  const wrong = measurements.filter(({ kind, error, milliseconds, bytes }) => {
    const expected: readonly string[] = kinds[kind];
    return !expected.includes(error) || milliseconds > timeout + tolerance || bytes > maxBytes;
  });
  if (wrong.length || measurements.length !== 2 * Object.keys(kinds).length) {
    throw new Error(`Not within the limits: ${JSON.stringify(wrong)} of ${output}`);
  }
  if (memory !== null && memory > maxMemory) {
    throw new Error(`The calls took ${memory} bytes of memory`);
  }
  const slowest = Math.max(...measurements.map(({ milliseconds }) => milliseconds));
  const megabytes = memory === null ? "?" : (memory / 1e6).toFixed(0);
  return `${measurements.length} calls, ${slowest.toFixed(0)} ms, ${megabytes} MB`;
}
