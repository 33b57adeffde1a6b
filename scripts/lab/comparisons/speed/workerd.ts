/**
 * Runs Workers in workerd, and reads what its process uses.
 *
 * @module
 */

import { basename } from "node:path";
// It is a CommonJS module with an export of this name.
import workerd from "workerd";
import { freePort } from "../../../../tests/support/free_port.ts";
import { HttpConnection } from "./http_connection.ts";
import { bundleWorker } from "./packed.ts";

/** A Worker in a process of its own. Disposing of it ends the process. */
export interface RunningWorker extends AsyncDisposable {
  readonly port: number;
  /** Returns the processor time since the start of the process, in milliseconds. */
  cpuTime(): number;
  /** Returns the memory that the process has now, in bytes. */
  residentMemory(): number;
}

/** Bundles a module of `workers/`, and returns a function that starts it in a new process, together with the platform. */
export async function prepareWorker(name: string): Promise<() => Promise<RunningWorker>> {
  const script = await bundleWorker(name);
  const platform = await bundleWorker("platform_worker");
  const configuration = script.replace(/\.js$/, ".capnp");
  await Deno.writeTextFile(configuration, configurationOf(basename(script), basename(platform)));
  return () => start(configuration);
}

/** Returns a configuration in which everything that the Worker fetches comes from the platform. */
function configurationOf(script: string, platform: string): string {
  const worker = (file: string, more: string) =>
    `(modules = [(name = "worker", esModule = embed "${file}")], compatibilityDate = "2026-07-01"${more})`;
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "worker", worker = ${worker(script, ', globalOutbound = "platform"')}),
    (name = "platform", worker = ${worker(platform, "")}),
  ],
  sockets = [(name = "http", http = (), service = "worker")],
);
`;
}

async function start(configuration: string): Promise<RunningWorker> {
  const port = await freePort();
  const process = new Deno.Command(workerd.default, {
    args: ["serve", configuration, `--socket-addr=http=127.0.0.1:${port}`],
    stdin: "null",
  }).spawn();
  const worker = {
    port,
    cpuTime: () => cpuTimeOf(process.pid),
    residentMemory: () => residentMemoryOf(process.pid),
    async [Symbol.asyncDispose]() {
      process.kill("SIGKILL");
      await process.status;
    },
  };
  await Promise.race([firstAnswer(port), failure(process)]);
  return worker;
}

async function failure(process: Deno.ChildProcess): Promise<never> {
  const { code } = await process.status;
  throw new Error(`workerd has ended with ${code}`);
}

/** Waits for the first answer. Looks often, because the processor time is read right after it. */
async function firstAnswer(port: number): Promise<void> {
  for (let looks = 0; looks < 10_000; looks++) {
    try {
      using connection = await HttpConnection.open(port);
      await connection.get("/", "");
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
  }
  throw new Error("workerd has not answered");
}

/** Sums up the times of all threads, which are in nanoseconds there. `/proc/…/stat` has hundredths of a second. */
function cpuTimeOf(id: number): number {
  const threads = [...Deno.readDirSync(`/proc/${id}/task`)];
  const times = threads.map(({ name }) => {
    const [time] = Deno.readTextFileSync(`/proc/${id}/task/${name}/schedstat`).split(" ");
    return Number(time) / 1e6;
  });
  return times.reduce((sum, time) => sum + time, 0);
}

function residentMemoryOf(id: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(Deno.readTextFileSync(`/proc/${id}/status`)) ??
    [];
  return Number(kibibytes) * 1024;
}
