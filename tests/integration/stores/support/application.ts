/**
 * Runs examples/background_jobs: two web processes behind one address, and the nightly job in a process of its own.
 *
 * @module
 */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { generateState } from "../../../../mod.ts";
import { sampleApplication } from "../../../../src/testing/mod.ts";
import { freePort } from "../../../support/free_port.ts";
import type { ServedPlatform } from "./served_platform.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The address of the application. */
export const site = "https://app.example";

/** The end of a program. */
export interface ProgramEnd {
  readonly code: number;
  readonly printed: string;
}

/** The application. */
export interface Application extends AsyncDisposable {
  /** Runs a program of the application to its end. */
  run(program: "create_tables.ts" | "nightly.ts"): Promise<ProgramEnd>;
  /** Starts a web process, or starts it again. */
  startWeb(index: number): Promise<void>;
  /** Sends a signal to a web process and waits for its end. Returns its exit code. */
  endWeb(index: number, signal: "SIGKILL" | "SIGTERM"): Promise<number | null>;
  /** Forwards a request to the web processes by turns, or to one of them. */
  fetch(request: Request, index?: number): Promise<Response>;
  /** Returns what the web processes have printed. */
  printed(): string;
  /** Moves the clocks of the platform and all processes. */
  passDays(days: number): Promise<void>;
}

/** Prepares the application with a database. Starts no process. */
export async function openApplication(
  databaseUrl: string,
  platform: ServedPlatform,
): Promise<Application> {
  const { fake } = platform;
  const folder = await mkdtemp(`${tmpdir()}/guildpass-application-`);
  const clockFile = `${folder}/clock`;
  let ahead = 0;
  await writeFile(clockFile, "0");
  const settings = {
    DISCORD_CLIENT_ID: sampleApplication.id,
    DISCORD_CLIENT_SECRET: sampleApplication.secret,
    DISCORD_PUBLIC_KEY: await fake.webhookPublicKey(),
    DISCORD_REDIRECT_URI: `${site}/callback`,
    DISCORD_PLATFORM: JSON.stringify(fake.platform),
    LOGIN_SECRET: generateState(),
    DATABASE_URL: databaseUrl,
    CLOCK_FILE: clockFile,
  };
  const webs: { program: RunningProgram; port: number }[] = [];
  let turn = 0;

  const start = (program: string, port = 0) =>
    startProgram(program, { ...settings, PORT: `${port}` });

  return {
    run: (program) => start(program).end,
    async startWeb(index) {
      const port = await freePort();
      const program = start("web.ts", port);
      webs[index] = { program, port };
      await program.firstLine;
    },
    async endWeb(index, signal) {
      const program = webs[index]?.program;
      program?.kill(signal);
      return (await program?.end)?.code ?? null;
    },
    async fetch(request, index = turn++ % 2) {
      const { pathname, search } = new URL(request.url);
      return await fetch(`http://127.0.0.1:${webs[index]?.port}${pathname}${search}`, {
        method: request.method,
        headers: request.headers,
        body: request.body && await request.text(),
        redirect: "manual",
      });
    },
    printed: () => webs.map(({ program }) => program.printed()).join("\n"),
    async passDays(days) {
      ahead += days * 86_400_000;
      fake.advance(days * 86_400_000);
      await writeFile(clockFile, `${ahead}`);
    },
    async [Symbol.asyncDispose]() {
      for (const { program } of webs) {
        program.kill("SIGKILL");
        await program.end;
      }
      await rm(folder, { recursive: true });
    },
  };
}

interface RunningProgram {
  /** Waits for the first output. Rejects if the program ends before. */
  readonly firstLine: Promise<void>;
  readonly end: Promise<ProgramEnd>;
  /** Returns what it has printed so far. */
  printed(): string;
  kill(signal: Deno.Signal): void;
}

function startProgram(program: string, settings: Readonly<Record<string, string>>): RunningProgram {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--no-check", "-A", "--config", here("../deno.json")],
      ...["--preload", here("shifted_clock.ts")],
      here(`../../../../examples/background_jobs/${program}`),
    ],
    env: { ...settings, NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const { promise: firstLine, resolve, reject } = Promise.withResolvers<void>();
  firstLine.catch(() => {}); // A job has no reader of this.
  let printed = "";
  const outputs = [child.stdout, child.stderr].map(async (stream) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      printed += text;
      resolve();
    }
  });
  const end = Promise.all([child.status, ...outputs]).then(([{ code }]) => {
    reject(new Error(`${program} has ended:\n${printed}`));
    return { code, printed };
  });
  return {
    firstLine,
    end,
    printed: () => printed,
    kill(signal) {
      try {
        child.kill(signal);
      } catch {
        // The program has already ended.
      }
    },
  };
}
