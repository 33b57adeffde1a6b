import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { generateState, MemoryStore, RateLimitError } from "../../../mod.ts";
import { LoginError } from "../../../src/login/mod.ts";
import { assembleLogin } from "../../../src/login/assembly.ts";
import {
  countFailure,
  enter,
  leave,
  type Visitor,
  visitorOf,
} from "../../../src/login/callback/visitor_limit.ts";
import type { SaveOptions } from "../../../src/stores/store.ts";
import { createFakePlatform, sampleApplication } from "../../../src/testing/mod.ts";
import { type App, Browser, createApp, exchanges, locationOf, SITE } from "../test_app.ts";

type Options = NonNullable<Parameters<typeof createApp>[0]>;

const MINUTE = 60_000;
const here = "203.0.113.7";
const elsewhere = "198.51.100.9";

/** The address that the host of these applications vouches for. */
const visitor = ({ headers }: Request) => headers.get("x-visitor");

const from = (address: string): RequestInit => ({ headers: { "x-visitor": address } });

beforeEach(() => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => {
    log.mockRestore();
    vi.useRealTimers();
  });
});

const passMinutes = (minutes: number) => vi.setSystemTime(Date.now() + minutes * MINUTE);

/** Begins a login in a new browser, and opens its callback with a made-up code. */
async function sendJunk(app: App, address = here): Promise<Response> {
  const browser = new Browser(app);
  const state = new URL(await browser.begin()).searchParams.get("state");
  return await browser.open(`/callback?code=junk&state=${state}`, from(address));
}

/** Sends made-up codes one after another, and returns the statuses of the pages. */
async function sendJunkOften(app: App, count: number, address = here): Promise<number[]> {
  const statuses: number[] = [];
  while (statuses.length < count) statuses.push((await sendJunk(app, address)).status);
  return statuses;
}

/** Logs Ada in, and returns the status of the callback. */
async function logIn(app: App, address: string, browser = new Browser(app)): Promise<number> {
  return (await browser.open(await browser.consent(), from(address))).status;
}

const times = <Value>(count: number, value: Value) => Array<Value>(count).fill(value);

/** A store that notes the operations with records of visitors, and can fail in them. */
class VisitorStore extends MemoryStore {
  readonly operations: string[] = [];
  readonly records: { key: string; value: unknown; expiresAt: number | null | undefined }[] = [];
  isBroken = false;

  override load(key: string): ReturnType<MemoryStore["load"]> {
    this.#note("load", key);
    return super.load(key);
  }

  override save(key: string, value: unknown, options: SaveOptions) {
    if (this.#note("save", key)) this.records.push({ key, value, expiresAt: options.expiresAt });
    return super.save(key, value, options);
  }

  #note(operation: string, key: string): boolean {
    if (!key.startsWith("guildpass:visitor:")) return false;
    this.operations.push(operation);
    if (this.isBroken) throw new Error("The database is down");
    return true;
  }
}

describe.each<[string, () => Options]>([
  ["in memory", () => ({})],
  ["in a store", () => ({ store: new MemoryStore() })],
])("With the refused codes %s, a visitor", (_, storeOptions) => {
  const create = (options: Options = {}, fake?: Parameters<typeof createApp>[1]) =>
    createApp({ ...storeOptions(), visitor, ...options }, fake);

  test("may send ten codes that are refused, then one each minute, and nothing else is sent", async () => {
    const app = create();
    expect(await sendJunkOften(app, 13)).toEqual([...times(10, 400), ...times(3, 429)]);
    expect(exchanges(app)).toBe(10);
    for (let minute = 11; minute <= 13; minute++) {
      passMinutes(1);
      expect(await sendJunkOften(app, 2)).toEqual([400, 429]);
      expect(exchanges(app)).toBe(minute);
    }
    passMinutes(10);
    expect(await sendJunkOften(app, 11)).toEqual([...times(10, 400), 429]);
  });

  test("gets a page that says when to try again, and onError sees the error", async () => {
    const errors: Error[] = [];
    const app = create();
    await sendJunkOften(app, 10);
    passMinutes(0.25);
    const page = await sendJunk(app);
    expect(page.headers.get("retry-after")).toBe("45");
    expect(page.headers.getSetCookie()).toEqual([]);
    const text = await page.text();
    expect(text).toContain("Too many failed logins");
    expect(text).toContain("Please try again in 45 seconds.");
    expect(text).toContain('<a href="">Try again</a>');
    const onError = (error: Error) => {
      errors.push(error);
      return new Response(null, { status: 418 });
    };
    const own = create({ onError });
    expect(await sendJunkOften(own, 11)).toEqual(times(11, 418));
    expect(errors[10]).toBeInstanceOf(LoginError);
    expect(errors[10]).not.toBeInstanceOf(RateLimitError);
    expect(errors[10]).toMatchObject({
      reason: "too_many_failures",
      isTemporary: true,
      retryAfter: 60,
    });
  });

  test("does not limit others, and an honest person at the same address logs in a minute later", async () => {
    const app = create();
    await sendJunkOften(app, 12);
    expect(await logIn(app, elsewhere)).toBe(302);
    const person = new Browser(app);
    const callback = await person.consent();
    expect((await person.open(callback, from(here))).status).toBe(429);
    passMinutes(1);
    expect((await person.open(callback, from(here))).status).toBe(302);
    expect(await person.whoAmI()).toBe("ada");
    expect(exchanges(app)).toBe(12);
  });

  test("may open a callback again that has ended in a login, and gets no code through", async () => {
    const app = create();
    const person = new Browser(app);
    const callback = await person.consent();
    const { headers } = person.jar.request(callback);
    headers.set("x-visitor", here);
    const again = () => app.fetch(new Request(callback, { headers }));
    expect((await again()).status).toBe(302);
    await sendJunkOften(app, 10);
    expect((await again()).status).toBe(302);
    expect((await sendJunk(app)).status).toBe(429);
    expect(exchanges(app)).toBe(11);
  });

  test("is not limited by good logins, also if thirty come at once", async () => {
    const app = create();
    const all = Array.from({ length: 30 }, () => logIn(app, here));
    expect(await Promise.all(all)).toEqual(times(30, 302));
    expect(await sendJunkOften(app, 9)).toEqual(times(9, 400));
    for (let logins = 0; logins < 3; logins++) expect(await logIn(app, here)).toBe(302);
    expect(await sendJunkOften(app, 2)).toEqual([400, 429]);
  });

  test.each<[string, Parameters<App["fake"]["failNext"]>[0]]>([
    ["a 500", { status: 500 }],
    ["a 429", { status: 429, headers: { "retry-after": "0" } }],
    ["a lost response", { cut: "before" }],
    ["invalid_client", { status: 401, body: { error: "invalid_client" } }],
    ["invalid_request", { status: 400, body: { error: "invalid_request" } }],
  ])("is not limited by %s", async (_, failure) => {
    // A pause of the process after a 429 is not the subject here.
    const app = create({ timeout: 3000 });
    const count = failure.status === 429 ? 2 : 12;
    for (let failures = 0; failures < count; failures++) {
      app.fake.failNext({ path: "/oauth2/token", ...failure });
      expect([500, 502, 503, 403]).toContain(await logIn(app, here));
    }
    await vi.waitUntil(async () => await logIn(app, here) === 302, { timeout: 5000 });
    expect(await sendJunkOften(app, 11)).toEqual([...times(10, 400), 429]);
  });

  test("sends ten of 300 made-up codes that come at once", async () => {
    const app = create();
    const responses = await Promise.all(times(300, here).map((address) => sendJunk(app, address)));
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(290);
    expect(exchanges(app)).toBe(10);
  });

  test("is limited for a minute at most after a clock has gone back", async () => {
    const app = create();
    await sendJunkOften(app, 10);
    passMinutes(-100);
    expect((await sendJunk(app)).headers.get("retry-after")).toBe("60");
    passMinutes(1);
    expect((await sendJunk(app)).status).toBe(400);
  });

  test.each([null, undefined, "", " "])("that is %j is not limited", async (address) => {
    const app = create({ visitor: () => address });
    expect(await sendJunkOften(app, 12)).toEqual(times(12, 400));
  });

  test("is limited in all Logins with the same secret, also if each request makes one", async () => {
    const options = { ...storeOptions(), visitor, secret: generateState() };
    const fake = createFakePlatform();
    const statuses: number[] = [];
    for (let request = 0; request < 12; request++) {
      statuses.push((await sendJunk(createApp(options, fake))).status);
    }
    expect(statuses).toEqual([...times(10, 400), 429, 429]);
    expect((await sendJunk(createApp({ ...options, name: "other" }, fake))).status).toBe(400);
  });
});

describe("An address", () => {
  test.each<[string, readonly string[], number]>([
    ["IPv4", [here, elsewhere], 2],
    ["IPv4, mapped", ["::ffff:203.0.113.7", "::FFFF:198.51.100.9", "::ffff:c633:6409"], 2],
    ["IPv6, in several spellings", [
      "2001:db8:1:2::",
      "2001:DB8:1:2::7",
      "2001:0db8:0001:0002:0003:0004:0005:0006",
      "2001:db8:1:2:ffff:ffff:ffff:ffff",
      "2001:db8:1:2::203.0.113.7",
      " 2001:db8:1:2::8 ",
    ], 1],
    ["IPv6, with zeros", [
      "2001:db8::",
      "2001:db8::1",
      "2001:db8::1:1:1:1",
      "2001:db8:0:0:1::",
      "2001:db8:0000:0:1:0:0:1",
    ], 1],
    ["IPv6, of several networks", [
      "2001:db8:1:2::1",
      "2001:db8:1:3::1",
      "2001:db8:0:2::1",
      "2001:db8::1",
      "2001::2:5:6:7:8",
      "2001::3:5:6:7:8",
      "::1",
      "fe80::1",
    ], 8],
    ["another name", ["ada", "Ada", "fe80::1%eth0", "[2001:db8::1]", "a:b", "7"], 6],
  ])("is a visitor by itself or with its network: %s", async (_, addresses, count) => {
    const parts = assembleLogin({
      clientId: sampleApplication.id,
      clientSecret: sampleApplication.secret,
      scope: ["identify"],
      secret: generateState(),
      visitor,
    });
    const found = await Promise.all(
      // A header with a space at an end loses it.
      addresses.map((address) => visitorOf(parts, new Request(SITE, from(address)))),
    );
    expect(new Set(found).size).toBe(count);
  });
});

describe("The option visitor", () => {
  test("is off by default", async () => {
    expect(await sendJunkOften(createApp(), 12)).toEqual(times(12, 400));
  });

  test("keeps a flood of made-up codes away from honest visitors", async () => {
    // More than that, and the platform refuses all token requests of the application for up to a minute.
    const rateLimits = { routes: { "POST /oauth2/token": { limit: 50, windowMs: MINUTE } } };
    const flooded = async (options: Options) => {
      const app = createApp(options, { rateLimits });
      await sendJunkOften(app, 300);
      return await logIn(app, elsewhere);
    };
    expect(await flooded({})).toBe(503);
    expect(await flooded({ visitor })).toBe(302);
  });

  test("gets the request of the callback, once", async () => {
    const requests: Request[] = [];
    const app = createApp({
      visitor: (request) => {
        requests.push(request);
        return null;
      },
    });
    expect(await logIn(app, here)).toBe(302);
    expect(requests.map(({ url }) => new URL(url).pathname)).toEqual(["/callback"]);
  });

  test.each<[string, () => unknown, string]>([
    ["returns a number", () => 7, "visitor must return a string or null, not a promise"],
    ["returns a promise", () => Promise.resolve("s3cret"), "not a promise, received a Promise"],
    ["throws", () => expect.fail("out of order"), "out of order"],
  ])("that %s stops the login, and the callback can be opened again", async (_, wrong, message) => {
    const errors: Error[] = [];
    const onError = (error: Error) => {
      errors.push(error);
      return new Response(null, { status: 500 });
    };
    const broken = vi.fn(wrong as () => string);
    const app = createApp({ visitor: broken, onError });
    const browser = new Browser(app);
    const callback = await browser.consent();
    expect((await browser.open(callback)).status).toBe(500);
    expect(String(errors)).toContain(message);
    expect(String(errors)).not.toContain("s3cret");
    expect(exchanges(app)).toBe(0);
    broken.mockReturnValue(here);
    expect((await browser.open(callback)).status).toBe(302);
  });

  test("works with finish()", async () => {
    const app = createApp({ visitor });
    await sendJunkOften(app, 10);
    const browser = new Browser(app);
    const callback = await browser.consent();
    await expect(app.login.finish(browser.jar.request(callback, from(here)))).rejects
      .toMatchObject({ name: "LoginError", reason: "too_many_failures", retryAfter: 60 });
    await expect(app.login.finish(browser.jar.request(callback, from(elsewhere)))).resolves
      .toMatchObject({ user: { username: "ada" } });
  });

  test("works at appPath, and null leaves out the requests of an Activity", async () => {
    const app = createApp({
      store: new MemoryStore(),
      appPath: "/app",
      appTargets: ["myapp://login"],
      appOrigins: ["https://1100000000000000001.discordsays.com"],
      visitor: (request) => request.headers.get("origin") ? null : visitor(request),
    });
    const post = async (body: object, headers: Record<string, string>) =>
      await app.fetch(
        new Request(`${SITE}/app`, {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body: JSON.stringify(body),
        }),
      );
    const desktop = { "x-visitor": here };
    const sendAppJunk = async () => {
      const begun = await post({ begin: { target: "myapp://login" } }, desktop);
      const { state, pending } = await begun.json();
      return await post({ finish: { code: "junk", state, pending } }, desktop);
    };
    for (let codes = 0; codes < 10; codes++) expect((await sendAppJunk()).status).toBe(400);
    const refused = await sendAppJunk();
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("60");
    expect(await refused.json()).toMatchObject({
      error: "login_failed",
      code: "too_many_failures",
    });
    const activity = { ...desktop, origin: "https://1100000000000000001.discordsays.com" };
    for (let codes = 0; codes < 12; codes++) {
      const { pending } = await (await post({ begin: {} }, activity)).json();
      expect((await post({ finish: { code: "junk", pending } }, activity)).status).toBe(400);
    }
  });

  test("works at a preview", async () => {
    const preview = "https://one.preview.example";
    const relay = {
      url: `${SITE}/callback`,
      origin: preview,
      secret: generateState(),
      origins: ["https://*.preview.example"],
    };
    const app = createApp({ relay, visitor });
    const statuses: number[] = [];
    for (let codes = 0; codes < 11; codes++) {
      const browser = new Browser(app);
      const link = new URL(locationOf(await browser.open(`${preview}/login`)));
      const callback = new URL(`${preview}/callback?code=junk`);
      callback.searchParams.set("state", link.searchParams.get("state") ?? "");
      statuses.push((await browser.open(callback, from(here))).status);
    }
    expect(statuses).toEqual([...times(10, 400), 429]);
  });
});

describe("In a store, the refused codes of a visitor", () => {
  test("take one operation each, and a good login and a 429 take none", async () => {
    const store = new VisitorStore();
    const app = createApp({ store, visitor });
    await logIn(app, here);
    expect(store.operations).toEqual([]);
    await sendJunkOften(app, 9);
    await logIn(app, here);
    await sendJunkOften(app, 3);
    expect(store.operations).toEqual(times(10, "save"));
  });

  test("are one record with an end, under a digest that depends on the secret", async () => {
    const store = new VisitorStore();
    const secret = generateState();
    const now = Date.now();
    await sendJunkOften(createApp({ store, visitor, secret }), 3);
    await sendJunk(createApp({ store, visitor, secret: [secret, generateState()] }));
    await sendJunk(createApp({ store, visitor, secret: generateState() }));
    const [first, ...others] = store.records;
    expect(first?.key).toMatch(/^guildpass:visitor:[\w-]{43}$/);
    expect(others.map(({ key }) => key === first?.key)).toEqual([true, true, true, false]);
    expect(store.records.map(({ expiresAt }) => (Number(expiresAt) - now) / MINUTE))
      .toEqual([1, 2, 3, 4, 1]);
    expect(first?.value).toEqual({ format: 3, until: now + MINUTE });
    expect(JSON.stringify(store.records)).not.toContain(here);
  });

  /** Creates a process with a memory of its own. */
  async function createProcess(options: Options, fake: App["fake"]) {
    vi.resetModules();
    const { createApp } = await import("../test_app.ts");
    return createApp(options, fake);
  }

  async function createProcesses(count: number, store: VisitorStore) {
    const [fake, secret] = [createFakePlatform(), generateState()];
    const processes: App[] = [];
    while (processes.length < count) {
      processes.push(await createProcess({ store, visitor, secret }, fake));
    }
    return processes as [App, ...App[]];
  }

  test("are known to another process after it has seen one itself", async () => {
    const store = new VisitorStore();
    const [one, two] = await createProcesses(2, store) as [App, App];
    await sendJunkOften(one, 10);
    expect(await sendJunkOften(two, 3)).toEqual([400, 429, 429]);
    expect(store.operations.slice(10)).toEqual(["save", "load"]);
    expect(exchanges(one)).toBe(11);
    passMinutes(1);
    expect(await sendJunkOften(two, 2)).toEqual([400, 429]);
  });

  test("of five processes in turn are few", async () => {
    const store = new VisitorStore();
    const processes = await createProcesses(5, store);
    for (let codes = 0; codes < 300; codes++) {
      await sendJunk(processes[codes % 5] ?? processes[0]);
    }
    // About half of the codes are not in the record, since another process saved it first.
    expect(exchanges(processes[0])).toBeLessThanOrEqual(25);
    expect(store.operations.length).toBeLessThanOrEqual(50);
  });

  test("count in the process if the store fails, which ends no login otherwise", async () => {
    const store = new VisitorStore();
    const app = createApp({ store, visitor });
    store.isBroken = true;
    expect((await sendJunk(app)).status).toBe(400);
    const browser = new Browser(app);
    const callback = await browser.consent();
    // The record can't be read.
    expect((await browser.open(callback, from(here))).status).toBe(500);
    expect(exchanges(app)).toBe(1);
    store.isBroken = false;
    expect((await browser.open(callback, from(here))).status).toBe(302);
    expect(await sendJunkOften(app, 10)).toEqual([...times(9, 400), 429]);
  });

  test("of another format are replaced", async () => {
    const store = new VisitorStore();
    const [one, two] = await createProcesses(2, store) as [App, App];
    await sendJunkOften(one, 10);
    const { key } = store.records[0] ?? expect.fail("there is no record");
    const { version } = await store.load(key) ?? expect.fail("there is no record");
    await store.save(key, { format: 2, until: Infinity }, { version });
    expect(await sendJunkOften(two, 11)).toEqual([...times(10, 400), 429]);
  });
});

describe("An exchange", () => {
  const maxStepMs = 60;

  async function createVisitor(): Promise<{ enterOnce: () => ReturnType<typeof enter> } & Visitor> {
    const parts = assembleLogin({
      clientId: sampleApplication.id,
      clientSecret: sampleApplication.secret,
      scope: ["identify"],
      secret: generateState(),
      visitor,
    });
    const found = await visitorOf(parts, new Request(SITE, from(here))) ?? expect.fail("none");
    return Object.assign(found, { enterOnce: () => enter({ ...parts, maxStepMs }, found) });
  }

  test("waits for others if ten are under way, and begins when one has ended", async () => {
    const found = await createVisitor();
    for (let count = 0; count < 10; count++) expect(await found.enterOnce()).toBeNull();
    const waiting = found.enterOnce();
    leave(found);
    expect(await waiting).toBeNull();
  });

  test("is refused if none has ended in time, or has ended with a refused code", async () => {
    const found = await createVisitor();
    for (let count = 0; count < 10; count++) await found.enterOnce();
    const expected = { reason: "too_many_failures", retryAfter: 60 };
    expect(await found.enterOnce()).toMatchObject(expected);
    await countFailure(null, found);
    leave(found);
    expect(await found.enterOnce()).toMatchObject(expected);
  });

  test("that never ends, as on a stopped Worker, holds its place for a minute", async () => {
    const found = await createVisitor();
    for (let count = 0; count < 10; count++) await found.enterOnce();
    passMinutes(1);
    expect(await found.enterOnce()).toBeNull();
    expect(await found.enterOnce()).not.toBeNull();
  });

  test("is of a visitor among the last 10,000 of the process", async () => {
    const parts = assembleLogin({
      clientId: sampleApplication.id,
      clientSecret: sampleApplication.secret,
      scope: ["identify"],
      secret: generateState(),
      visitor,
    });
    const find = async (address: string) =>
      await visitorOf(parts, new Request(SITE, from(address)));
    const first = await find("first");
    for (let others = 1; others < 10_000; others++) await find(`visitor ${others}`);
    expect(await find("first")).toBe(first);
    for (let others = 0; others < 10_000; others++) await find(`further ${others}`);
    expect(await find("first")).not.toBe(first);
  });
});
