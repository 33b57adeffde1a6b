/**
 * Answers that never end or are far too long, against the packed package: each ends within the limits of time and of
 * bytes, and takes no more memory than that needs.
 *
 * @module
 */

import { run } from "../../../scripts/command.ts";
import { kinds, type Measured, timeout } from "./bad_responses.ts";
import { serveBodies } from "./bad_response_server.ts";
import type { Project } from "./project.ts";
import type { RuntimeTest } from "./report.ts";
import { binaryOf, installed, versionOf } from "./tools.ts";

/** What a starter prints. */
interface Printed {
  readonly measured: readonly Measured[];
  /** How much more memory the process had at its peak than before, in bytes; `null` where that can't be read. */
  readonly memory: number | null;
}

/** How much later than the time limit a call may end, in milliseconds. */
const delay = 300;

/**
 * How much memory all of it may take, in bytes. Without a limit, an endless body alone takes a thousand megabytes or more. The
 * peak of all calls together depends on when a runtime collects garbage: Bun has taken from 100 to 410 MB.
 */
const mostMemory = 512 * 1024 * 1024;

/** How much of one answer may be sent: the limit of 8 MiB, and what is under way between two processes. */
const mostBytes = 64 * 1024 * 1024;

const starter = "starters/bad_responses.ts";

/** The tests, for a project with the package in it. */
export function bodyTests(project: Project): RuntimeTest[] {
  return [
    {
      runtime: "Deno",
      what: "answers that never end, or are too long",
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
      what: "answers that never end, or are too long",
      run: async () => [
        await versionOf(runtime),
        await measure([binaryOf(runtime), starter], project),
      ],
    })),
    {
      runtime: "workerd",
      what: "answers that never end, or are too long",
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
  await using server = await serveBodies();
  const output = await run([...command, server.origin], { cwd: directory, timeout: 120_000 });
  const { measured, memory }: Printed = JSON.parse(output);
  const wrong = measured.filter(({ kind, error, milliseconds }) => {
    const expected: readonly string[] = kinds[kind];
    return !expected.includes(error) || milliseconds > timeout + delay;
  });
  if (wrong.length || measured.length !== 2 * Object.keys(kinds).length) {
    throw new Error(`Not within the limits: ${JSON.stringify(wrong)} of ${output}`);
  }
  if (server.mostBytes() > mostBytes) {
    throw new Error(`${server.mostBytes()} bytes of one answer were taken`);
  }
  if (memory !== null && memory > mostMemory) throw new Error(`${memory} bytes of memory`);
  const slowest = Math.max(...measured.map(({ milliseconds }) => milliseconds));
  const megabytes = memory === null ? "?" : (memory / 1e6).toFixed(0);
  return `${measured.length} calls, ${slowest.toFixed(0)} ms, ${megabytes} MB`;
}
