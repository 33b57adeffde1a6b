/** Redis, with the package `redis`. Set `maxmemory-policy` to `noeviction`, and `appendonly` to `yes`. @module */

import { redisStore } from "@guildpass/sdk/stores/redis";
import { createClient } from "redis";
import type { Database } from "../database.ts";

/** All people, sorted by the time of their number. */
const people = "app:people";
const servers = "app:servers";

export async function open(url: string): Promise<Database> {
  const redis = createClient({ url, commandOptions: { timeout: 5000 } });
  redis.on("error", console.error); // the client connects again by itself
  await redis.connect();
  return {
    store: redisStore(redis),
    createTables: () => Promise.resolve(),
    async addPerson(id) {
      await redis.zAdd(people, { value: id, score: 0 }, { condition: "NX" });
    },
    listPeople: () => redis.zRange(people, 0, -1),
    async saveServerCount(id, count) {
      await redis.multi()
        .zAdd(people, { value: id, score: Date.now() }, { condition: "XX" })
        .hSet(servers, id, count)
        .exec();
    },
    async loadServerCount(id) {
      const count = await redis.hGet(servers, id);
      return count === null ? null : Number(count);
    },
    async removePerson(id) {
      await redis.multi().zRem(people, id).hDel(servers, id).exec();
    },
    removeExpired: () => Promise.resolve(0), // Redis does it
    close: () => redis.close(),
  };
}
