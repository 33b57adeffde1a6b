import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { MemoryStore, type TokenObj, TokenSource } from "../../../mod.ts";
import { createKeySealer } from "../../../src/stores/sealed.ts";
import {
  sealToken,
  SessionTokenStore,
  type StoredSession,
} from "../../../src/login/sessions/session_records.ts";
import { createFakePlatform } from "../../../src/testing/mod.ts";
import { ModelPlatform } from "../../support/model_platform.ts";
import { Browser, createApp, SITE } from "../test_app.ts";

const DAY = 86_400_000;
const KEY = "any";

/** Creates the store of a session's token, over one record in memory. */
async function createTokenStore() {
  const sealer = createKeySealer(new Uint8Array(32));
  const keys = { id: "id", digest: "digest", sealer };
  const token = new ModelPlatform().issue();
  const start: Pick<StoredSession, "version"> & { record: { user: string; token: string | null } } =
    { version: "1", record: { user: "ada", token: await sealToken(keys, token) } };
  const records = {
    session: start as typeof start | null,
    load: vi.fn(() => Promise.resolve(records.session && { keys, ...records.session } as never)),
    save(_keys: unknown, record: StoredSession["record"], version: string | null) {
      if (records.session?.version !== version) return Promise.resolve(null);
      records.session = { version: `${Number(version) + 1}`, record: record as never };
      return Promise.resolve(records.session.version);
    },
  };
  return { records, token, sealer, store: new SessionTokenStore(records, keys) };
}

describe("The store of a session's token", () => {
  test("has the token with the version of the session's record", async () => {
    const { store, token } = await createTokenStore();
    expect(await store.load()).toMatchObject({ version: "1", value: { token } });
  });

  test("changes the token in the record, and nothing else in it", async () => {
    const { store, records, sealer } = await createTokenStore();
    await store.load();
    expect(await store.save(KEY, { token: "new" }, { version: "1" })).toBe("2");
    const { user, token } = records.session?.record ?? {};
    expect(user).toBe("ada");
    expect(await sealer.open("session token", token)).toEqual({ token: "new" });
    expect(await store.save(KEY, { token: "newer" }, { version: "2" })).toBe("3");
    // Each save has used what was read or saved before it.
    expect(records.load).toHaveBeenCalledTimes(1);
  });

  test("refuses a version that is not the newest, and no version", async () => {
    const { store, records } = await createTokenStore();
    const before = records.session;
    for (const version of ["0", null]) {
      expect(await store.save(KEY, {}, { version })).toBeNull();
      await store.load();
      expect(await store.save(KEY, {}, { version })).toBeNull();
    }
    expect(records.session).toBe(before);
  });

  test("reads the record again after another request has changed it", async () => {
    const { store, records } = await createTokenStore();
    await store.load();
    if (records.session) records.session = { ...records.session, version: "2" };
    expect(await store.save(KEY, {}, { version: "1" })).toBeNull();
    expect(await store.save(KEY, {}, { version: "2" })).toBe("3");
  });

  test("brings no session back that has ended", async () => {
    const { store, records } = await createTokenStore();
    records.session = null;
    expect(await store.load()).toBeNull();
    for (const version of ["1", null]) {
      await expect(store.save(KEY, { token: "new" }, { version })).rejects.toMatchObject({
        reason: "no_session",
      });
    }
    await store.delete(KEY);
    expect(records.session).toBeNull();
  });

  test("leaves a session without a token after a removal", async () => {
    for (const removal of ["save", "delete"] as const) {
      const { store, records } = await createTokenStore();
      if (removal === "delete") await store.delete(KEY);
      else await store.save(KEY, {}, { version: "1", expiresAt: Date.now() });
      expect(records.session?.record).toEqual({ user: "ada", token: null });
      expect(await store.load()).toEqual({ value: {}, version: "2" });
    }
  });
});

describe("A session with a token of its own", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"] });
    return () => vi.useRealTimers();
  });

  /** Logs a person in. `onRequest` runs before the platform gets a request, by its path. */
  async function logIn(onRequest: Record<string, () => Promise<Response | void>> = {}) {
    const fake = createFakePlatform();
    const store = new MemoryStore();
    const app = createApp({
      store,
      idleTimeout: 30 * 86_400,
      maxAge: 60 * 86_400,
      async fetch(url, init) {
        const { pathname } = new URL(url);
        const response = await onRequest[pathname.replace(/.*(?=\/oauth2)/, "")]?.();
        return response ?? await fake.fetch(url, init);
      },
    }, fake);
    const browser = new Browser(app);
    await browser.open(await browser.consent());
    const find = async () => await app.login.session(browser.jar.request(SITE));
    const update = async () =>
      await app.login.update(browser.jar.request(SITE), { username: "Countess" });
    const source = (await find())?.token as TokenSource;
    return { app, browser, store, find, update, source };
  }

  test.each(["update", "find"] as const)(
    "loses nothing to %s() at any moment of a refresh, and sends the refresh token once",
    async (what) => {
      for (let at = 0;; at++) {
        const { app, store, source, ...methods } = await logIn();
        vi.setSystemTime(Date.now() + 8 * DAY);
        let operations = 0;
        const interrupt = async () => {
          if (operations++ === at) await methods[what]();
        };
        const { load, save } = store;
        store.load = async (key) => (await interrupt(), await load.call(store, key));
        store.save = async (...given) => (await interrupt(), await save.call(store, ...given));
        const { length } = app.fake.requests;
        const { access_token } = await source.token();
        const isOver = operations <= at;
        expect(app.fake.requests.length - length).toBe(1);
        const session = await methods.find();
        expect(await (session?.token as TokenSource).token()).toMatchObject({ access_token });
        if (isOver) break;
        if (what === "update") expect(session?.user).toEqual({ username: "Countess" });
      }
    },
  );

  test("is refreshed a minute after a 503, also when an update came beside it", async () => {
    let isDown = false;
    const { find, update, source } = await logIn({
      async "/oauth2/token"() {
        if (!isDown) return;
        await update();
        return Response.json({ message: "busy" }, { status: 503 });
      },
    });
    const before = await source.token();
    vi.setSystemTime(Date.now() + 6.5 * DAY);
    isDown = true;
    expect(await source.token()).toEqual(before);
    isDown = false;
    expect(await source.token()).toEqual(before);
    vi.setSystemTime(Date.now() + 60_001);
    expect((await source.token()).access_token).not.toBe(before.access_token);
    expect((await find())?.user).toEqual({ username: "Countess" });
  });

  test("goes on without a token after revoke(), also when an update came beside it", async () => {
    const { app, find, update, source } = await logIn({
      "/oauth2/token/revoke": async () => void await update(),
    });
    const token: TokenObj = await source.token();
    await source.revoke();
    const noToken = { name: "LoginRequiredError", reason: "no_token" };
    await expect(source.token()).rejects.toMatchObject(noToken);
    const session = await find();
    expect(session?.user).toEqual({ username: "Countess" });
    await expect((session?.token as TokenSource).token()).rejects.toMatchObject(noToken);
    const { access_token, refresh_token = null } = app.fake.issueToken({ scopes: ["identify"] });
    await source.save({ ...token, access_token, refresh_token });
    expect((await source.token()).access_token).toBe(access_token);
  });

  test("does not show the token in the record that session() decrypts and keeps in memory", async () => {
    const { find, update, source } = await logIn();
    const token = await source.token();
    await update();
    const decrypt = vi.spyOn(crypto.subtle, "decrypt");
    onTestFinished(() => decrypt.mockRestore());
    await find();
    const [opened] = await Promise.all(decrypt.mock.settledResults.map(({ value }) => value));
    const text = new TextDecoder().decode(opened);
    expect(text).toContain("Countess");
    for (const secret of [token.access_token, String(token.refresh_token)]) {
      expect(text).not.toContain(secret);
    }
  });

  test("takes no token after its end", async () => {
    const { app, browser, source, store } = await logIn();
    const token = await source.token();
    await app.login.end(browser.jar.request(SITE, { method: "POST" }));
    const { size } = store;
    await expect(source.save(token)).rejects.toMatchObject({ reason: "no_session" });
    await expect(source.token()).rejects.toMatchObject({ reason: "no_token" });
    expect(store.size).toBe(size);
  });

  test("does not end with a token that can't be refreshed", async () => {
    const { find, source } = await logIn();
    const token = await source.token();
    await source.save({ ...token, refresh_token: null });
    vi.setSystemTime(Date.now() + 20 * DAY);
    expect(await find()).not.toBeNull();
  });
});
