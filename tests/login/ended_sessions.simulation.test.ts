import process from "node:process";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { LoginRequiredError, OAuthError, type Scope, type TokenSource } from "../../mod.ts";
import { LoginError } from "../../src/login/mod.ts";
import {
  type Access,
  type Race,
  runInSomeOrders,
  type TakeTurn,
  useSteps,
} from "../support/stepped_store.ts";
import {
  ADA,
  AppClient,
  type AppFinish,
  AppRefusal,
  consentAgain,
  createSessionWorld,
  DAY,
  enterApp,
  expectListedRecords,
  expectNoRecords,
  HOUR,
  logIn,
  type SessionWorld,
  START,
  withApps,
} from "./session_world.ts";
import { type App, Browser, SITE } from "./test_app.ts";

/** The number of schedules. They are the same every time. `SCHEDULES=20000` makes more, which find rarer mistakes in minutes. */
const schedules = Number(process.env["SCHEDULES"] ?? 2000);

/** The schedules of one test. Each test has its own first one, so that they can run one by one. */
const perTest = 100;

beforeEach(() => {
  useSteps();
  vi.spyOn(console, "error").mockImplementation(() => {});
});

/** A session from its login to its end. */
interface Lineage {
  /** The time of the login's callback. */
  readonly begin: Span;
  readonly client: Browser | AppClient;
  /** The cookie or the token of the login, which consents keep. */
  readonly access: string;
}

/** A browser or an app of one person, and the sessions that it has had. */
interface Person {
  readonly client: Browser | AppClient;
  lineage: Lineage | null;
}

/** The time of an operation, in turns. */
interface Span {
  readonly start: number;
  end: number;
}

/** An operation that has run. */
interface Done {
  readonly kind: Kind;
  readonly span: Span;
  /** The session of the browser at the start of the operation. */
  readonly lineage: Lineage | null;
  readonly succeeded: boolean;
  /** The value of an update. */
  readonly value: number;
  /** The scope of a consent. */
  readonly scope: Scope | null;
}

/** The operations that a person or an application can carry out. */
const kinds = [
  "log in",
  "log in again",
  "consent",
  "consent",
  "log out",
  "log out everywhere",
  "endSession",
  "endSession",
  "endAll",
  "endAll with tokens",
  "endAll before",
  "forget",
  "revoke",
  "update",
  "update",
  "refresh",
] as const;

type Kind = typeof kinds[number];

/** These end every session of the person. */
const endsAll: readonly Kind[] = ["endAll", "endAll with tokens", "forget", "log out everywhere"];

/** These also end the token that all sessions of the person share. */
const endsTokens: readonly Kind[] = [
  "endAll with tokens",
  "forget",
  "log out everywhere",
  "revoke",
];

/** The result of an operation: the headers of a response to a browser, or the token of an app. */
interface Result {
  readonly headers?: Headers;
  readonly token?: string;
}

type Operation = (access: Access, turn: TakeTurn) => Promise<void>;

/** One schedule: a person with some browsers, and the operations that begin at the same moment. */
class World {
  readonly #random: () => number;
  readonly #isShared: boolean;
  readonly #world: SessionWorld;
  readonly #people: Person[] = [];
  readonly #lineages: Lineage[] = [];
  readonly #done: Done[] = [];
  /** The refresh tokens and codes that the platform has accepted. */
  readonly #used = new Set<string>();
  /** The access tokens that the platform has issued, with the turns. */
  readonly #issued: { readonly token: string; readonly turn: number }[] = [];
  readonly #problems: string[] = [];
  #turn = 0;

  constructor(random: () => number) {
    this.#random = random;
    this.#isShared = random() < 0.5;
    this.#world = createSessionWorld({
      ...withApps,
      backgroundTokens: this.#isShared,
      sessionUser: (_user: unknown, { session }: { session: { user: unknown } | null }) => ({
        ...Object(session?.user),
      }),
    });
  }

  async createRace(): Promise<Race> {
    vi.setSystemTime(START);
    const app = this.#world.appWith({ fetch: this.#fetch });
    for (let count = 0; count < 2; count++) {
      const client = this.#isForApp() ? await enterApp(app) : await logIn(app);
      const person: Person = { client, lineage: null };
      this.#begin(person, { start: -1, end: -1 });
      this.#people.push(person);
    }
    // The tokens have ended, and the sessions have not been used for long.
    vi.setSystemTime(START + 8 * DAY);
    const operations: Record<string, Operation> = {};
    const count = 3 + Math.floor(this.#random() * 4);
    for (let at = 0; at < count; at++) {
      const kind = this.#pick(kinds);
      operations[`${at} ${kind}`] = await this.#prepare(kind, app);
    }
    return {
      store: this.#world.store,
      fetch: this.#fetch,
      steps: /grant_type=|token_type_hint|^token=|&token=/,
      operations,
      check: () => this.#check(),
    };
  }

  /** Sends a request to the platform, and notices what is sent twice. */
  readonly #fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const form = new URLSearchParams(await request.clone().text());
    const sent = form.get("refresh_token") ?? form.get("code");
    if (sent !== null && this.#used.has(sent)) this.#problems.push("something was sent twice");
    const response = await this.#world.fake.fetch(request);
    if (sent !== null && response.ok) {
      this.#used.add(sent);
      const { access_token: token } = await response.clone().json();
      this.#issued.push({ token, turn: this.#turn });
    }
    return response;
  };

  /** Prepares an operation: what a browser did before, and what happens when it begins. */
  async #prepare(kind: Kind, app: App): Promise<Operation> {
    const person = kind === "log in" ? this.#newPerson(app) : this.#pick(this.#people);
    const scope = kind === "consent" ? this.#pick<Scope>(["email", "connections"]) : null;
    const callback = await this.#callbackFor(kind, person, app, scope);
    const value = Math.floor(this.#random() * 1e9);
    return async (access, turn) => {
      await turn("begin");
      const span: Span = { start: this.#turn++, end: Infinity };
      const { lineage, client } = person;
      const { login } = this.#world.appWith(access);
      const url = typeof callback === "string" ? callback : SITE;
      const request = client.jar.request(url, {
        method: callback || kind === "refresh" ? "GET" : "POST",
      });
      const result = await this.#run(kind, login, request, callback, value);
      span.end = this.#turn++;
      const succeeded = result !== null;
      this.#done.push({ kind, span, lineage, succeeded, value, scope });
      const { headers, token = null } = result ?? {};
      if (!headers?.getSetCookie().length && token === null) return;
      await turn("receive the response");
      if (client instanceof AppClient) client.token = token;
      else client.jar.store(new Response(null, headers ? { headers } : {}), SITE);
      if (callback) this.#receive(kind, person, lineage, headers, span);
    };
  }

  #newPerson(app: App): Person {
    return { client: this.#isForApp() ? new AppClient() : new Browser(app), lineage: null };
  }

  /** Returns true for some of the clients. */
  #isForApp(): boolean {
    return this.#random() < 0.4;
  }

  async #callbackFor(
    kind: Kind,
    { client }: Person,
    app: App,
    scope: Scope | null,
  ): Promise<string | AppFinish | null> {
    if (kind !== "log in" && kind !== "log in again" && kind !== "consent") return null;
    if (client instanceof AppClient) return await client.consent(app, scope);
    if (kind === "log in") return await client.consent();
    return await consentAgain(app, client, scope ? { scope: [scope] } : {});
  }

  /** Runs an operation. Returns `null` if it has refused. */
  async #run(
    kind: Kind,
    login: App["login"],
    request: Request,
    callback: string | AppFinish | null,
    value: number,
  ): Promise<Result | null> {
    const none = {};
    try {
      switch (kind) {
        case "log in":
        case "log in again":
        case "consent": {
          if (callback !== null && typeof callback !== "string") {
            return { token: await new AppClient().finish({ login }, callback) };
          }
          const { headers, response } = await login.finish(request);
          return response ? null : { headers };
        }
        case "log out":
          return await login.end(request);
        case "log out everywhere":
          return await login.end(request, { everywhere: true });
        case "endSession": {
          const sessions = await login.sessionsOf(ADA, request);
          const current = sessions.find(({ isCurrent }) => isCurrent);
          const hasEnded = current && await login.endSession(ADA, current.id);
          return hasEnded ? none : null;
        }
        case "endAll":
          return await login.endAll(ADA), none;
        case "endAll with tokens":
          return await login.endAll(ADA, { tokens: true }), none;
        case "endAll before":
          await login.endAll(ADA, { startedBefore: START + HOUR, tokens: true });
          return none;
        case "forget":
          return await login.forget(ADA), none;
        case "revoke":
          if (!this.#isShared) return null;
          return await login.revoke(ADA), none;
        case "update":
          return { headers: await login.update(request, { value }) };
        case "refresh": {
          const session = await login.session(request);
          if (!session) return null;
          return await (session.token as TokenSource).token(), none;
        }
      }
    } catch (error) {
      if (isExpected(error)) return null;
      throw error;
    }
  }

  #begin(person: Person, begin: Span): void {
    const { client } = person;
    const lineage: Lineage = { begin, client, access: accessOf(client) };
    this.#lineages.push(lineage);
    person.lineage = lineage;
  }

  /** Notes the session that a callback has brought. */
  #receive(
    kind: Kind,
    person: Person,
    lineage: Lineage | null,
    headers: Headers | undefined,
    span: Span,
  ) {
    const hasSession = headers?.getSetCookie().some((line) => /session=[^;]/.test(line)) ?? true;
    if (!hasSession) return;
    if (kind !== "consent" || !lineage) return this.#begin(person, span);
    expect(accessOf(person.client), "the access of a consent").toBe(lineage.access);
    person.lineage = lineage;
  }

  #pick<Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.#random() * values.length)] as Value;
  }

  /** Checks what must hold when all operations have settled. */
  async #check(): Promise<void> {
    expect(this.#problems).toEqual([]);
    const { store, appWith } = this.#world;
    const { login } = appWith({ fetch: this.#fetch });
    let alive = 0;
    for (const lineage of this.#lineages) {
      const name = lineage.client instanceof AppClient ? "authorization" : "cookie";
      const headers = { [name]: lineage.access };
      const session = await login.session(new Request(SITE, { headers }));
      if (session) alive++;
      if (this.#mustHaveEnded(lineage)) expect(session, "an ended session").toBeNull();
      if (this.#mustGoOn(lineage)) {
        expect(session, "a session that nothing has ended").not.toBeNull();
        if (this.#mustHaveToken(lineage)) {
          const { scopes } = await (session?.token as TokenSource).token();
          expect(scopes, "the scopes of the token").toEqual(
            expect.arrayContaining([...session?.scopes ?? []]),
          );
        }
      }
      if (session) {
        this.#checkUpdates(lineage, session.user);
        this.#checkScopes(lineage, session.scopes);
      }
    }
    await expectListedRecords(store);
    await this.#checkRevocations();
    if (alive === 0 && this.#mustHaveNoToken()) {
      const source = login.tokensOf(ADA);
      await expect(source.token()).rejects.toMatchObject({ reason: "no_token" });
    }
    await login.forget(ADA);
    // An empty record of a token is there for a minute.
    vi.setSystemTime(Date.now() + 60_000);
    await expectNoRecords(store, "token-of");
  }

  /** A logout everywhere has revoked all tokens from before it. */
  async #checkRevocations(): Promise<void> {
    const { fake } = this.#world;
    for (const { lineage, span } of this.#succeeded("log out everywhere")) {
      if (!lineage || !this.#isFirstEnd(lineage, span)) continue;
      for (const { token } of this.#issued.filter(({ turn }) => turn < span.start)) {
        const url = `${fake.platform.apiUrl}/users/@me`;
        const headers = { authorization: `Bearer ${token}`, "user-agent": "DiscordBot (test, 1)" };
        expect((await fake.fetch(new Request(url, { headers }))).status).toBe(401);
      }
    }
  }

  #succeeded(...some: readonly Kind[]): readonly Done[] {
    return this.#done.filter(({ kind, succeeded }) => succeeded && some.includes(kind));
  }

  /** A session has ended with a logout of its browser, and with everything that ends all sessions and began after its login. */
  #mustHaveEnded(lineage: Lineage): boolean {
    const { begin } = lineage;
    return this.#succeeded("log out", "endSession").some((done) => done.lineage === lineage) ||
      this.#succeeded(...endsAll).some(({ span, kind, lineage: own }) =>
        // Without a session, a logout everywhere does nothing.
        begin.end < span.start &&
        (kind !== "log out everywhere" || own !== null && this.#isFirstEnd(own, span))
      );
  }

  /** Returns true if nothing else may have ended a session before a logout everywhere in its browser. */
  #isFirstEnd(lineage: Lineage, span: Span): boolean {
    return !this.#done.some((done) =>
      done.span !== span && done.span.start < span.end && this.#mayEnd(done, lineage)
    );
  }

  /** Nothing has ended a session that could have. */
  #mustGoOn(lineage: Lineage): boolean {
    return !this.#done.some((done) => this.#mayEnd(done, lineage));
  }

  #mayEnd({ kind, lineage: own, span }: Done, lineage: Lineage): boolean {
    if (kind === "endAll before" || endsAll.includes(kind)) return span.end > lineage.begin.start;
    // An app that logs in again begins without its token.
    const replaces = kind === "log in again" && lineage.client instanceof Browser;
    return own === lineage && (replaces || kind === "log out" || kind === "endSession");
  }

  /** Nothing has removed or revoked the token of a session. */
  #mustHaveToken({ begin }: Lineage): boolean {
    return !this.#done.some(({ kind, span }) =>
      (endsTokens.includes(kind) || kind === "endAll before") && span.end > begin.start
    );
  }

  /** Something has removed the token of the person, and no login came after it. */
  #mustHaveNoToken(): boolean {
    if (!this.#isShared) return false;
    const callbacks = this.#done.filter(({ kind }) => /log in|consent/.test(kind));
    const isPlain = this.#done.every(({ kind }) =>
      !["endAll", "log out", "endSession", "endAll before"].includes(kind)
    );
    return isPlain &&
      this.#succeeded("endAll with tokens", "forget").some(({ span }) =>
        callbacks.every((callback) => callback.span.start < span.end)
      );
  }

  /** A session has the scopes of all its consents. */
  #checkScopes(lineage: Lineage, scopes: readonly string[]): void {
    const granted = this.#succeeded("consent").filter((done) => done.lineage === lineage);
    expect(scopes, "the scopes").toEqual(
      expect.arrayContaining(granted.map(({ scope }) => scope)),
    );
  }

  /** A session has the value of an update that no other one has followed. */
  #checkUpdates(lineage: Lineage, user: unknown): void {
    const updates = this.#done.filter((done) => done.kind === "update" && done.lineage === lineage);
    const acknowledged = updates.filter(({ succeeded }) => succeeded);
    const last = acknowledged.filter((one) =>
      !acknowledged.some((other) => other.span.start > one.span.end)
    );
    if (last.length === 0 || lineage.begin.start >= 0) return;
    expect(last.map(({ value }) => value), "the updates").toContain(Object(user).value);
  }
}

/** Returns the header of a client that names its session. */
function accessOf(client: Person["client"]): string {
  if (client instanceof AppClient) return `Bearer ${client.token}`;
  const { name, value } = client.jar.cookies.find(({ name }) => name.endsWith("session")) ??
    expect.fail("there is no session");
  return `${name}=${value}`;
}

/** An operation can find that the session has ended, or that its code or token was revoked. */
function isExpected(error: unknown): boolean {
  if (error instanceof LoginRequiredError) return true;
  if (error instanceof OAuthError) return error.error === "invalid_grant";
  // A consent is "used" if another one has brought further scopes meanwhile.
  if (error instanceof AppRefusal) return /^(invalid_grant|other_person|used)$/.test(error.code);
  return error instanceof LoginError && ["no_session", "other_person"].includes(error.reason);
}

describe("In random orders of what people and the application do to one person's sessions,", () => {
  test.each(Array.from({ length: schedules / perTest }, (_, at) => at * perTest))(
    "what has ended gives no session and no token, and no other person loses one (from %i on)",
    async (first) => {
      const seeds = Array.from({ length: perTest }, (_, at) => 7919 * (first + at) + 3);
      for (const seed of seeds) {
        let state = seed;
        const random = () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
        random();
        await runInSomeOrders(() => new World(random).createRace(), [seed]);
      }
    },
    120_000,
  );
});
