import { readFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { MemoryStore, type Store, User } from "../../mod.ts";
import { Login } from "../../src/login/mod.ts";
import { type CookieJar, createFakePlatform, sampleApplication } from "../../src/testing/mod.ts";

const site = "https://app.example/";
const userId = "1000000000000000001";
const day = 86_400_000;

afterEach(() => void vi.useRealTimers());

test("docs/stores.md has the number of operations that each call of a Login takes", async () => {
  const page = readFileSync(new URL("../../docs/stores.md", import.meta.url), "utf8");
  const [, table = ""] = /^\| Call +\|.*\n\|[- |]+\n((?:\|.*\n)+)/m.exec(page) ?? [];
  const rows = table.trimEnd().split("\n").map((row) => row.split("|").slice(1, -1));
  const written = Object.fromEntries(
    rows.map(([call = "", ...numbers]) => [call.trim(), numbers.map((text) => text.trim())]),
  );
  const own = await countCalls(false);
  const shared = await countCalls(true);
  expect(Object.keys(own)).toEqual(Object.keys(shared));
  const counted = Object.fromEntries(
    Object.entries(own).map(([call, counts]) => [
      call,
      counts.map((count, at) => {
        const other = shared[call]?.[at];
        return count === other ? `${count}` : `${count} (${other})`;
      }),
    ]),
  );
  expect(written).toEqual(counted);
});

/** Counts the loads, saves and deletes of calls. */
async function countCalls(backgroundTokens: boolean): Promise<Record<string, readonly number[]>> {
  vi.useFakeTimers({ toFake: ["Date"] });
  const fake = createFakePlatform();
  const { id: clientId, secret: clientSecret } = sampleApplication;
  const secret = crypto.randomUUID();
  const { store, count } = countingStore();
  const login = new Login({
    clientId,
    clientSecret,
    secret,
    scope: ["identify", "guilds"],
    store,
    backgroundTokens,
    ...fake,
  });
  const serve = async (request: Request) =>
    await login.handle(request) ?? await login.start(request);
  const logIn = async () => (await fake.login(serve, { as: "ada" })).jar;
  const sessionOf = async (jar: CookieJar) => {
    const session = await login.session(jar.request(site));
    if (!session) throw new Error("The session has ended");
    return session;
  };
  const pass = (days: number) => vi.setSystemTime(Date.now() + days * day);
  const post = (jar: CookieJar) => jar.request(site, { method: "POST" });
  const own = { allowCrossSite: true };

  const calls: Record<string, readonly number[]> = {};
  const first = await logIn();
  calls["A login"] = count();
  await sessionOf(first);
  calls["`login.session()`"] = count();
  pass(0.8);
  await sessionOf(first);
  calls["`login.session()` when it extends the session"] = count();
  const session = await sessionOf(first);
  count();
  await session.api.getUserGuilds();
  calls["The first `session.api` call after `login.session()`"] = count();
  if (backgroundTokens) {
    await new User(login.tokensOf(userId), fake).getCurrentUser();
    expect(count()).toEqual(calls["The first `session.api` call after `login.session()`"]);
  }
  pass(5.8);
  await (await sessionOf(first)).token.token();
  pass(6.7);
  // The second refresh of a process comes a moment after the first one.
  await new Promise((resolve) => setTimeout(resolve, 300));
  const later = await sessionOf(first);
  count();
  await later.token.token();
  calls["A `session.api` call that refreshes the token"] = count();
  const second = await logIn();
  count();
  await login.sessionsOf(userId);
  calls["`login.sessionsOf()` with two sessions"] = count();
  await login.end(post(second), own);
  calls["A logout"] = count();
  await logIn();
  count();
  expect(await login.endAll(userId)).toBe(2);
  calls["`login.endAll()` with two sessions"] = count();
  return calls;
}

/** A store in memory that counts its operations. `count` returns the loads, saves and deletes since its last call. */
function countingStore(): { readonly store: Store; count(): readonly number[] } {
  const memory = new MemoryStore();
  let counts = { load: 0, save: 0, delete: 0 };
  const store: Store = {
    load(key) {
      counts.load++;
      return memory.load(key);
    },
    save(key, value, options) {
      counts.save++;
      return memory.save(key, value, options);
    },
    delete(key) {
      counts.delete++;
      return memory.delete(key);
    },
  };
  return {
    store,
    count() {
      const counted = Object.values(counts);
      counts = { load: 0, save: 0, delete: 0 };
      return counted;
    },
  };
}
