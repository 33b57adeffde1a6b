/**
 * The databases, each with data of its own, on a port of its own, for as long as the tests of a file run.
 *
 * @module
 */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll } from "vitest";

/** Starts Redis, and gives its URL. */
export async function startRedis(): Promise<string> {
  const port = await freePort();
  const folder = newFolder("redis");
  const options = ["--port", `${port}`, "--bind", "127.0.0.1", "--save", "", "--dir", folder];
  await start("/usr/bin/redis-server", options, /Ready to accept connections/);
  return `redis://127.0.0.1:${port}`;
}

/** Starts Postgres, and gives its URL. */
export async function startPostgres(): Promise<string> {
  const port = await freePort();
  const folder = newFolder("postgres");
  const user = postgresUser();
  if (user) chownSync(folder, user.uid, user.gid);
  const [version] = readdirSync("/usr/lib/postgresql").sort((a, b) => Number(b) - Number(a));
  const programs = `/usr/lib/postgresql/${version}/bin`;
  const data = join(folder, "data");
  const initialize = ["-D", data, "-U", "guildpass", "-A", "trust", "-E", "UTF8"];
  execFileSync(`${programs}/initdb`, initialize, { ...user, cwd: folder, stdio: "pipe" });
  const options = ["-D", data, "-h", "127.0.0.1", "-p", `${port}`, "-k", folder];
  await start(`${programs}/postgres`, options, /ready to accept connections/, user);
  return `postgres://guildpass@127.0.0.1:${port}/postgres`;
}

interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

/** Whom Postgres runs as: as it refuses to run as root, that is the user whom its package has made. */
function postgresUser(): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (kind: string) => Number(execFileSync("id", [kind, "postgres"]));
  return { uid: idOf("-u"), gid: idOf("-g") };
}

/** Starts a program, waits until it prints that it is ready, and ends it after the tests of the file. */
async function start(
  program: string,
  args: readonly string[],
  ready: RegExp,
  user?: SystemUser,
): Promise<void> {
  const child = spawn(program, args, { ...user, stdio: ["ignore", "pipe", "pipe"] });
  afterAll(() => end(child));
  let printed = "";
  await new Promise<void>((resolve, reject) => {
    const listen = (chunk: unknown): void => {
      printed += chunk;
      if (ready.test(printed)) resolve();
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`${program} has ended:\n${printed}`)));
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  // As Postgres understands it: without waiting for connections to be closed.
  child.kill("SIGINT");
  await ended;
}

function newFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `guildpass-${name}-`));
  chmodSync(folder, 0o755);
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" ? address?.port ?? 0 : 0;
      server.close(() => resolve(port));
    });
  });
}
