import { Redis as UpstashRedis } from "@upstash/redis";
import { Redis } from "ioredis";
import { createClient, createClientPool, RESP_TYPES } from "redis";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { redisStore } from "../../../src/stores/redis.ts";
import { checkStore } from "../../../src/testing/mod.ts";
import { startRedis } from "./support/databases.ts";
import { serveUpstash } from "./support/upstash_server.ts";

const database = await startRedis();
const { url } = database;
afterAll(() => database[Symbol.asyncDispose]());

test("The store in Redis keeps the contract of a store", async () => {
  const redis = await createClient({ url }).connect();
  onTestFinished(() => redis.destroy());
  await checkStore(redisStore(redis));
});

test.each([
  ["the protocol of Redis 5", createClient({ url, RESP: 2 })],
  ["a cache of its own", createClient({ url, RESP: 3, clientSideCache: {} })],
  [
    "texts as buffers",
    createClient({
      url,
      commandOptions: { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } },
    }),
  ],
  [
    "numbers as texts",
    createClient({ url, commandOptions: { typeMapping: { [RESP_TYPES.NUMBER]: String } } }),
  ],
])("The store in Redis takes a client that has %s", async (_what, redis) => {
  await redis.connect();
  onTestFinished(() => redis.destroy());
  await checkStore(redisStore(redis));
});

test("The store in Redis takes a pool of clients", async () => {
  const pool = createClientPool({ url });
  await pool.connect();
  onTestFinished(() => pool.destroy());
  await checkStore(redisStore(pool));
});

test("The store in Redis keeps to the prefix of its client", async () => {
  const redis = await createClient({ url, keyPrefix: "app:" }).connect();
  onTestFinished(() => redis.destroy());
  await checkStore(redisStore(redis));
  await redisStore(redis).save("key", { at: 1 }, { version: null });
  const plain = await createClient({ url }).connect();
  onTestFinished(() => plain.destroy());
  expect(await plain.keys("*")).toEqual(["app:key"]);
});

test.each([
  ["no settings", {}],
  ["a prefix", { keyPrefix: "io:" }],
  ["automatic pipelines", { enableAutoPipelining: true }],
  ["numbers as texts", { stringNumbers: true }],
])("The store in Redis takes a client of ioredis that has %s", async (_what, options) => {
  const redis = new Redis(url, options);
  onTestFinished(() => redis.disconnect());
  await checkStore(redisStore(redis));
  await redisStore(redis, { prefix: "of-option:" }).save("key", { at: 1 }, { version: null });
  const plain = new Redis(url);
  onTestFinished(() => plain.disconnect());
  expect(await plain.exists(`${"keyPrefix" in options ? "io:" : ""}of-option:key`)).toBe(1);
});

test.each([
  ["no settings", {}],
  ["texts as they are", { automaticDeserialization: false }],
  ["automatic pipelines off", { enableAutoPipelining: false }],
])("The store in Redis takes a client of Upstash that has %s", async (_what, options) => {
  const server = await serveUpstash(url);
  onTestFinished(() => server[Symbol.asyncDispose]());
  const client = new UpstashRedis({ url: server.origin, token: "token", ...options });
  await checkStore(redisStore(client));
});

test("The store in Redis reads the primary server, also by a client that reads from replicas", async () => {
  const replica = await startRedis(["--replicaof", "127.0.0.1", new URL(url).port]);
  onTestFinished(() => replica[Symbol.asyncDispose]());
  const onReplica = await createClient({ url: replica.url }).connect();
  onTestFinished(() => onReplica.destroy());
  await expect.poll(() => onReplica.info("replication")).toContain("master_link_status:up");
  await expect(checkStore(redisStore(onReplica))).rejects.toThrow(/READONLY|read only replica/);
});

test("Redis keeps no log by default, and evicts no value, as docs/stores.md says", async () => {
  const redis = await createClient({ url }).connect();
  onTestFinished(() => redis.destroy());
  expect(await redis.configGet(["appendonly", "appendfsync", "maxmemory-policy"])).toEqual({
    appendonly: "no",
    appendfsync: "everysec",
    "maxmemory-policy": "noeviction",
  });
});
