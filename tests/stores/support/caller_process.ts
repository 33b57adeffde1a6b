/**
 * Processes with many callers, as a test starts and ends them.
 *
 * @module
 */

import { createInterface } from "node:readline";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Outcome, Settings } from "./callers.ts";

/** A process with many callers. */
export interface CallerProcess extends AsyncDisposable {
  /** Lets all callers begin, and gives what they got. */
  call(): Promise<Outcome[]>;
  /** Ends the process at once, as a crash does. */
  crash(): Promise<void>;
}

const program = fileURLToPath(new URL("callers.ts", import.meta.url));

/** Starts a process, and waits until it is ready. */
export async function startCallers(settings: Settings): Promise<CallerProcess> {
  const child = spawn(Deno.execPath(), [
    ...["run", "--quiet", "--no-check", "-A", program],
    JSON.stringify(settings),
  ], { cwd: new URL("..", import.meta.url), stdio: "pipe" });
  let errors = "";
  child.stderr.on("data", (chunk) => errors += chunk);
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`The process with callers has ended:\n${errors}`);
    return value;
  };
  await nextLine();
  return {
    async call() {
      child.stdin.write("go\n");
      return JSON.parse(await nextLine());
    },
    async crash() {
      child.kill("SIGKILL");
      await ended;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
