/**
 * Starts and kills the processes of the application.
 *
 * @module
 */

import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Control, Settings, State } from "./application.ts";

const program = new URL("application_main.ts", import.meta.url);

/** A running process. */
export class ApplicationProcess {
  readonly name: string;
  /** The milliseconds by which its clock is ahead. */
  skew: number;
  /** The simulated time at which it was killed. */
  killedAt: number | null = null;
  readonly origin: string;
  readonly #child: ChildProcess;

  private constructor({ name, skew }: Settings, child: ChildProcess, port: string) {
    this.name = name;
    this.skew = skew;
    this.#child = child;
    this.origin = `http://127.0.0.1:${port}`;
  }

  /** Starts a process, and waits until it listens. */
  static async start(settings: Settings): Promise<ApplicationProcess> {
    const child = spawn(Deno.execPath(), [
      ...["run", "--quiet", "--no-check", "-A", "--v8-flags=--expose-gc", fileURLToPath(program)],
      JSON.stringify(settings),
    ], { cwd: new URL(".", program), stdio: ["pipe", "pipe", "inherit"] });
    const { value: port } = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
    if (port === undefined) throw new Error(`The process ${settings.name} did not start`);
    return new ApplicationProcess(settings, child, port);
  }

  /** Kills it at once, so that it can't finish anything. */
  async kill(now: number): Promise<void> {
    if (this.killedAt !== null) return;
    this.killedAt = now;
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGKILL");
    await ended;
  }

  async control(control: Control): Promise<void> {
    const body = JSON.stringify(control);
    await (await fetch(`${this.origin}/control`, { method: "POST", body })).body?.cancel();
  }

  /** Returns its state, on request after a garbage collection. */
  async state(collectsGarbage: boolean): Promise<State> {
    return await (await fetch(`${this.origin}/state${collectsGarbage ? "?gc" : ""}`)).json();
  }
}
