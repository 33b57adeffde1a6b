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
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../../support/free_port.ts";

/** A running database. */
export interface Database extends AsyncDisposable {
  readonly url: string;
}

/**
 * Starts Redis.
 *
 * @param more Further options of the program, as in `["--cluster-enabled", "yes"]`.
 */
export async function startRedis(more: readonly string[] = []): Promise<Database> {
  const port = await freePort();
  const folder = newFolder("redis");
  const address = ["--port", `${port}`, "--bind", "127.0.0.1"];
  const quick = ["--save", "", "--repl-diskless-sync-delay", "0"];
  const options = [...address, ...quick, "--dir", folder, ...more];
  const child = await start("/usr/bin/redis-server", options, /Ready to accept connections/);
  return database(`redis://127.0.0.1:${port}`, child, folder);
}

/** Starts a cluster of Redis that has one node. */
export async function startRedisCluster(): Promise<Database> {
  const address = ["--cluster-announce-ip", "127.0.0.1"];
  const node = await startRedis(["--cluster-enabled", "yes", ...address]);
  const { port } = new URL(node.url);
  const run = (...command: string[]) =>
    execFileSync("/usr/bin/redis-cli", ["-p", port, "cluster", ...command], { encoding: "utf8" });
  run("addslotsrange", "0", "16383");
  while (!run("info").includes("cluster_state:ok")) await sleep(50);
  return node;
}

/** Starts Postgres. */
export async function startPostgres(): Promise<Database> {
  const port = await freePort();
  const folder = newFolder("postgres");
  const user = postgresUser();
  if (user) chownSync(folder, user.uid, user.gid);
  const initialize = ["-D", join(folder, "data"), "-U", "guildpass", "-A", "trust", "-E", "UTF8"];
  execFileSync(`${postgresPrograms()}/initdb`, initialize, { ...user, cwd: folder, stdio: "pipe" });
  return await startPostgresIn(folder, port);
}

/** Starts Postgres with the data in a folder. */
async function startPostgresIn(
  folder: string,
  port: number,
  more: readonly string[] = [],
): Promise<Database> {
  const address = ["-h", "127.0.0.1", "-p", `${port}`, "-k", folder];
  const options = ["-D", join(folder, "data"), ...address, ...more];
  const ready = /ready to accept (read-only )?connections/;
  const child = await start(`${postgresPrograms()}/postgres`, options, ready, postgresUser());
  return database(`postgres://guildpass@127.0.0.1:${port}/postgres`, child, folder);
}

/** The folder of the newest Postgres. */
function postgresPrograms(): string {
  const [version] = readdirSync("/usr/lib/postgresql").sort((a, b) => Number(b) - Number(a));
  return `/usr/lib/postgresql/${version}/bin`;
}

/**
 * Starts a standby of a Postgres, which only reads.
 *
 * @param lagMs The time by which it is behind, in milliseconds.
 */
export async function startPostgresStandby(primaryUrl: string, lagMs: number): Promise<Database> {
  const port = await freePort();
  const folder = newFolder("postgres");
  const user = postgresUser();
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const copy = ["-D", data, "-d", primaryUrl, "-R", "-c", "fast", "-X", "stream"];
  execFileSync(`${postgresPrograms()}/pg_basebackup`, copy, {
    ...user,
    cwd: folder,
    stdio: "pipe",
  });
  return await startPostgresIn(folder, port, ["-c", `recovery_min_apply_delay=${lagMs}ms`]);
}

/** Starts MariaDB. */
export async function startMariaDb(): Promise<Database> {
  const port = await freePort();
  const folder = newFolder("mariadb");
  const data = ["--no-defaults", `--datadir=${folder}/data`];
  const initialize = ["--auth-root-authentication-method=normal", "--skip-test-db", "--user=root"];
  execFileSync("/usr/bin/mariadb-install-db", [...data, ...initialize], { stdio: "pipe" });
  const address = [`--port=${port}`, "--bind-address=127.0.0.1", `--socket=${folder}/socket`];
  const options = [...data, ...address, "--user=root", "--skip-name-resolve"];
  const child = await start("/usr/sbin/mariadbd", options, /ready for connections/);
  const socket = [`--socket=${folder}/socket`, "--user=root"];
  execFileSync("/usr/bin/mariadb", [...socket, "-e", "create database guildpass"]);
  return database(`mysql://root@127.0.0.1:${port}/guildpass`, child, folder, "SIGTERM");
}

/** Makes a folder for a database in SQLite. */
export function openSqlite(): Promise<Database> {
  const folder = newFolder("sqlite");
  return Promise.resolve({
    url: `file://${folder}/application.db`,
    // deno-lint-ignore require-await -- the interface is asynchronous
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true }),
  });
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

/** @param signal Ends the program. With `SIGINT`, Postgres does not wait for open connections. MariaDB ignores it. */
function database(
  url: string,
  child: ChildProcess,
  folder: string,
  signal: NodeJS.Signals = "SIGINT",
): Database {
  return {
    url,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = new Promise((resolve) => child.once("exit", resolve));
        child.kill(signal);
        await ended;
      }
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
