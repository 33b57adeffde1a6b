/**
 * Replicas: Redis fails over to a replica, which may not have the latest saves, and reads come from replicas.
 *
 * @module
 */

import { Cluster } from "ioredis";
import { execFileSync } from "node:child_process";
import { createCluster } from "redis";
import { expect, onTestFinished, test, vi } from "vitest";
import { TokenSource } from "../../../mod.ts";
import { Login } from "../../../src/login/mod.ts";
import { redisStore } from "../../../src/stores/redis.ts";
import { checkStore, CookieJar, sampleApplication } from "../../../src/testing/mod.ts";
import {
  type Database,
  startPostgres,
  startPostgresStandby,
  startRedis,
  startRedisCluster,
} from "./support/databases.ts";
import { type ClientName, openStore } from "./support/open_store.ts";
import { createPlatform } from "./support/platform.ts";
import { startTcpProxy } from "./support/tcp_proxy.ts";

const day = 86_400_000;

/** A Redis with a replica, and a client that is connected to the primary. */
async function startWithReplica(client: ClientName) {
  const primary = use(await startRedis());
  const link = use(await startTcpProxy(primary.url));
  const replica = use(await startRedis(["--replicaof", "127.0.0.1", new URL(link.url).port]));
  const address = use(await startTcpProxy(primary.url));
  await expect.poll(() => runRedis(replica, "info", "replication")).toContain(
    "master_link_status:up",
  );
  const { store } = use(await openStore({ client, url: address.url }));
  return {
    store,
    /** Waits until the replica has all saves, and lets no later one through. */
    async stopReplication() {
      const offset = () =>
        /master_repl_offset:(\d+)/.exec(runRedis(primary, "info", "replication"))?.[1];
      await expect.poll(() => runRedis(replica, "info", "replication"))
        .toContain(`slave_repl_offset:${offset()}`);
      link.hold();
    },
    /** Ends the primary as a crash does, and makes the replica the new one, at the same address. */
    async failOver() {
      // Otherwise, it would wait for the replica.
      runRedis(primary, "shutdown", "nosave", "now", "force");
      runRedis(replica, "replicaof", "no", "one");
      address.moveTo(replica.url);
      address.breakAll();
      await expect.poll(() => store.load("nothing").catch(() => "an error")).toBeNull();
    },
  };
}

test.each<ClientName>(["redis", "ioredis"])(
  "After a failover, %s goes on with what the replica has, and never takes the version of a lost save",
  async (client) => {
    const { store, stopReplication, failOver } = await startWithReplica(client);
    const kept = await store.save("key", "kept", { version: null });
    await stopReplication();
    const lost = await store.save("key", "lost", { version: kept });
    const created = await store.save("new", "lost", { version: null });
    await failOver();
    expect(await store.load("key")).toEqual({ value: "kept", version: kept });
    expect(await store.load("new")).toBeNull();
    // The process that made the lost saves learns of it, and overwrites nothing.
    expect(await store.save("key", "later", { version: lost })).toBeNull();
    expect(await store.save("new", "later", { version: created })).toBeNull();
    const next = await store.save("key", "later", { version: kept });
    expect([kept, lost, created, null]).not.toContain(next);
    await checkStore(store);
  },
);

test("If a failover loses a new token, the old one is used to its end, and then the person has to log in again", async () => {
  const { store, stopReplication, failOver } = await startWithReplica("redis");
  const { api, fake, logIn, sent } = createPlatform();
  const token = await logIn();
  const { now } = Date;
  onTestFinished(() => void vi.restoreAllMocks());
  const source = () => new TokenSource(api, store, "discord:ada");
  await source().save({ ...token, expires_at: Date.now() + day });
  await stopReplication();
  // The token has lived for more than three quarters of its lifetime, so that it is refreshed.
  expect((await source().token()).access_token).not.toBe(token.access_token);
  await failOver();
  // A process leaves up to a quarter of a second between its first refreshes while the old token works.
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect((await source().token()).access_token).toBe(token.access_token);
  // The platform refuses the refresh token the second time, and the library does not send it a third time.
  expect((await source().token()).access_token).toBe(token.access_token);
  expect(sent("refresh_token")).toEqual([token.refresh_token, token.refresh_token]);
  fake.advance(2 * day);
  vi.spyOn(Date, "now").mockImplementation(() => now() + 2 * day);
  await expect(source().token()).rejects.toMatchObject({
    name: "LoginRequiredError",
    reason: "refused",
  });
  // A new login ends it.
  await source().save({ ...await logIn(), expires_at: Date.now() + 7 * day });
  expect((await source().token()).access_token).not.toBe(token.access_token);
});

test("If a failover loses a logout, the session goes on, and another logout ends it", async () => {
  const { store, stopReplication, failOver } = await startWithReplica("redis");
  const { fake } = createPlatform();
  const login = new Login({
    ...fake,
    clientId: sampleApplication.id,
    clientSecret: sampleApplication.secret,
    scope: ["identify"],
    secret: "a secret of these tests, of 32 characters at least",
    store,
  });
  const site = "http://localhost:3000/";
  const jar = new CookieJar();
  const start = await login.start(new Request(site));
  jar.store(start, site);
  const callback = await fake.authorize(start.headers.get("location") ?? "", { as: "ada" });
  const request = () => new Request(site, { headers: { cookie: jar.header } });
  const { user, headers } = await login.finish(
    new Request(callback, { headers: { cookie: jar.header } }),
  );
  jar.store(new Response(null, { headers }), site);
  await stopReplication();
  await login.endAll(user.id);
  expect(await login.session(request())).toBeNull();
  await failOver();
  expect(await login.session(request())).not.toBeNull();
  expect(await login.endAll(user.id)).toBe(1);
  expect(await login.session(request())).toBeNull();
});

test("A primary that wants a replica and has none refuses a save with an error", async () => {
  const { url } = use(await startRedis(["--min-replicas-to-write", "1"]));
  const { store } = use(await openStore({ client: "redis", url }));
  await expect(store.save("key", 1, { version: null })).rejects.toThrow("NOREPLICAS");
  expect(await store.load("key")).toBeNull();
});

test("The store takes a cluster of redis and ioredis, and reads the primary if the client reads from replicas", async () => {
  const primary = use(await startRedisCluster());
  const options = ["--cluster-enabled", "yes", "--cluster-announce-ip", "127.0.0.1"];
  const replica = use(await startRedis(options));
  runRedis(replica, "cluster", "meet", "127.0.0.1", new URL(primary.url).port);
  const id = runRedis(primary, "cluster", "myid").trim();
  await expect.poll(() => runRedis(replica, "cluster", "nodes")).toContain(id);
  await expect.poll(() => runRedis(replica, "cluster", "replicate", id)).toContain("OK");
  // From then on, clients know the replica.
  const { port } = new URL(replica.url);
  await expect.poll(() => runRedis(primary, "cluster", "slots")).toContain(port);
  await expect.poll(() => runRedis(replica, "info", "replication")).toContain(
    "master_link_status:up",
  );

  const cluster = createCluster({ rootNodes: [{ url: primary.url }], useReplicas: true });
  await cluster.connect();
  onTestFinished(() => cluster.destroy());
  const ioCluster = new Cluster([primary.url], { scaleReads: "slave" });
  onTestFinished(() => ioCluster.disconnect());
  const readsOfReplica = () =>
    Number(/cmdstat_get:calls=(\d+)/.exec(runRedis(replica, "info", "commandstats"))?.[1] ?? 0);
  for (const client of [cluster, ioCluster]) {
    const before = readsOfReplica();
    for (let count = 0; count < 10; count++) await client.get("key");
    expect(readsOfReplica()).toBeGreaterThan(before);
  }
  await checkStore(redisStore(cluster));
  await checkStore(redisStore(ioCluster));
  expect(runRedis(primary, "info", "commandstats")).toContain("cmdstat_eval:");
  expect(runRedis(replica, "info", "commandstats")).not.toContain("cmdstat_eval:");
});

test("checkStore() names a standby of Postgres that lags behind", async () => {
  const primary = use(await startPostgres());
  const { store } = use(await openStore({ client: "postgres", url: primary.url }));
  await store.createTable?.();
  const standby = use(await startPostgresStandby(primary.url, 100));
  const { store: onStandby } = use(await openStore({ client: "postgres", url: standby.url }));
  const mixed = { ...store, load: onStandby.load };
  await expect(checkStore(mixed)).rejects.toThrow(
    "- load() returned an older value than the latest save(): does it read from a replica?",
  );
  await expect(checkStore(onStandby)).rejects.toThrow("read-only transaction");
});

/** Closes something at the end of the running test, the last thing first. */
function use<Resource extends AsyncDisposable>(resource: Resource): Resource {
  onTestFinished(() => resource[Symbol.asyncDispose]());
  return resource;
}

function runRedis({ url }: Pick<Database, "url">, ...command: string[]): string {
  const { port } = new URL(url);
  return execFileSync("/usr/bin/redis-cli", ["-p", port, ...command], { encoding: "utf8" });
}
