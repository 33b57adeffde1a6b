/**
 * A store in Redis.
 *
 * @module
 */

import { throwBadObject } from "../core/arguments.ts";
import { checkOptionNames } from "../core/options.ts";
import type { Store } from "./store.ts";
import { checkedKey, loadedText, savedText } from "./store_text.ts";

/** A client or cluster of the package `redis`. */
export interface NodeRedisClient {
  /** A method that only this package has. */
  readonly hmGet: unknown;
  /** Runs a script. */
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/** A client or cluster of the package `ioredis`. */
export interface IoRedisClient {
  /** A method that only this package has. */
  readonly defineCommand: unknown;
  /** Runs a script. */
  eval(script: string, keyCount: number, ...keysAndValues: string[]): Promise<unknown>;
}

/** A client of the package `@upstash/redis`. */
export interface UpstashRedisClient {
  /** Runs a script. */
  eval(script: string, keys: string[], values: string[]): Promise<unknown>;
}

/** A client of one of the packages `redis`, `ioredis` and `@upstash/redis`. */
export type RedisClient = NodeRedisClient | IoRedisClient | UpstashRedisClient;

/** Options of {@link redisStore}. */
export interface RedisStoreOptions {
  /** A prefix for each key. @default {""} */
  readonly prefix?: string | null | undefined;
}

/**
 * Reads a value. A script always runs on the primary server, even if the client sends other reads to a replica. The `=` keeps a client
 * from parsing the JSON.
 */
const load = `local found = redis.call("HMGET", KEYS[1], "value", "version")
if not found[1] then return nil end
return {"=" .. found[1], found[2]}`;

/**
 * Saves a value if the version matches. Redis runs a script as a whole, so that no other save comes in between. After a lost connection,
 * ioredis, clusters and the client of Upstash send a script again: then it finds the version that its first run has saved.
 */
const save = `local found = redis.call("HGET", KEYS[1], "version") or ""
if found == ARGV[2] then return 1 end
if found ~= ARGV[1] then return 0 end
redis.call("DEL", KEYS[1])
redis.call("HSET", KEYS[1], "version", ARGV[2], "value", ARGV[3])
if ARGV[4] ~= "" then redis.call("PEXPIREAT", KEYS[1], ARGV[4]) end
return 1`;

const remove = 'redis.call("DEL", KEYS[1])';

/**
 * Returns a store in Redis, with one hash for each value. Redis removes expired values. Set `maxmemory-policy` to `noeviction`: if Redis
 * evicts a session, its owner has to log in again.
 *
 * @param client A connected client or cluster of `redis` or `ioredis`, or a client of `@upstash/redis`. It may have its own settings,
 * such as a prefix, reads from replicas, or strings as buffers.
 * @param options The prefix of the keys.
 * @throws {TypeError} If the client or an option is wrong.
 *
 * @example
 * ```ts ignore
 * import { redisStore } from "@guildpass/sdk/stores/redis";
 * import { createClient } from "redis";
 *
 * const redis = createClient({ url: "redis://localhost:6379" }).on(
 *   "error",
 *   console.error,
 * );
 * await redis.connect();
 * const store = redisStore(redis);
 * ```
 */
export function redisStore(client: RedisClient, options?: RedisStoreOptions | null): Store {
  const run = scriptRunner(client);
  checkOptionNames("options", options, ["prefix"]);
  const prefix = options?.prefix ?? "";
  return {
    async load(key) {
      const found = await run(load, prefix + checkedKey(key));
      if (!Array.isArray(found)) return null;
      const [text, version] = found;
      return loadedText(String(text).slice(1), version);
    },
    async save(key, value, options) {
      const { text, version, expiresAt } = savedText(value, options);
      const values = [options.version ?? "", version, text, expiresAt ?? ""];
      return Number(await run(save, prefix + checkedKey(key), ...values)) === 1 ? version : null;
    },
    async delete(key) {
      await run(remove, prefix + checkedKey(key));
    },
  };
}

/** Returns a function that runs a script with a key. The three packages pass keys and values to a script in three ways. */
function scriptRunner(
  client: RedisClient,
): (script: string, key: string, ...values: string[]) => Promise<unknown> {
  if (typeof client?.eval !== "function") {
    throwBadObject("client", "a client of redis, ioredis or @upstash/redis", client);
  }
  if ("hmGet" in client) {
    return (script, key, ...values) => client.eval(script, { keys: [key], arguments: values });
  }
  if ("defineCommand" in client) {
    return (script, key, ...values) => client.eval(script, 1, key, ...values);
  }
  return (script, key, ...values) => client.eval(script, [key], values);
}
