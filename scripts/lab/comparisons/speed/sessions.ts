/**
 * Measures the lookup of a session: a request with a cookie goes in, and the session data comes out. Every session has the same
 * user data.
 *
 * @module
 */

import { createHmac } from "node:crypto";
import { Auth } from "@auth/core";
import { encode, getToken } from "@auth/core/jwt";
import Discord from "@auth/core/providers/discord";
import { betterAuth } from "better-auth";
import { memoryAdapter, type MemoryDB } from "better-auth/adapters/memory";
import expressSession from "express-session";
import { getIronSession, sealData } from "iron-session";
import { MemoryStore, type Store, TokenSource } from "../../../../mod.ts";
import { Login, type LoginOptions, type Session } from "../../../../src/login/mod.ts";
import { createFakePlatform, sampleApplication } from "../../../../src/testing/mod.ts";
import type { Contests, Run } from "./compare.ts";
import { CountingStore, type StoreCounts } from "./counting_store.ts";

type Middleware = (request: ExpressRequest, response: object, next: () => void) => void;

/** The part of a request of Express that `express-session` reads and writes. */
interface ExpressRequest {
  readonly url: string;
  readonly originalUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  session?: unknown;
}

const site = "https://app.example";
const secret = "a secret of these measurements, long enough for all of them";

/** The user data of a session, as `Login` stores it without the option `sessionUser`. */
const userData = {
  id: "1024000000000000001",
  username: "nelly",
  global_name: "Nelly",
  avatar: "a_9e107d9d372bb6826bd81d3542a419d6",
  avatar_url:
    "https://cdn.discordapp.com/avatars/1024000000000000001/a_9e107d9d372bb6826bd81d3542a419d6.gif",
};

/** The number of people whose sessions are looked up in turn: more than the sessions whose keys are kept. The contents of all are kept. */
const people = 1100;

/** A number of people whose sessions don't all fit into memory, so that each lookup decrypts. */
const manyPeople = 10_000;

/** The lookups of a session, against the least that a sealed cookie needs, one by one and 16 at once. */
export async function sessionLookups(): Promise<Contests> {
  const base = { "AES-GCM decryption, key in memory": await decryption() };
  const ours = {
    "@guildpass/sdk, cookie": await lookup(),
    "@guildpass/sdk, cookie with keepToken": await lookup({ keepToken: true }),
    "@guildpass/sdk, MemoryStore": await lookup({ store: new MemoryStore() }),
    "@guildpass/sdk, cookie, 1,100 sessions in turn": await lookupInTurn(),
    "@guildpass/sdk, MemoryStore, 1,100 sessions in turn": await lookupInTurn({
      store: new MemoryStore(),
    }),
  };
  const others = {
    "iron-session": await ironSession(),
    "@auth/core, getToken": await authCoreToken(),
    "@auth/core, session endpoint": await authCoreEndpoint(),
    "better-auth, in memory": await betterAuthSession(),
    "express-session, MemoryStore": await expressSessionLookup(),
  };
  const atOnce = Object.entries({ ...base, ...ours }).map(([name, run]) => [
    name,
    () => Promise.all(Array.from({ length: 16 }, run)),
  ]);
  return {
    "a session": { ...base, ...ours, ...others },
    "16 sessions at once": Object.fromEntries(atOnce),
  };
}

/** The lookups of a session that `Login` has opened before, and of sessions that it opens each time, beside those of other libraries. */
export async function lookupsOfMany(): Promise<Contests> {
  return {
    "a session of many": {
      "AES-GCM decryption, key in memory": await decryption(),
      "@guildpass/sdk, cookie, 1,100 sessions in turn": await lookupInTurn(),
      "@guildpass/sdk, cookie, 10,000 sessions in turn": await lookupInTurn({}, manyPeople),
      "@guildpass/sdk, MemoryStore, 10,000 sessions in turn": await lookupInTurn(
        { store: new MemoryStore() },
        manyPeople,
      ),
      "iron-session": await ironSession(),
      "@auth/core, getToken": await authCoreToken(),
      "better-auth, in memory": await betterAuthSession(),
      "express-session, MemoryStore": await expressSessionLookup(),
    },
  };
}

/** The lookups of a session in a store that takes two milliseconds, against one operation of that store. */
export async function slowStoreLookups(): Promise<Contests> {
  const store = slowStore(new MemoryStore());
  const { login, request } = await loggedIn({ store });
  const contenders = {
    "one load": () => store.load("another key"),
    "session()": () => login.session(request),
    "session() and its token": async () => await tokenOf(await login.session(request)),
  };
  return { "a session in a store of 2 ms for each operation": contenders };
}

/** Counts the operations of a store for a whole login, for a lookup, and for a lookup with its token. */
export async function countStoreOperations(): Promise<Record<string, StoreCounts>> {
  const store = new CountingStore(new MemoryStore());
  const { login, request } = await loggedIn({ store });
  const counts: Record<string, StoreCounts> = { "a whole login": store.takeCounts() };
  const session = await login.session(request);
  counts["session()"] = store.takeCounts();
  await tokenOf(session);
  const ofToken = store.takeCounts();
  const { "session()": ofSession } = counts;
  counts["session() and its token"] = {
    loads: ofSession.loads + ofToken.loads,
    saves: ofSession.saves + ofToken.saves,
    deletes: ofSession.deletes + ofToken.deletes,
  };
  return counts;
}

async function decryption(): Promise<Run> {
  const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, [
    "encrypt",
    "decrypt",
  ]);
  const algorithm = { name: "AES-GCM", iv: crypto.getRandomValues(new Uint8Array(12)) };
  const text = JSON.stringify(userData);
  const sealed = await crypto.subtle.encrypt(algorithm, key, new TextEncoder().encode(text));
  return () => crypto.subtle.decrypt(algorithm, key, sealed);
}

async function lookup(options: Partial<LoginOptions> = {}): Promise<Run> {
  const { login, request } = await loggedIn(options);
  return () => login.session(request);
}

/** Looks up the sessions of many people in turn. */
async function lookupInTurn(
  options: Partial<LoginOptions> = {},
  count = people,
): Promise<Run> {
  const users = Array.from({ length: count }, (_, at) => ({
    id: `${1_024_000_000_000_000_001n + BigInt(at)}`,
    username: `user_${at}`,
  }));
  const fake = createFakePlatform({ users });
  const login = createLogin({ ...fake, ...options });
  const requests: Request[] = [];
  for (const { username } of users) {
    const { jar } = await fake.login(login.handle, { as: username });
    requests.push(requestOf(jar.header));
  }
  let at = 0;
  return () => login.session(requests[at++ % count] as Request);
}

async function tokenOf(session: Session<unknown> | null): Promise<string> {
  if (!(session?.token instanceof TokenSource)) {
    throw new Error("Expected a session with its token");
  }
  return (await session.token.token()).access_token;
}

function createLogin(options: Partial<LoginOptions>): Login<"identify", unknown> {
  const { id: clientId, secret: clientSecret } = sampleApplication;
  return new Login({
    clientId,
    clientSecret,
    scope: ["identify"],
    secret,
    sessionUser: () => userData,
    ...options,
  }) as Login<"identify", unknown>;
}

/** Logs a person in, and returns the login with a request of their browser. */
async function loggedIn(options: Partial<LoginOptions>) {
  const fake = createFakePlatform();
  const login = createLogin({ ...fake, ...options });
  const { jar } = await fake.login(login.handle);
  return { login, request: requestOf(jar.header) };
}

async function ironSession(): Promise<Run> {
  const options = { password: secret, cookieName: "session" };
  const request = requestOf(`session=${await sealData(userData, options)}`);
  const response = new Response();
  return () => getIronSession<typeof userData>(request, response, options);
}

const authCookie = "__Secure-authjs.session-token";

async function authCoreCookie(): Promise<string> {
  const { id: sub, global_name: name, avatar_url: picture } = userData;
  const token = await encode({ token: { sub, name, picture }, secret, salt: authCookie });
  return `${authCookie}=${token}`;
}

async function authCoreToken(): Promise<Run> {
  const request = requestOf(await authCoreCookie());
  return () => getToken({ req: request, secret, secureCookie: true });
}

/** The way of the packages for frameworks, which also prolongs the session. */
async function authCoreEndpoint(): Promise<Run> {
  const { id: clientId, secret: clientSecret } = sampleApplication;
  const config = {
    basePath: "/auth",
    secret,
    trustHost: true,
    providers: [Discord({ clientId, clientSecret })],
  };
  const request = requestOf(await authCoreCookie(), "/auth/session");
  return async () => await (await Auth(request, config)).json();
}

async function betterAuthSession(): Promise<Run> {
  const database: MemoryDB = { user: [], session: [], account: [], verification: [] };
  const auth = betterAuth({
    baseURL: site,
    secret,
    database: memoryAdapter(database),
    emailAndPassword: { enabled: true },
  });
  const { headers } = await auth.api.signUpEmail({
    body: { email: "nelly@example.com", password: "a long password", name: userData.global_name },
    returnHeaders: true,
  });
  const cookie = headers.getSetCookie().map((header) => header.split(";")[0]).join("; ");
  const request = requestOf(cookie);
  return () => auth.api.getSession({ headers: request.headers });
}

async function expressSessionLookup(): Promise<Run> {
  const store = new expressSession.MemoryStore();
  const options = { secret, store, resave: false, saveUninitialized: false };
  const middleware = expressSession(options) as unknown as Middleware;
  const id = "3WX0ZRYGDi2o7nJX4vVbVIwXTzyXPEjV";
  const cookie = { originalMaxAge: null, ...userData } as unknown as expressSession.Cookie;
  await new Promise((resolve) => store.set(id, { cookie, ...userData }, resolve));
  const signature = createHmac("sha256", secret).update(id).digest("base64").replace(/=+$/, "");
  const { headers } = requestOf(`connect.sid=${encodeURIComponent(`s:${id}.${signature}`)}`);
  const request = { url: "/", originalUrl: "/", headers: Object.fromEntries(headers) };
  const response = { end() {}, write() {}, writeHead() {} };
  return () =>
    new Promise((resolve) => {
      // The middleware writes into both objects.
      const visit: ExpressRequest = { ...request };
      middleware(visit, { ...response }, () => resolve(visit.session));
    });
}

/** Returns a request with a cookie, as a browser sends it. The server has made it before the lookup begins. */
function requestOf(cookie: string, path = "/"): Request {
  const headers = {
    "accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "accept-language": "en-US,en;q=0.5",
    cookie,
    "sec-fetch-dest": "document",
    "sec-fetch-mode": "navigate",
    "sec-fetch-site": "same-origin",
    "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  };
  return new Request(`${site}${path}`, { headers });
}

/** Returns a store whose operations take two milliseconds, as those of a database nearby do. */
function slowStore(store: Store): Store {
  const pause = () => new Promise((resolve) => setTimeout(resolve, 2));
  return {
    load: (key) => pause().then(() => store.load(key)),
    save: (key, value, options) => pause().then(() => store.save(key, value, options)),
    delete: (key) => pause().then(() => store.delete(key)),
  };
}
