/**
 * One person with sessions of an application, in a store that a test can look into.
 *
 * @module
 */

import { expect } from "vitest";
import { generateState, type Scope } from "../../mod.ts";
import type { StartOptions } from "../../src/login/mod.ts";
import type { IndexEntry } from "../../src/login/sessions/person_index.ts";
import { type CookieJar, createFakePlatform, type FakePlatform } from "../../src/testing/mod.ts";
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

/** The sender of a session's requests: a browser, or an app. */
export interface Client {
  readonly jar: Pick<CookieJar, "request">;
}

/** The options for apps in a world with `sessionUser`. */
export const withApps = { appPath: "/app", publicUser: (user: unknown) => user } as const;

/** The request of an app after a consent, with the token of its begin. */
export interface AppFinish {
  readonly finish: { readonly code: string; readonly pending: string };
  readonly token: string | null;
}

/** The refusal of an app's request. */
export class AppRefusal extends Error {
  readonly code: string;

  constructor({ code, message }: { readonly code: string; readonly message: string }) {
    super(message);
    this.code = code;
  }
}

/** An Activity or another app, whose requests have the token of its session in a header. */
export class AppClient implements Client {
  token: string | null = null;
  readonly jar: Client["jar"] = {
    request: (url, init) => requestWith(this.token, url, init),
  };

  /** Begins a login without the token, or a consent for a scope with it. Returns the app's request after the person's consent. */
  async consent({ login, fake }: App, scope: Scope | null = null): Promise<AppFinish> {
    const token = scope === null ? null : this.token;
    const begin = scope === null ? {} : { scope: [scope] };
    const { authorize, pending } = await postAsApp(login, token, { begin });
    const { code } = await fake.authorizeActivity(authorize, { as: "ada" });
    return { finish: { code, pending }, token };
  }

  /** Finishes a login, and keeps its token. */
  async finish({ login }: Pick<App, "login">, { finish, token }: AppFinish): Promise<string> {
    const entered = await postAsApp(login, token, { finish });
    return this.token = entered.token;
  }
}

/**
 * Sends JSON of an app, and returns that of the response.
 *
 * @throws {AppRefusal} After any other status than 200.
 */
async function postAsApp(login: App["login"], token: string | null, body: object) {
  const headers = { "content-type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  const response = await login.handle(requestWith(token, `${SITE}/app`, init));
  const json = await response?.json();
  if (response?.status === 200) return json;
  throw new AppRefusal(json);
}

function requestWith(token: string | null, url: string | URL, init: RequestInit = {}): Request {
  const headers = new Headers(init.headers);
  if (token !== null) headers.set("authorization", `Bearer ${token}`);
  return new Request(url, { ...init, headers });
}

/** Logs the person in with a new app. */
export async function enterApp(app: App): Promise<AppClient> {
  const client = new AppClient();
  await client.finish(app, await client.consent(app));
  return client;
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
