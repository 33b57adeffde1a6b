/**
 * Runs the program `guildpass` in a process of its own, without a terminal.
 *
 * @module
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** A program that runs. */
export interface RunningProgram extends AsyncDisposable {
  /** The text on the standard output so far. */
  readonly output: string;
  /** The text on the standard error so far. */
  readonly errors: string;
  /** Interrupts the program, as Ctrl+C does. */
  interrupt(): void;
  /** Waits for the end. Returns the exit code, or the name of the signal that ended the program. */
  ended(): Promise<number | string>;
}

/** The result of a program that has ended. */
export interface EndedProgram {
  readonly end: number | string;
  readonly output: string;
  readonly errors: string;
}

const program = fileURLToPath(new URL("../../src/command/bin.ts", import.meta.url));

/** The arguments of the runtime that run the program. */
const runtimeArguments = "Deno" in globalThis
  ? ["run", "--quiet", "--no-check", "-A", program]
  : [program];

/** Starts the program. */
export function startProgram(args: readonly string[]): RunningProgram {
  const child = spawn(process.execPath, [...runtimeArguments, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const closed = once(child, "close");
  const texts = { output: "", errors: "" };
  child.stdout.setEncoding("utf8").on("data", (text) => texts.output += text);
  child.stderr.setEncoding("utf8").on("data", (text) => texts.errors += text);
  return {
    get output() {
      return texts.output;
    },
    get errors() {
      return texts.errors;
    },
    interrupt: () => child.kill("SIGINT"),
    async ended() {
      const [code, signal] = await closed;
      return code ?? signal;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await closed;
    },
  };
}

/** Runs the program to its end. */
export async function runProgram(...args: readonly string[]): Promise<EndedProgram> {
  await using running = startProgram(args);
  const end = await running.ended();
  return { end, output: running.output, errors: running.errors };
}
