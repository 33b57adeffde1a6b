import { createClient } from "redis";
import { afterAll } from "vitest";
import { redisStore } from "../../examples/stores/redis.ts";
import { storeLaws } from "../server/stores/store_laws.ts";
import { startRedis } from "./support/databases.ts";

const redis = await createClient({ url: await startRedis() }).connect();
afterAll(() => redis.destroy());

storeLaws("The store in Redis", () => Promise.resolve(redisStore(redis)));
