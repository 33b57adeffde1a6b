/**
 * Runs Workers in workerd, and reads what its process uses.
 *
 * @module
 */

import { basename } from "node:path";
import { fileURLToPath } from "node:url";
// It is a CommonJS module with an export of this name.
import workerd from "workerd";
import { freePort } from "../../../../tests/support/free_port.ts";
import { HttpConnection } from "./http_connection.ts";
import { bundleWorker, project } from "./packed.ts";

/** A Worker in a process of its own. Disposing of it ends the process. */
export interface RunningWorker extends AsyncDisposable {
  readonly port: number;
  /** Returns the processor time since the start of the process, in milliseconds. */
  cpuTime(): number;
  /** Returns the memory that the process has now, in bytes. */
  residentMemory(): number;
}

/** Starts the platform in a process of its own. */
export async function startPlatform(): Promise<RunningWorker> {
  const script = basename(await bundleWorker("platform_worker"));
  return await start(await writeConfiguration("platform_worker", [], workerOf(script)));
}

/**
 * Bundles a module of `workers/`, and returns a function that starts it in a new process. Everything that the Worker fetches comes from
 * the platform at the given port.
 *
 * @param flags The flags of V8.
 */
export async function prepareWorker(
  name: string,
  { port }: { readonly port: number },
  flags: readonly string[] = [],
): Promise<() => Promise<RunningWorker>> {
  const script = basename(await bundleWorker(name));
  const configuration = await writeConfiguration(
    flags.length ? `${name}_with_flags` : name,
    flags,
    workerOf(script, ', globalOutbound = "platform"'),
    `(name = "platform", external = (address = "127.0.0.1:${port}", http = ()))`,
  );
  return () => start(configuration);
}

function workerOf(script: string, more = ""): string {
  const modules = `[(name = "worker", esModule = embed "${script}")]`;
  return `(name = "worker", worker = (modules = ${modules}, compatibilityDate = "2026-07-01"${more}))`;
}

async function writeConfiguration(
  name: string,
  flags: readonly string[],
  ...services: string[]
): Promise<string> {
  const path = fileURLToPath(new URL(`${name}.capnp`, project));
  await Deno.writeTextFile(
    path,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  v8Flags = ${JSON.stringify(flags)},
  services = [${services.join(", ")}],
  sockets = [(name = "http", http = (), service = "worker")],
);
`,
  );
  return path;
}

/** Starts a process, and waits until it accepts connections. Its Worker has not been asked anything by then. */
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
      // At this signal, V8 completes its log.
      process.kill("SIGTERM");
      await process.status;
    },
  };
  await Promise.race([untilListening(port), failure(process)]);
  return worker;
}

async function failure(process: Deno.ChildProcess): Promise<never> {
  const { code } = await process.status;
  throw new Error(`workerd has ended with ${code}`);
}

/** Looks often, because the processor time may be read right afterwards. */
async function untilListening(port: number): Promise<void> {
  for (let looks = 0; looks < 10_000; looks++) {
    try {
      using _connection = await HttpConnection.open(port);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
  }
  throw new Error("workerd does not listen");
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
