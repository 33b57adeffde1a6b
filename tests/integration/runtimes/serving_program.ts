/**
 * Uses a program that serves pages, in a process group of its own, as in a shell.
 *
 * @module
 */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { createInterface } from "node:readline";

/** A command, and the place where it runs. */
export interface ServingCommand {
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  /** Environment variables in addition to those of this process. */
  readonly env: Readonly<Record<string, string>>;
}

/** The result of {@link useProgram}. */
export interface ProgramUse<T> {
  readonly result: T;
  /** All lines that the program has printed. */
  readonly lines: readonly string[];
  /** The time that the program took to stop, in milliseconds. */
  readonly stoppedAfter: number;
}

/** Starts a program, waits for the address in its first line, uses that, and stops the program as Ctrl+C does. */
export async function useProgram<T>(
  { command: [name, ...args], cwd, env }: ServingCommand,
  use: (origin: string) => Promise<T>,
): Promise<ProgramUse<T>> {
  const program = spawn(name, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
    // With a process group of its own, Ctrl+C stops the whole group.
    detached: true,
  });
  const ended = once(program, "exit");
  try {
    const lines: string[] = [];
    const result = await use(await readAddress(program, lines));
    const start = performance.now();
    interrupt(program);
    await Promise.race([ended, rejectAfter(60_000, "Ctrl+C did not stop the program")]);
    return { result, lines, stoppedAfter: performance.now() - start };
  } finally {
    if (program.exitCode === null && program.signalCode === null) interrupt(program);
  }
}

/** Returns the address in the first line that the program prints, and collects all lines in `lines`. */
async function readAddress(program: ChildProcess, lines: string[]): Promise<string> {
  if (program.stdout === null) throw new Error("The program has no output");
  const reader = createInterface(program.stdout);
  reader.on("line", (line) => lines.push(line));
  await Promise.race([
    once(reader, "line"),
    // It may have to download itself first.
    rejectAfter(300_000, "The program printed nothing"),
  ]);
  const [origin] = /http:\/\/[^ /]+/.exec(lines[0] ?? "") ?? [];
  if (!origin) throw new Error(`The first line has no address: ${lines[0]}`);
  return origin;
}

/** Stops the program and the processes that it started. */
function interrupt({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, "SIGINT");
}

function rejectAfter(milliseconds: number, message: string): Promise<never> {
  return new Promise((_resolve, reject) => {
    Deno.unrefTimer(setTimeout(() => reject(new Error(message)), milliseconds));
  });
}
