/**
 * Walks through logins with an instrumented library on a fake platform, and records the calls.
 *
 * @module
 */

import type { FakePlatform } from "../../../src/testing/mod.ts";
import { beginRecording, type Call, currentCall, framesOf, recording } from "./trace.ts";

/** The entry points of an instrumented library, with the types of this checkout. */
export interface Library {
  readonly main: typeof import("../../../mod.ts");
  readonly testing: typeof import("../../../src/testing/mod.ts");
}

/** The recorded calls of one way through the library. */
export interface Way {
  readonly name: string;
  readonly calls: readonly Call[];
  /** The number of functions from the called method to the option `fetch`, both included; `null` without a request. */
  readonly frames: number | null;
}

type Storage = "cookie" | "store" | "backgroundTokens";

const page = "https://app.example/page";

/** Walks every way. */
export async function walkAll(library: Library): Promise<Way[]> {
  const ways: Way[] = [];
  for (const storage of ["cookie", "store", "backgroundTokens"] as const) {
    // The first round runs what a process runs once.
    await walkLogin(library, storage);
    ways.push(...await walkLogin(library, storage));
  }
  return [...ways, ...await walkUser(library)];
}

/** Walks the first login of a new `Login`, two requests with the session, and a read with its `api`. */
async function walkLogin({ main, testing }: Library, storage: Storage): Promise<Way[]> {
  const fake = testing.createFakePlatform();
  const walker = new Walker(fake);
  const { id: clientId, secret: clientSecret } = testing.sampleApplication;
  const login = new main.Login({
    ...fake,
    fetch: walker.fetch,
    clientId,
    clientSecret,
    scope: ["identify", "guilds"],
    secret: main.generateState(),
    keepToken: storage === "cookie" ? true : null,
    store: storage === "cookie" ? null : new main.MemoryStore(),
    backgroundTokens: storage === "backgroundTokens",
  });
  const jar = new testing.CookieJar();

  const toConsent = await walker.walk(`${storage}: login`, () => login.start(jar.request(page)));
  jar.store(toConsent, page);
  const url = await fake.authorize(toConsent.headers.get("location") ?? "");
  const callback = jar.request(url);
  const toPage = await walker.walk(`${storage}: callback`, () => login.handle(callback));
  if (!toPage?.headers.get("location")?.endsWith("/page")) throw new Error("The login failed");
  jar.store(toPage, url);

  await walker.walk(`${storage}: session()`, () => login.session(jar.request(page)));
  const again = `${storage}: session() again`;
  const session = await walker.walk(again, () => login.session(jar.request(page)));
  const { api } = session ?? {};
  if (!api) throw new Error("The session has no token");
  await api.getCurrentUser({ fresh: true });
  await walker.walk(`${storage}: read`, () => api.getCurrentUser({ fresh: true }));
  return walker.ways;
}

/** Walks a read with a `User` that has read before. */
async function walkUser({ main, testing }: Library): Promise<Way[]> {
  const fake = testing.createFakePlatform();
  const walker = new Walker(fake);
  const { access_token } = fake.issueToken({ scopes: ["identify"] });
  const user = new main.User(access_token, { ...fake, fetch: walker.fetch });
  await user.getCurrentUser();
  await walker.walk("User: read", () => user.getCurrentUser());
  return walker.ways;
}

/** Records the calls of ways with one fake platform. */
class Walker {
  readonly ways: Way[] = [];
  readonly #fake: FakePlatform;
  #name = "";
  #frames: number | null = null;

  constructor(fake: FakePlatform) {
    this.#fake = fake;
  }

  /** Walks one way. If it exchanges a code, its part up to the token request is a way too. */
  async walk<Result>(name: string, way: () => Promise<Result>): Promise<Result> {
    this.#name = name;
    this.#frames = null;
    beginRecording();
    const result = await way();
    this.ways.push({ name, calls: recording(), frames: this.#frames });
    return result;
  }

  /** The option `fetch`. */
  readonly fetch: FakePlatform["fetch"] = (input, init) => {
    this.#frames = framesOf(currentCall()).length + 1;
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    if (pathname.endsWith("/oauth2/token")) {
      const name = `${this.#name} up to the token request`;
      this.ways.push({ name, calls: recording(), frames: this.#frames });
    }
    return this.#fake.fetch(input, init);
  };
}
