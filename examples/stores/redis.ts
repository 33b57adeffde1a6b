/**
 * A store in Redis, with the package `redis`. Set `maxmemory-policy` to `noeviction`: if Redis evicts a token,
 * its owner has to log in again.
 *
 *     const redis = createClient({ url: "redis://localhost:6379" }).on("error", console.error);
 *     await redis.connect();
 *     const store = redisStore(redis);
 *
 * @module
 */

import type { Store } from "@guildpass/sdk";

/** The commands that the store uses. */
interface Redis {
  hmGet(key: string, fields: string[]): Promise<unknown[]>;
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  del(key: string): Promise<unknown>;
}

/** Saves if the version matches. Redis runs a script as a whole, so that no other save comes in between. */
const save = `
  if (redis.call("HGET", KEYS[1], "version") or "") ~= ARGV[1] then return 0 end
  redis.call("DEL", KEYS[1])
  redis.call("HSET", KEYS[1], "version", ARGV[2], "value", ARGV[3])
  if ARGV[4] ~= "" then redis.call("PEXPIREAT", KEYS[1], ARGV[4]) end
  return 1`;

/** Creates a store with one hash for each value and its version. The client may read texts as buffers, and numbers as texts. */
export function redisStore(redis: Redis): Store {
  return {
    async load(key) {
      const [value, version] = await redis.hmGet(key, ["value", "version"]);
      return value && version
        ? { value: JSON.parse(String(value)), version: String(version) }
        : null;
    },
    async save(key, value, { version, expiresAt }) {
      const newVersion = crypto.randomUUID();
      const end = expiresAt == null ? "" : String(Math.ceil(expiresAt));
      const saved = await redis.eval(save, {
        keys: [key],
        arguments: [version ?? "", newVersion, JSON.stringify(value), end],
      });
      return Number(saved) === 1 ? newVersion : null;
    },
    async delete(key) {
      await redis.del(key);
    },
  };
}
