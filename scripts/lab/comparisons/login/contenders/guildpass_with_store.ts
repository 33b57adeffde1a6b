import { createClient } from "redis";
import { redisStore } from "../../../../../src/stores/redis.ts";
import type { Contender } from "../contender.ts";
import { contender as withoutStore, createApp } from "./guildpass.ts";

export const contender: Contender = {
  ...withoutStore,
  isAlwaysShared: true,
  async createSharedApp({ redisUrl }) {
    const store = redisStore(await createClient({ url: redisUrl }).connect());
    return createApp(store);
  },
};
