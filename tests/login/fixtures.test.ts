import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import {
  generateState,
  MemoryStore,
  sealed,
  type Store,
  type TokenObj,
  TokenSource,
} from "../../mod.ts";
import fixture from "./fixtures/format_3.json" with { type: "json" };
import { memberOptions } from "./fixtures/make.ts";
import { createApp, exchanges } from "./test_app.ts";

const ADA = fixture.user.id;
const { cookies, secret } = fixture;

type Options = NonNullable<Parameters<typeof createApp>[0]>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: fixture.madeAt + 60_000 });
  onTestFinished(() => void vi.useRealTimers());
});

/** Creates a store with the records of a fixture. */
async function storeWith(entries: readonly (readonly unknown[])[]): Promise<Store> {
  const store = new MemoryStore();
  for (const [key, value, expiresAt] of entries) {
    const options = { version: null, expiresAt: expiresAt as number | null };
    await store.save(String(key), value, options);
  }
  return store;
}

const requestWith = (cookie: string, url = "https://app.example/") =>
  new Request(url, { headers: { cookie } });

const secrets: readonly (readonly [string, Options["secret"] & (string | readonly string[])])[] = [
  ["with its secret", secret],
  ["with a newer secret before it", [generateState(), secret]],
];

describe.each(secrets)(
  "A cookie or record that an earlier version wrote opens %s:",
  (_, ownSecret) => {
    const loginWith = (options: Options = {}) => createApp({ secret: ownSecret, ...options });

    test("a session in a cookie, with and without a token or a name", async () => {
      const session = await loginWith().login.session(requestWith(cookies.session));
      expect(session).toMatchObject({
        user: fixture.user,
        scopes: ["identify", "guilds"],
        startedAt: fixture.madeAt,
        token: null,
      });
      const keeping = loginWith({ keepToken: true });
      const kept = await keeping.login.session(requestWith(cookies.sessionWithToken));
      expect(kept?.user).toEqual(fixture.user);
      expect((kept?.token as TokenObj).access_token).toEqual(expect.any(String));
      const owners = loginWith({ name: "owners" });
      expect((await owners.login.session(requestWith(cookies.sessionWithName)))?.user)
        .toEqual(fixture.user);
    });

    test("a pending login", async () => {
      const onLogin = vi.fn(() => null);
      // Without a store, the process would remember that this login was finished with another secret.
      const app = loginWith({ onLogin, store: new MemoryStore() });
      const { cookie, callback } = cookies.pending;
      const token = { access_token: "t0ken", token_type: "Bearer", scope: "identify guilds" };
      app.fake.failNext({ path: "/oauth2/token", status: 200, body: token });
      app.fake.failNext({ path: "/users/@me", status: 200, body: { id: ADA, username: "ada" } });
      const { returnTo, user } = await app.login.finish(requestWith(cookie, callback));
      expect({ returnTo, id: user.id }).toEqual({ returnTo: "/shop?page=2", id: ADA });
      expect(onLogin.mock.calls).toMatchObject([[{ data: { plan: "pro" } }]]);
    });

    test("sessions in a store with their tokens, and the list that endAll reads", async () => {
      const store = await storeWith(fixture.store);
      const logins = [
        [loginWith({ store }), cookies.storedSession],
        [loginWith({ store, name: "owners" }), cookies.storedSessionWithName],
        [loginWith({ store, backgroundTokens: true }), cookies.storedSessionWithSharedToken],
      ] as const;
      for (const [{ login }, cookie] of logins) {
        const session = await login.session(requestWith(cookie));
        expect(session).toMatchObject({ user: fixture.user, startedAt: fixture.madeAt });
        const { access_token } = await (session?.token as TokenSource).token();
        expect(access_token).toEqual(expect.any(String));
      }
      const [, , [jobs]] = logins;
      expect((await jobs.login.tokensOf(ADA).token()).scopes).toEqual(["identify", "guilds"]);
      for (const [{ login }] of logins) await login.endAll(ADA);
      for (const [{ login }, cookie] of logins) {
        expect(await login.session(requestWith(cookie))).toBeNull();
      }
    });

    test("a membership, without a read", async () => {
      const store = await storeWith(fixture.store);
      const { login, fake } = loginWith({ store, ...memberOptions });
      const session = await login.session(requestWith(cookies.storedSessionWithMember));
      expect(session?.member).toMatchObject({ guild_id: memberOptions.members.guildId });
      expect(fake.requests).toEqual([]);
    });

    test("the list of a person's sessions, with a label", async () => {
      const { login } = loginWith({ store: await storeWith(fixture.store), name: "owners" });
      const request = requestWith(cookies.storedSessionWithName);
      const [session, ...others] = await login.sessionsOf(ADA, request);
      expect(session).toMatchObject({
        startedAt: fixture.madeAt,
        label: "Firefox on Linux",
        isCurrent: true,
      });
      expect(others).toEqual([]);
    });

    test("the progress of a login that is complete, and of one that has a token", async () => {
      const app = loginWith({ store: await storeWith(fixture.store) });
      const { completed, refused } = cookies;
      const again = await app.login.finish(requestWith(completed.cookie, completed.callback));
      expect(again).toMatchObject({ user: { id: ADA }, returnTo: "/shop?page=2" });
      expect(app.fake.requests).toEqual([]);
      app.fake.failNext({ path: "/users/@me", status: 200, body: { id: ADA, username: "ada" } });
      const resumed = await app.login.finish(requestWith(refused.cookie, refused.callback));
      expect(resumed.user.id).toBe(ADA);
      expect(exchanges(app)).toBe(0);
    });
  },
);

test("A value of sealed() and a record of a TokenSource that an earlier version wrote open", async () => {
  const { sealed: encrypted, tokens } = fixture;
  const database = await storeWith(encrypted.entries);
  for (const secret of [encrypted.secret, [generateState(), encrypted.secret] as const]) {
    expect((await sealed(database, secret).load(encrypted.key))?.value).toEqual(encrypted.value);
  }
  const api = { refresh: () => Promise.reject(), revoke: () => Promise.reject() };
  const source = new TokenSource(api, await storeWith(tokens.entries), tokens.key);
  expect((await source.token()).access_token).toBe(tokens.accessToken);
});
