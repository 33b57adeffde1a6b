/**
 * Connections to each database break in the middle of an operation: before the database has received the request, or after it has
 * done the operation and before the client has received the response.
 *
 * @module
 */

import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { TokenSource, User } from "../../../mod.ts";
import { deadlineIn, withTimeout } from "../../../src/core/wait.ts";
import { Login } from "../../../src/login/mod.ts";
import { CookieJar, sampleApplication } from "../../../src/testing/mod.ts";
import {
  type Database,
  startMariaDb,
  startPostgres,
  startRedis,
  startRedisCluster,
} from "./support/databases.ts";
import { type ClientName, openStore } from "./support/open_store.ts";
import { createPlatform } from "./support/platform.ts";
import { type BreakPoint, startTcpProxy } from "./support/tcp_proxy.ts";
import { serveUpstash } from "./support/upstash_server.ts";

const opened = new AsyncDisposableStack();
afterAll(() => opened.disposeAsync());

const start = async (database: Promise<Database>) => opened.use(await database).url;
const [redis, cluster, postgres, mariaDb] = await Promise.all([
  start(startRedis()),
  start(startRedisCluster()),
  start(startPostgres()),
  start(startMariaDb()),
]);
const upstash = opened.use(await serveUpstash(redis)).origin;

const rows: readonly (readonly [ClientName, string])[] = [
  ["redis", redis],
  ["redis cluster", cluster],
  ["ioredis", redis],
  ["ioredis cluster", cluster],
  ["upstash", upstash],
  ["postgres", postgres],
  ["pg", postgres],
  ["mysql2", mariaDb],
];

/** The time after which an operation counts as lost: `postgres` never settles some queries after a broken connection. */
const lostAfterMs = 5000;

const breakPoints: readonly BreakPoint[] = ["before the request", "before the response"];

describe.each(rows)("If the connection of %s breaks during a save", (client, url) => {
  test.each(breakPoints)("%s, the result is true, and the same client recovers", async (point) => {
    await using world = await openThroughProxy(client, url);
    const { store, direct, proxy } = world;
    for (const isNew of [false, true]) {
      const key = `key ${crypto.randomUUID()}`;
      const before = isNew ? null : await store.save(key, "before", { version: null });
      proxy.breakNext(point, key);
      const result = await store.save(key, "after", { version: before }).catch(() => "an error");
      expect(proxy.isArmed).toBe(false);
      const found = await direct.load(key);
      // No other save came between, so that `null` would be wrong.
      expect(result).not.toBeNull();
      if (result !== "an error") expect(found).toEqual({ value: "after", version: result });
      else if (point === "before the response") expect(found?.value).toBe("after");
      else expect(found?.version ?? null).toBe(before);
      await expect.poll(() => store.load(key).catch(() => "an error")).toEqual(found);
      expect(await store.save(key, "last", { version: found?.version ?? null })).not.toBeNull();
    }
  });
});

test.each(rows)(
  "While the connections of %s break again and again, each save counts as it should",
  async (client, url) => {
    await using world = await openThroughProxy(client, url);
    const { store, direct, proxy } = world;
    const key = `counter ${crypto.randomUUID()}`;
    const results = { saved: 0, lost: 0, unknown: 0 };
    let goesOn = true;
    /** Adds one to the number, and notes if it was saved. */
    const count = async () => {
      const found = await withTimeout(store.load(key), deadlineIn(lostAfterMs), Error);
      const next = Number(found?.value ?? 0) + 1;
      const saving = store.save(key, next, { version: found?.version ?? null });
      const result = await withTimeout(saving, deadlineIn(lostAfterMs), Error).catch(() =>
        "unknown"
      );
      results[result === null ? "lost" : result === "unknown" ? result : "saved"]++;
    };
    const caller = async () => {
      while (goesOn) {
        await count().catch(() => {});
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    const callers = Array.from({ length: 5 }, caller);
    for (let breaks = 0; breaks < 5; breaks++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      proxy.breakAll();
    }
    goesOn = false;
    await Promise.all(callers);
    // A save whose result is an error may have happened or not.
    const total = Number((await direct.load(key))?.value);
    expect(total).toBeGreaterThanOrEqual(Math.max(1, results.saved));
    expect(total).toBeLessThanOrEqual(results.saved + results.unknown);
    await expect.poll(() => store.load(key).catch(() => "an error")).toMatchObject({
      value: total,
    });
  },
);

/** One client for each way in which clients handle a broken connection. */
const somePackages = ["redis", "ioredis", "postgres", "mysql2"];
const cases = rows.filter(([client]) => somePackages.includes(client))
  .flatMap(([client, url]) => breakPoints.map((point) => [client, point, url] as const));

test.each(cases)(
  "A TokenSource over %s sends each refresh token once if the connection breaks %s, at any operation",
  async (client, point, url) => {
    await using world = await openThroughProxy(client, url);
    const { store, direct, proxy } = world;
    useMovedClock();
    for (let operation = 0; proxy.broken === operation; operation++) {
      const { api, fake, logIn, sent } = createPlatform();
      const key = `discord:${crypto.randomUUID()}`;
      const token = await logIn();
      await new TokenSource(api, direct, key).save({ ...token, expires_at: Date.now() - 1000 });
      proxy.breakNext(point, key, operation);
      const refreshed = await untilDone(() => new TokenSource(api, store, key).token());
      expect(sent("refresh_token")).toEqual([token.refresh_token]);
      expect((await new User(refreshed, fake).getCurrentUser()).username).toBe("ada");
      // The store has the newest token: it can be refreshed again.
      fake.advance(8 * 86_400_000);
      moveClock(8 * 86_400_000);
      await untilDone(() => new TokenSource(api, store, key).token());
      expect(sent("refresh_token")).toEqual([token.refresh_token, refreshed.refresh_token]);
    }
    expect(proxy.broken).toBeGreaterThanOrEqual(3);
  },
);

test.each(cases)(
  "A Login over %s logs a person in and out if the connection breaks %s, at any operation",
  async (client, point, url) => {
    await using world = await openThroughProxy(client, url);
    const { store, proxy } = world;
    const site = "http://localhost:3000";
    for (let operation = 0; proxy.broken === operation; operation++) {
      const { fake, sent } = createPlatform();
      const login = new Login({
        ...fake,
        clientId: sampleApplication.id,
        clientSecret: sampleApplication.secret,
        scope: ["identify"],
        secret: "a secret of these tests, of 32 characters at least",
        name: `t${operation}`,
        store,
        onError: (error) => new Response(error.name, { status: 500 }),
      });
      const jar = new CookieJar();
      const send = async (path: string, init: RequestInit = {}) => {
        const headers = { ...init.headers, cookie: jar.header, accept: "text/html" };
        const response = await login.handle(new Request(site + path, { ...init, headers }));
        if (response) jar.store(response, site);
        return response;
      };
      const session = () =>
        untilDone(() => login.session(new Request(site, { headers: { cookie: jar.header } })));
      proxy.breakNext(point, "guildpass:", operation);
      const link = (await send("/login"))?.headers.get("location") ?? "";
      const callback = new URL(await fake.authorize(link, { as: "ada" }));
      // A visitor loads the page of an error again.
      const finished = await untilDone(async () => {
        const response = await send(callback.pathname + callback.search);
        if (response?.status !== 302 && response?.status !== 303) {
          throw new Error(`${response?.status}`);
        }
        return response;
      });
      expect(finished.headers.get("location")).toBe(`${site}/`);
      expect(sent("authorization_code")).toHaveLength(1);
      expect((await session())?.user.username).toBe("ada");
      const out = { method: "POST", headers: { origin: site, "sec-fetch-site": "same-origin" } };
      await untilDone(async () => {
        const response = await send("/logout", out);
        if (!response || response.status >= 400) throw new Error(`${response?.status}`);
      });
      expect(await session()).toBeNull();
    }
    expect(proxy.broken).toBeGreaterThanOrEqual(8);
  },
);

/** Opens a store through a proxy, and another one without it. */
async function openThroughProxy(client: ClientName, url: string) {
  await using all = new AsyncDisposableStack();
  const proxy = all.use(await startTcpProxy(url));
  const { store: direct } = all.use(await openStore({ client, url }));
  await direct.createTable?.();
  const { store } = all.use(await openStore({ client, url: proxy.url }));
  const moved = all.move();
  return {
    proxy,
    direct,
    store,
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  };
}

let ahead = 0;

/** Replaces the clocks of the running test by ones that {@link moveClock} moves. Timers stay real. */
function useMovedClock(): void {
  const clocks = [[Date, Date.now], [performance, performance.now.bind(performance)]] as const;
  for (const [owner, now] of clocks) {
    vi.spyOn(owner as { now(): number }, "now").mockImplementation(() => now() + ahead);
  }
  onTestFinished(() => void vi.restoreAllMocks());
}

function moveClock(milliseconds: number): void {
  ahead += milliseconds;
}

/** Repeats an action until it succeeds. Between two tries, the lease of a refresh ends that may be under way. */
async function untilDone<Result>(action: () => Promise<Result>): Promise<Result> {
  for (let tries = 1;; tries++) {
    try {
      return await action();
    } catch (error) {
      if (tries === 5) throw error;
      moveClock(30_000);
    }
  }
}
