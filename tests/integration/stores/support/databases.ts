/**
 * Starts databases, each with its own data on its own port.
 *
 * @module
 */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { freePort } from "../../../support/free_port.ts";

/** A running database. */
export interface Database extends AsyncDisposable {
  readonly url: string;
}

/** Starts Redis. */
export async function startRedis(): Promise<Database> {
  const port = await freePort();
  const folder = newFolder("redis");
  const options = ["--port", `${port}`, "--bind", "127.0.0.1", "--save", "", "--dir", folder];
  const child = await start("/usr/bin/redis-server", options, /Ready to accept connections/);
  return database(`redis://127.0.0.1:${port}`, child, folder);
}

/** Starts Postgres. */
export async function startPostgres(): Promise<Database> {
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
  const child = await start(`${programs}/postgres`, options, /ready to accept connections/, user);
  return database(`postgres://guildpass@127.0.0.1:${port}/postgres`, child, folder);
}

interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

/** The user of Postgres, which its package has created, because Postgres refuses to run as root. */
function postgresUser(): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (kind: string) => Number(execFileSync("id", [kind, "postgres"]));
  return { uid: idOf("-u"), gid: idOf("-g") };
}

function database(url: string, child: ChildProcess, folder: string): Database {
  return {
    url,
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      // With this signal, Postgres does not wait for open connections.
      child.kill("SIGINT");
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

/** Starts a program and waits until it prints that it is ready. */
async function start(
  program: string,
  args: readonly string[],
  ready: RegExp,
  user?: SystemUser,
): Promise<ChildProcess> {
  const child = spawn(program, args, { ...user, stdio: ["ignore", "pipe", "pipe"] });
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
  return child;
}

function newFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `guildpass-${name}-`));
  chmodSync(folder, 0o755);
  return folder;
}
