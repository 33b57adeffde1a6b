/**
 * Runs the program `guildpass` in a process of its own.
 *
 * @module
 */

import { execFile } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** The result of a program that has ended. */
export interface EndedProgram {
  readonly exitCode: number;
  readonly output: string;
  readonly errors: string;
}

const program = fileURLToPath(new URL("../../src/command/bin.ts", import.meta.url));

/** The arguments of the runtime that run the program. */
const runtimeArguments = "Deno" in globalThis
  ? ["run", "--quiet", "--no-check", "-A", program]
  : [program];

/** Runs the program to its end, without a terminal. */
export function runProgram(...args: readonly string[]): Promise<EndedProgram> {
  return new Promise((resolve) => {
    execFile(process.execPath, [...runtimeArguments, ...args], (error, output, errors) => {
      resolve({ exitCode: error === null ? 0 : Number(error.code), output, errors });
    });
  });
}
