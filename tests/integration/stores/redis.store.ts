import { createClient } from "redis";
import { afterAll } from "vitest";
import { redisStore } from "../../../examples/stores/redis.ts";
import { testStoreContract } from "../../stores/store_contract.ts";
import { startRedis } from "./support/databases.ts";

const database = await startRedis();
const redis = await createClient({ url: database.url }).connect();
afterAll(async () => {
  redis.destroy();
  await database[Symbol.asyncDispose]();
});

testStoreContract("The store in Redis", () => Promise.resolve(redisStore(redis)));
