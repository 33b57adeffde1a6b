import process from "node:process";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  generateState,
  LoginRequiredError,
  MemoryStore,
  type Scope,
  type Store,
  type TokenSource,
  User,
} from "../../../mod.ts";
import { Login } from "../../../src/login/mod.ts";
import { CookieJar, createFakePlatform, sampleApplication } from "../../../src/testing/mod.ts";
import { pause } from "../../support/model_platform.ts";
import { settled, watchCrypto } from "../../support/virtual_time.ts";
import { SITE } from "../test_app.ts";

/** The runs are the same every time. `SIMULATIONS=200` makes more, which find rarer mistakes in minutes. */
const runs = Number(process.env["SIMULATIONS"] ?? 4);

const DAY = 86_400_000;
const days = 30;
const linkedRoles: readonly Scope[] = ["openid", "role_connections.write"];

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 });
  watchCrypto();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A person, and what they have granted to the application. */
interface Person {
  readonly name: string;
  readonly id: string;
  /** The browsers in which the person is logged in. */
  jars: CookieJar[];
  hasGranted: boolean;
  hasLinkedRoles: boolean;
}

/** The result of a simulation. */
interface Result {
  /** Everything that went wrong. */
  readonly problems: readonly string[];
  readonly refreshes: number;
}

/** Simulates an application of two processes for some weeks. */
async function simulate(seed: number): Promise<Result> {
  const problems: string[] = [];
  let state = seed;
  const random = (): number => (state = (1664525 * state + 1013904223) % 2 ** 32) / 2 ** 32;
  const chance = (probability: number): boolean => random() < probability;
  vi.spyOn(Math, "random").mockImplementation(random);

  const fake = createFakePlatform();
  const memory = new MemoryStore();
  const secret = generateState();
  /** The refresh tokens that the platform has replaced. */
  const used = new Set<string>();

  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const request = new Request(url, init);
    const form = new URLSearchParams(await request.clone().text());
    const token = form.get("refresh_token");
    await pause(random() * 1000);
    // These fail before the platform has done anything.
    if (chance(request.url.endsWith("/oauth2/@me") ? 0.9 : 0.05)) {
      if (chance(0.5)) return Response.json({ message: "busy" }, { status: 503 });
      throw new TypeError("failed", { cause: { code: "ECONNREFUSED" } });
    }
    if (token !== null && used.has(token)) problems.push("a used refresh token is sent");
    const response = await fake.fetch(request);
    if (token !== null && response.ok) used.add(token);
    await pause(random() * 3000);
    return response;
  };
  const slow = async <Value>(operation: () => Promise<Value>): Promise<Value> => {
    await pause(random() * 30);
    return await operation();
  };
  const store: Store = {
    load: (key) => slow(() => memory.load(key)),
    save: (key, value, options) => slow(() => memory.save(key, value, options)),
    delete: (key) => slow(() => memory.delete(key)),
  };
  const create = () =>
    new Login({
      clientId: sampleApplication.id,
      clientSecret: sampleApplication.secret,
      scope: ["identify"],
      secret,
      store,
      backgroundTokens: true,
      idleTimeout: 60 * 86_400,
      maxAge: 300 * 86_400,
      platform: fake.platform,
      fetch,
    });
  type AppLogin = ReturnType<typeof create>;
  const logins = [create(), create()] as const;
  const anyLogin = () => logins[chance(0.5) ? 0 : 1];

  /** Sends a person's number, as the job does every night. */
  const runJob = async (login: AppLogin, person: Person, isCertain: boolean): Promise<void> => {
    const { hasLinkedRoles } = person;
    const source: TokenSource = login.tokensOf(person.id);
    const user = new User(source, { platform: fake.platform, fetch });
    const error = await user.setRoleConnection(sampleApplication.id, { platform_name: "Looms" })
      .then(() => null, (error: Error) => error);
    if (!isCertain) return;
    const isLost = error instanceof LoginRequiredError ||
      (hasLinkedRoles && error?.name === "MissingScopeError");
    if (isLost) problems.push(`the job got ${error.name} for ${person.name}`);
  };

  const view = async (login: AppLogin, person: Person, jar: CookieJar): Promise<void> => {
    const session = await login.session(jar.request(SITE));
    if (!session) return void problems.push(`${person.name} is logged out`);
    const error = await session.token.token().then(() => null, (error: Error) => error);
    if (error instanceof LoginRequiredError) problems.push(`${person.name} has to log in again`);
  };

  /** Logs a person in, and repeats what fails because the platform is busy. */
  const logIn = async (person: Person, scope: readonly Scope[]) => {
    for (let tries = 0; tries < 20; tries++) {
      const jar = new CookieJar();
      const request = jar.request(`${SITE}/`);
      const start = await anyLogin().start(request, scope.length > 0 ? { scope } : {});
      jar.store(start, SITE);
      const link = start.headers.get("location") ?? "";
      const callback = await fake.authorize(link, { as: person.name });
      const response = await anyLogin().finish(jar.request(callback)).catch(() => null);
      if (!response) continue;
      jar.store(new Response(null, { headers: response.headers }), SITE);
      person.hasGranted = true;
      person.hasLinkedRoles ||= scope.length > 0;
      person.jars = [...person.jars, jar].slice(-3);
      return;
    }
    problems.push(`${person.name} can't log in`);
  };

  const people: Person[] = ["ada", "grace"].map((name, index) => ({
    name,
    id: `100000000000000000${index + 1}`,
    jars: [],
    hasGranted: false,
    hasLinkedRoles: false,
  }));

  const live = async (person: Person): Promise<void> => {
    const { hasGranted } = person;
    if (hasGranted && chance(0.06)) {
      // The event about the removal comes late, often after the next login.
      await fake.removeApplication({ as: person.name });
      const removedAt = Date.now();
      Object.assign(person, { jars: [], hasGranted: false, hasLinkedRoles: false });
      await pause(1000);
      const options = { startedBefore: removedAt + 1, tokens: true };
      const sendEvent = () => anyLogin().endAll(person.id, options);
      if (chance(0.5)) await sendEvent();
      if (chance(0.7)) await logIn(person, chance(0.3) ? linkedRoles : []);
      await sendEvent();
      return;
    }
    const work = logins.map((login) => runJob(login, person, hasGranted));
    for (const jar of person.jars) work.push(view(anyLogin(), person, jar));
    if (chance(hasGranted ? 0.2 : 0.6)) {
      work.push(logIn(person, chance(0.4) ? linkedRoles : []));
    }
    await Promise.all(work);
    if (person.jars.length > 0 && chance(0.15)) {
      const [jar] = person.jars.splice(0, 1);
      if (jar) await anyLogin().end(jar.request(`${SITE}/logout`, { method: "POST" }));
    }
  };

  for (let day = 0; day < days; day++) {
    for (const person of people) await settled(live(person));
    vi.setSystemTime(Date.now() + DAY * (0.7 + random() * 0.6));
  }
  for (const person of people) {
    await settled(logIn(person, linkedRoles));
    await settled(runJob(logins[0], person, true));
    await settled(runJob(logins[1], person, true));
  }
  return { problems, refreshes: used.size };
}

test.each(Array.from({ length: runs }, (_, index) => index + 1))(
  "A job every night and the sessions of the same people share a token for weeks, and each person stays logged in (run %i)",
  async (run) => {
    const { problems, refreshes } = await simulate(run * 7919);
    expect(problems).toEqual([]);
    expect(refreshes).toBeGreaterThan(0);
  },
  120_000,
);
