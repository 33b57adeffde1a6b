/**
 * Opens the cookies and records of a fixture with the installed package, and throws if one does not open. It uses public names only,
 * since `check_older_version.ts` runs it with an older version.
 *
 * @module
 */

import assert from "node:assert/strict";
import { MemoryStore, sealed, type Store, type TokenObj, TokenSource } from "@guildpass/sdk";
import { Login } from "@guildpass/sdk/login";
import { createFakePlatform, sampleApplication } from "@guildpass/sdk/testing";
import type { Fixture } from "../tests/login/fixtures/make.ts";

const fixture: Fixture = JSON.parse(await Deno.readTextFile(Deno.args[0] ?? ""));
const { cookies, user, secret, tokens, sealed: encrypted } = fixture;
const store = await storeWith(fixture.store);

for (
  const [options, cookie] of [
    [{}, cookies.session],
    [{ keepToken: true }, cookies.sessionWithToken],
    [{ name: "owners" }, cookies.sessionWithName],
    [{ store }, cookies.storedSession],
    [{ store, name: "owners" }, cookies.storedSessionWithName],
    [{ store, backgroundTokens: true }, cookies.storedSessionWithSharedToken],
  ] as const
) {
  const { login } = createApp(options);
  const session = await login.session(requestWith(cookie));
  assert.deepEqual(session?.user, user);
  assert.deepEqual(session?.scopes, ["identify", "guilds"]);
  assert.equal(session?.startedAt, fixture.madeAt);
  const token = session?.token instanceof TokenSource
    ? await session.token.token()
    : session?.token as TokenObj | null;
  const hasToken = "keepToken" in options || "store" in options;
  assert.equal(typeof token?.access_token, hasToken ? "string" : "undefined");
}
assert.deepEqual(
  (await createApp({ store, backgroundTokens: true }).login.tokensOf(user.id).token()).scopes,
  ["identify", "guilds"],
);

for (const name of ["pending", "completed", "refused"] as const) {
  const { login, fake } = createApp(name === "pending" ? {} : { store });
  const token = { access_token: "t0ken", token_type: "Bearer", scope: "identify guilds" };
  fake.failNext({ path: "/oauth2/token", status: 200, body: token });
  fake.failNext({ path: "/users/@me", status: 200, body: { id: user.id, username: "ada" } });
  const { cookie, callback } = cookies[name];
  const completed = await login.finish(requestWith(cookie, callback));
  assert.equal(completed.user.id, user.id);
  assert.equal(completed.returnTo, "/shop?page=2");
  const exchanges = fake.requests.filter(({ path }) => path.endsWith("/oauth2/token"));
  assert.equal(exchanges.length, name === "pending" ? 1 : 0);
}
{
  const { login, fake } = createApp({ store });
  const { cookie, callback } = cookies.failed;
  await assert.rejects(login.finish(requestWith(cookie, callback)));
  assert.deepEqual(fake.requests, []);
}

await createApp({ store }).login.endAll(user.id);
assert.equal(await createApp({ store }).login.session(requestWith(cookies.storedSession)), null);

const database = await storeWith(encrypted.entries);
assert.deepEqual(
  (await sealed(database, encrypted.secret).load(encrypted.key))?.value,
  encrypted.value,
);
const unused = { refresh: () => Promise.reject(), revoke: () => Promise.reject() };
const source = new TokenSource(unused, await storeWith(tokens.entries), tokens.key);
assert.equal((await source.token()).access_token, tokens.accessToken);

interface Options {
  readonly store?: Store;
  readonly name?: string;
  readonly keepToken?: boolean;
  readonly backgroundTokens?: boolean;
}

/** Creates the login of the fixture on a fake platform. */
function createApp(options: Options) {
  const fake = createFakePlatform();
  const login = new Login<"identify" | "guilds", unknown, Store | undefined, boolean | undefined>({
    clientId: sampleApplication.id,
    clientSecret: sampleApplication.secret,
    scope: ["identify", "guilds"],
    secret,
    platform: fake.platform,
    fetch: fake.fetch,
    ...options,
  });
  return { login, fake };
}

function requestWith(cookie: string, url = "https://app.example/"): Request {
  return new Request(url, { headers: { cookie } });
}

async function storeWith(entries: Fixture["store"]): Promise<Store> {
  const store = new MemoryStore();
  for (const [key, value, expiresAt] of entries) {
    await store.save(String(key), value, { version: null, expiresAt: expiresAt as number | null });
  }
  return store;
}
