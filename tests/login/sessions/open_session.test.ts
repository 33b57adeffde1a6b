import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { MemoryStore } from "../../../mod.ts";
import { Browser, createApp, SITE } from "../test_app.ts";

type Options = NonNullable<Parameters<typeof createApp>[0]>;

/** Returns the session of a person who has just logged in. */
async function newSession(options: Options) {
  const app = createApp(options);
  const browser = new Browser(app);
  await browser.open(await browser.consent());
  return await app.login.session(browser.jar.request(SITE)) ?? expect.fail("there is no session");
}

describe.each<[string, () => Options]>([
  ["in a cookie", () => ({})],
  ["in a cookie with the token", () => ({ keepToken: true })],
  ["in a store", () => ({ store: new MemoryStore() })],
])("A session %s", (_, storage) => {
  test("contains only its own data in JSON, copies, clones and prints", async () => {
    const session = await newSession(storage());
    const { user, scopes, startedAt, endsAt } = session;
    const data = { user, scopes, startedAt, endsAt };
    expect(JSON.parse(JSON.stringify(session))).toStrictEqual(data);
    expect(await Response.json(session).json()).toStrictEqual(data);
    expect({ ...session }).toStrictEqual(data);
    expect(structuredClone(session)).toStrictEqual(data);
    expect(Object.keys(session)).toEqual(Object.keys(data));
    expect(inspect(session)).not.toMatch(/token|api|has/i);
    expect(inspect(session, { showHidden: true, getters: true })).not.toContain("fake_");
  });

  test("is a plain frozen object, whose token, api and has are its own properties", async () => {
    const session = await newSession(storage());
    expect(Object.isFrozen(session)).toBe(true);
    // Frameworks send no other object from a server to a page.
    expect(Object.getPrototypeOf(session)).toBe(Object.prototype);
    for (const name of ["token", "api", "has"]) {
      expect(Object.hasOwn(session, name)).toBe(true);
      expect(Reflect.set(session, name, null)).toBe(false);
    }
  });

  test("has one token and one api, created when they are first used", async () => {
    const session = await newSession(storage());
    expect(session.token).toBe(session.token);
    expect(session.api).toBe(session.api);
    const isWithToken = storage().store !== undefined || storage().keepToken === true;
    expect([session.token !== null, session.api !== null]).toEqual([isWithToken, isWithToken]);
  });

  test("has() returns true for granted scopes alone, also as a detached function", async () => {
    const { has } = await newSession(storage());
    expect(["identify", "guilds", "email", "my.scope", ""].filter((scope) => has(scope))).toEqual(
      ["identify", "guilds"],
    );
  });

  test("has() throws for a misspelled scope, which no session has", async () => {
    const { has } = await newSession(storage());
    expect(() => has("guild" as never))
      .toThrow(new TypeError('scope is not a known scope: did you mean "guilds"?'));
    expect(() => has(["guilds"] as never))
      .toThrow(new TypeError('scope must be one scope like "guilds", received a list of 1'));
  });

  test("has() returns true for a scope that a granted one includes", async () => {
    const { has } = await newSession({
      ...storage(),
      scope: ["identify", "sdk.social_layer"] as never,
    });
    expect(["sdk.social_layer", "guilds", "email"].filter((scope) => has(scope))).toEqual(
      ["sdk.social_layer", "guilds"],
    );
  });
});

test("The token of a session in a cookie is the whole token, and its JSON has the secrets", async () => {
  const { token } = await newSession({ keepToken: true });
  expect(JSON.stringify(token)).toMatch(/"access_token":"fake_access_.*"refresh_token":"fake_/);
});
