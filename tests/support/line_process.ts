/**
 * A program of the tests in its own process. It replies to each line of its standard input with a line of its standard output.
 *
 * @module
 */

import { spawn } from "node:child_process";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A running process. */
export interface LineProcess<Input, Output> extends AsyncDisposable {
  /** Sends a line, and returns the reply. */
  call(input: Input): Promise<Output>;
  /** Kills the process. */
  crash(): Promise<void>;
}

/** Starts a program with its settings as the only argument, and waits until it is ready. */
export async function startLineProcess<Input, Output>(
  program: URL,
  settings: unknown,
): Promise<LineProcess<Input, Output>> {
  const child = spawn(Deno.execPath(), [
    ...["run", "--quiet", "--no-check", "-A", fileURLToPath(program)],
    JSON.stringify(settings),
  ], { cwd: new URL(".", program), stdio: "pipe" });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  let errors = "";
  child.stderr.on("data", (chunk) => errors += chunk);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${program} has ended:\n${errors}`);
    return value;
  };
  await nextLine();
  async function crash(): Promise<void> {
    child.kill("SIGKILL");
    await ended;
  }
  return {
    async call(input) {
      child.stdin.write(`${JSON.stringify(input)}\n`);
      return JSON.parse(await nextLine());
    },
    crash,
    [Symbol.asyncDispose]: crash,
  };
}

/** Runs in the program itself: reports that it is ready, and replies to every line. */
export async function replyToLines<Input, Output>(
  reply: (input: Input) => Promise<Output>,
): Promise<void> {
  const lines = createInterface(process.stdin);
  console.log("ready");
  for await (const line of lines) console.log(JSON.stringify(await reply(JSON.parse(line))));
}
