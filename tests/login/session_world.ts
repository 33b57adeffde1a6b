/**
 * One person with sessions of an application, in a store that a test can look into.
 *
 * @module
 */

import { expect } from "vitest";
import { generateState } from "../../mod.ts";
import type { StartOptions } from "../../src/login/mod.ts";
import type { IndexEntry } from "../../src/login/sessions/person_index.ts";
import { createFakePlatform, type FakePlatform } from "../../src/testing/mod.ts";
import { type Access, RecordingStore } from "../support/stepped_store.ts";
import { type App, Browser, createApp, locationOf, SITE } from "./test_app.ts";

/** The id of the person. */
export const ADA = "1000000000000000001";
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
/** The time of the first logins. */
export const START = Date.UTC(2030, 0, 1);

export interface SessionWorld {
  readonly store: RecordingStore;
  readonly fake: FakePlatform;
  readonly app: App;
  /** Creates the application as another process has it. */
  readonly appWith: (access: Partial<Access>) => App;
}

/** Creates a world with long sessions and without a login. */
export function createSessionWorld(options: Parameters<typeof createApp>[0] = {}): SessionWorld {
  const store = new RecordingStore();
  const fake = createFakePlatform();
  const shared = {
    store,
    secret: generateState(),
    timeout: 120_000,
    idleTimeout: 30 * 86_400,
    maxAge: 60 * 86_400,
    ...options,
  };
  const appWith: SessionWorld["appWith"] = (access) => createApp({ ...shared, ...access }, fake);
  return { store, fake, app: appWith({}), appWith };
}

/** Logs the person in with a new browser. */
export async function logIn(app: App): Promise<Browser> {
  const browser = new Browser(app);
  await browser.open(await browser.consent());
  return browser;
}

/** Begins another login in a browser, and returns the address of its callback. */
export async function consentAgain(
  { fake, login }: App,
  { jar }: Browser,
  options: StartOptions = {},
): Promise<string> {
  const response = await login.start(jar.request(SITE), options);
  jar.store(response, SITE);
  return await fake.authorize(locationOf(response));
}

/** Finishes a login in a browser, and returns the page after the login. */
export async function finishLogin(
  { login }: App,
  { jar }: Browser,
  callback: string,
): Promise<string> {
  const { headers, returnTo } = await login.finish(jar.request(callback));
  jar.store(new Response(null, { headers }), SITE);
  return returnTo;
}

/** Returns the list of the person's sessions. */
export async function indexOf(
  store: RecordingStore,
): Promise<{ readonly key: string; readonly sessions: readonly IndexEntry[] }> {
  const [key = ""] = await store.keys("guildpass:sessions-of:");
  const { sessions = [] } = Object((await store.load(key))?.value);
  return { key, sessions };
}

/** Asserts that the list has every session. */
export async function expectListedRecords(store: RecordingStore): Promise<void> {
  const listed = (await indexOf(store)).sessions.map(({ digest }) => digest);
  for (const key of await store.keys("guildpass:session:")) {
    expect(listed, "the sessions in the list").toContain(key.split(":")[2]);
  }
}

/** Asserts that the store has no records of sessions, and none of some other kinds. */
export async function expectNoRecords(
  store: RecordingStore,
  ...others: readonly "token-of"[]
): Promise<void> {
  for (const kind of ["session", "sessions-of", ...others]) {
    expect(await store.keys(`guildpass:${kind}:`)).toEqual([]);
  }
}
