/**
 * Four processes compete for the same values, in each database.
 *
 * @module
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { afterAll, expect, test } from "vitest";
import type { Store } from "../../../src/stores/store.ts";
import { startLineProcess } from "../../support/line_process.ts";
import { type Database, startMariaDb, startPostgres, startRedis } from "./support/databases.ts";
import { type ClientName, openStore } from "./support/open_store.ts";
import { serveNeon } from "./support/neon_server.ts";
import type { RaceCommand, RaceEntry, RaceResult } from "./support/racer.ts";
import { serveTurso } from "./support/turso_server.ts";
import { serveUpstash } from "./support/upstash_server.ts";
import { startWorker } from "./support/worker_store.ts";

const opened = new AsyncDisposableStack();
afterAll(() => opened.disposeAsync());

const folder = await mkdtemp(`${tmpdir()}/guildpass-race-`);
opened.defer(() => rm(folder, { recursive: true }));
const start = async (database: Promise<Pick<Database, "url"> & AsyncDisposable>) =>
  opened.use(await database).url;
const [redis, postgres, mariaDb, worker] = await Promise.all([
  start(startRedis()),
  start(startPostgres()),
  start(startMariaDb()),
  start(startWorker()),
]);
const upstash = opened.use(await serveUpstash(redis)).origin;
const neon = opened.use(serveNeon(postgres)).url;
const turso = opened.use(await serveTurso(`${folder}/turso.sqlite`)).origin;

const processes = await Promise.all(
  ["a", "b", "c", "d"].map(async (name) =>
    opened.use(
      await startLineProcess<RaceCommand, RaceResult>(
        new URL("support/racer.ts", import.meta.url),
        name,
      ),
    )
  ),
);

const rows: readonly [ClientName, string][] = [
  ["redis", redis],
  ["ioredis", redis],
  ["upstash", upstash],
  ["postgres", postgres],
  ["pg", postgres],
  ["neon", neon],
  ["neon pool", neon],
  ["mysql2", mariaDb],
  ["node:sqlite", `${folder}/node.sqlite`],
  ["libsql", `${folder}/libsql.sqlite`],
  ["turso", turso],
  ["turso serverless", turso],
  ["deno kv", `${folder}/kv.sqlite`],
  ["d1", worker],
  ["durable object", worker],
];

test.each(rows)(
  "Four processes with %s compete for a store, and no save is lost",
  async (client, url) => {
    await runRace(client, url);
  },
);

test("A race finds a store that compares and writes in two steps", async () => {
  await expect(runRace("two steps", redis)).rejects.toThrow(/to deeply equal/);
});

/** The number of increments of each key by each process. */
const increments = 20;

/** The number of times that each process takes the lock. */
const turns = 6;

async function runRace(client: ClientName, url: string): Promise<void> {
  await using open = await openStore({ client, url });
  const { store } = open;
  await store.createTable?.();
  const run = async (command: RaceCommand) => {
    const results = await Promise.all(processes.map((one) => one.call(command)));
    expect(results.map(({ error }) => error)).toEqual(processes.map(() => null));
    return results;
  };
  await run({ kind: "open", address: { client, url } });
  const keysFor = (what: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${what} ${at} ${crypto.randomUUID()}`);

  const all = Array.from({ length: processes.length * increments }, (_, at) => at + 1);
  let counted: RaceResult[];
  do {
    const counters = keysFor("counter", 2);
    counted = await run({ kind: "count", keys: counters, times: increments });
    for (const key of counters) {
      const saved = savesOf(counted, key);
      expect(saved.map(({ value }) => Number(value)).sort((a, b) => a - b)).toEqual(all);
      await expectEntry(store, saved.find(({ value }) => value === all.length));
    }
    // On a busy machine, the processes may have run one after another.
  } while (counted.every(({ lost }) => lost === 0));

  const [empty, expired, expiring] = [
    keysFor("empty", 5),
    keysFor("expired", 5),
    keysFor("old", 5),
  ];
  for (const key of expired) await store.save(key, "old", { version: null, expiresAt: 0 });
  for (const key of expiring) {
    await store.save(key, "old", { version: null, expiresAt: Date.now() + 300 });
  }
  const keys = [...empty, ...expired, ...expiring];
  const created = await run({ kind: "create", keys });
  for (const key of keys) {
    const [winner, ...more] = savesOf(created, key);
    expect(more).toEqual([]);
    await expectEntry(store, winner);
  }

  const [lock = ""] = keysFor("lock", 1);
  const locked = await run({ kind: "lock", key: lock, times: turns });
  expect(await store.load(lock)).toBeNull();

  const results = [...counted, ...created, ...locked];
  const versions = results.flatMap(({ saved }) => saved.map(({ version }) => version));
  expect(new Set(versions).size).toBe(versions.length);
  const saved = new Set(results.flatMap(({ saved }) => saved.map((one) => JSON.stringify(one))));
  const loaded = results.flatMap(({ loaded }) => loaded.filter(({ value }) => value !== "old"));
  expect(loaded.filter((one) => !saved.has(JSON.stringify(one)))).toEqual([]);
}

function savesOf(results: readonly RaceResult[], key: string): readonly RaceEntry[] {
  return results.flatMap(({ saved }) => saved.filter((one) => one.key === key));
}

async function expectEntry(store: Store, entry: RaceEntry | undefined): Promise<void> {
  const { key = "", ...found } = entry ?? {};
  expect(await store.load(key)).toEqual(found);
}
