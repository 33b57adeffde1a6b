/**
 * Runs the program of the packed package as a user in an empty project does.
 *
 * @module
 */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { dirname } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { sampleApplication } from "../../../src/testing/mod.ts";
import { visitDemo } from "../../support/demo_visit.ts";
import type { Project } from "./project.ts";
import type { RuntimeTest } from "./report.ts";
import { binaryOf, versionOf } from "./tools.ts";

/** Creates the tests for a project with the package in it. */
export function commandTests(project: Project): RuntimeTest[] {
  return (["node22", "node26"] as const).flatMap((runtime) =>
    Object.entries(commands).map(([command, check]) => ({
      runtime: runtime.replace("node", "Node "),
      title: `npx @guildpass/sdk ${command}, with a login`,
      run: async () => [
        await versionOf(runtime),
        await runProgram(project, dirname(binaryOf(runtime)), command, check),
      ],
    }))
  );
}

/** Uses the server of a running command, and returns a function that checks all lines that the command has printed. */
type Check = (origin: string) => Promise<(lines: readonly string[]) => void>;

const commands: Readonly<Record<string, Check>> = {
  async demo(origin) {
    const { guilds, inviteScript, filterScript } = await visitDemo(origin);
    throwIfMissing(["<h1>Ada Lovelace</h1>", "The Analytical Engine"], guilds);
    // Scripts without an import, which a browser runs as they are.
    for (const script of [inviteScript, filterScript]) {
      throwIfMissing(["(()=>{"], script);
      if (/^import /m.test(script)) throw new Error(`A script has an import: ${script}`);
    }
    return (lines) => throwIfMissing(["Ctrl+C stops it"], lines.join("\n"));
  },
  async fake(origin) {
    const username = await logIn(origin);
    if (username !== "ada") throw new Error(`${username} was logged in instead of ada`);
    return (lines) =>
      throwIfMissing([
        "\nDISCORD_CLIENT_ID=",
        "\nPOST /api/v10/oauth2/token 200",
        "\nGET /api/v10/users/@me 200",
      ], lines.join("\n"));
  },
};

/** Starts a command on any free port, checks it, and stops it as Ctrl-C does. */
async function runProgram(
  { directory }: Project,
  bin: string,
  command: string,
  check: Check,
): Promise<string> {
  // A process group of its own, as in a shell: Ctrl-C stops the whole group.
  const program = spawn("npx", ["@guildpass/sdk", command, "--port", "0"], {
    cwd: directory,
    env: { ...process.env, PATH: `${bin}:${process.env["PATH"]}` },
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  const ended = once(program, "exit");
  try {
    const lines: string[] = [];
    const checkLines = await check(await readAddress(program, lines));
    const start = performance.now();
    interrupt(program);
    await Promise.race([ended, rejectAfter(60_000, "Ctrl-C did not stop the program")]);
    const took = (performance.now() - start).toFixed(0);
    checkLines(lines);
    return `logged in; stopped in ${took} ms`;
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
    rejectAfter(60_000, "The program printed nothing"),
  ]);
  const [origin] = /http:\/\/[^ /]+/.exec(lines[0] ?? "") ?? [];
  if (!origin) throw new Error(`The first line has no address: ${lines[0]}`);
  return origin;
}

function throwIfMissing(parts: readonly string[], text: string): void {
  const missing = parts.filter((part) => !text.includes(part));
  if (missing.length) throw new Error(`${missing} is not in\n${text}`);
}

async function logIn(origin: string): Promise<string> {
  const { id, secret, redirectUris: [redirectUri = ""] } = sampleApplication;
  const link = `${origin}/oauth2/authorize?` + new URLSearchParams({
    response_type: "code",
    client_id: id,
    scope: "identify",
    redirect_uri: redirectUri,
  });
  const decision = await fetch(link, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ action: "authorize", user: "1000000000000000001" }),
  });
  await decision.body?.cancel();
  const code = new URL(decision.headers.get("location") ?? "").searchParams.get("code") ?? "";
  const headers = { "user-agent": "DiscordBot (https://app.example, 1.0)" };
  const answer = await fetch(`${origin}/api/v10/oauth2/token`, {
    method: "POST",
    headers,
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
      client_id: id,
      client_secret: secret,
    }),
  });
  const { access_token } = await answer.json();
  const me = await fetch(`${origin}/api/v10/users/@me`, {
    headers: { ...headers, authorization: `Bearer ${access_token}` },
  });
  return (await me.json()).username;
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
