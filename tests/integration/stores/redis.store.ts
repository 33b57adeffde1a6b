import { createClient } from "redis";
import { afterAll, test } from "vitest";
import { redisStore } from "../../../examples/stores/redis.ts";
import { checkStore } from "../../../src/testing/mod.ts";
import { startRedis } from "./support/databases.ts";

const database = await startRedis();
const redis = await createClient({ url: database.url }).connect();
afterAll(async () => {
  redis.destroy();
  await database[Symbol.asyncDispose]();
});

test("The store in Redis keeps the contract of a store", async () => {
  await checkStore(redisStore(redis));
});
