import { createClient, RESP_TYPES } from "redis";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { redisStore } from "../../../examples/stores/redis.ts";
import { checkStore } from "../../../src/testing/mod.ts";
import { startRedis } from "./support/databases.ts";

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

test("The store in Redis keeps to the prefix of its client", async () => {
  const redis = await createClient({ url, keyPrefix: "app:" }).connect();
  onTestFinished(() => redis.destroy());
  await checkStore(redisStore(redis));
  await redisStore(redis).save("key", { at: 1 }, { version: null });
  const plain = await createClient({ url }).connect();
  onTestFinished(() => plain.destroy());
  expect(await plain.keys("*")).toEqual(["app:key"]);
});
