import { describe, expect, test } from "vitest";
import {
  type IoRedisClient,
  type NodeRedisClient,
  type RedisClient,
  redisStore,
  type UpstashRedisClient,
} from "../../src/stores/redis.ts";
import { checkStore } from "../../src/testing/mod.ts";

// The real clients and Redis itself are tested in tests/integration/stores.

/** Runs the three scripts of the store in memory. */
class FakeRedis {
  readonly #hashes = new Map<string, { version: string; value: string; end: number }>();

  run(script: string, key: string, values: readonly string[]): unknown {
    const found = this.#hashes.get(key);
    const hash = found && found.end > Date.now() ? found : undefined;
    if (script.includes("HMGET")) return hash ? [`=${hash.value}`, hash.version] : null;
    if (!script.includes("HSET")) return this.#hashes.delete(key) && null;
    const [old, version = "", value = "", end] = values;
    if (hash?.version === version) return 1;
    if ((hash?.version ?? "") !== old) return 0;
    this.#hashes.set(key, { version, value, end: end ? Number(end) : Infinity });
    return 1;
  }

  get keys(): string[] {
    return [...this.#hashes.keys()];
  }
}

function nodeRedis(redis: FakeRedis): NodeRedisClient {
  return {
    hmGet() {},
    eval: (script, { keys: [key = ""], arguments: values }) =>
      Promise.resolve(redis.run(script, key, values)),
  };
}

function ioRedis(redis: FakeRedis): IoRedisClient {
  return {
    defineCommand() {},
    eval(script, keyCount, key = "", ...values) {
      expect(keyCount).toBe(1);
      return Promise.resolve(redis.run(script, key, values));
    },
  };
}

function upstash(redis: FakeRedis): UpstashRedisClient {
  return {
    eval: (script, [key = ""], values) => Promise.resolve(redis.run(script, key, values)),
  };
}

describe.each<[string, (redis: FakeRedis) => RedisClient]>([
  ["redis", nodeRedis],
  ["ioredis", ioRedis],
  ["@upstash/redis", upstash],
])("redisStore with a client of %s", (_package, create) => {
  test("keeps the contract of a store", async () => {
    await checkStore(redisStore(create(new FakeRedis())));
  });

  test("begins each key with the prefix", async () => {
    const redis = new FakeRedis();
    const store = redisStore(create(redis), { prefix: "app:" });
    const version = await store.save("key", 1, { version: null });
    expect(redis.keys).toEqual(["app:key"]);
    expect(await store.load("key")).toEqual({ value: 1, version });
    await store.delete("key");
    expect(redis.keys).toEqual([]);
  });
});

describe("redisStore", () => {
  test("reads texts as buffers, and numbers as texts", async () => {
    const toBuffer = (text: unknown) => ({ toString: () => String(text) });
    const redis = new FakeRedis();
    const client: UpstashRedisClient = {
      eval(script, [key = ""], values) {
        const result = redis.run(script, key, values);
        const converted = Array.isArray(result) ? result.map(toBuffer) : result && String(result);
        return Promise.resolve(converted);
      },
    };
    await checkStore(redisStore(client));
  });

  test("returns the version of a save that the client has sent again", async () => {
    const redis = new FakeRedis();
    const once: UpstashRedisClient = upstash(redis);
    const twice: UpstashRedisClient = {
      async eval(...call) {
        await once.eval(...call);
        return await once.eval(...call);
      },
    };
    const store = redisStore(twice);
    const version = await store.save("key", 1, { version: null });
    expect(await store.load("key")).toEqual({ value: 1, version });
    const next = await store.save("key", 2, { version });
    expect(await store.load("key")).toEqual({ value: 2, version: next });
    expect(await store.save("key", 3, { version })).toBeNull();
  });

  test.each([undefined, null, {}, "redis://localhost"])(
    "throws for %o in place of a client",
    (client) => {
      expect(() => redisStore(client as never))
        .toThrow(/^client must be a client of redis, ioredis or @upstash\/redis, received /);
    },
  );

  test("knows no other option", () => {
    const client = { eval: () => Promise.resolve(null) };
    expect(() => redisStore(client, { prefx: "a" } as never)).toThrow("did you mean prefix?");
  });
});
