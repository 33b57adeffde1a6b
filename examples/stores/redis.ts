/**
 * A store in Redis, with the package `redis`. There is nothing to set up, but `maxmemory-policy` should be `noeviction`:
 * a token that Redis throws away is a person who has to log in again.
 *
 *     const redis = createClient({ url: "redis://localhost:6379" }).on("error", console.error);
 *     await redis.connect();
 *     const store = redisStore(redis);
 *
 * @module
 */

import type { Store } from "@guildpass/sdk";

/** The commands that are used here. */
interface Redis {
  hmGet(key: string, fields: string[]): Promise<(string | null)[]>;
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  del(key: string): Promise<unknown>;
}

/** Redis runs a script as a whole: nobody else saves between its first line and its last. */
const save = `
  if (redis.call("HGET", KEYS[1], "version") or "") ~= ARGV[1] then return 0 end
  redis.call("DEL", KEYS[1])
  redis.call("HSET", KEYS[1], "version", ARGV[2], "value", ARGV[3])
  if ARGV[4] ~= "" then redis.call("PEXPIREAT", KEYS[1], ARGV[4]) end
  return 1`;

/** Keeps every value in a hash, beside its version. */
export function redisStore(redis: Redis): Store {
  return {
    async load(key) {
      const [value, version] = await redis.hmGet(key, ["value", "version"]);
      return value && version ? { value: JSON.parse(value), version } : null;
    },
    async save(key, value, { version, expiresAt }) {
      const newVersion = crypto.randomUUID();
      const end = expiresAt == null ? "" : String(Math.ceil(expiresAt));
      const saved = await redis.eval(save, {
        keys: [key],
        arguments: [version ?? "", newVersion, JSON.stringify(value), end],
      });
      return saved === 1 ? newVersion : null;
    },
    async delete(key) {
      await redis.del(key);
    },
  };
}
