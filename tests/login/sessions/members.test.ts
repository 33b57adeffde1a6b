import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { generateState, MemoryStore, type Store } from "../../../mod.ts";
import { Login, type LoginEvent, type MembersOptions } from "../../../src/login/mod.ts";
import { createFakePlatform, sampleApplication } from "../../../src/testing/mod.ts";
import { thrownBy } from "../../support/responders.ts";
import { Browser, SITE } from "../test_app.ts";

const [looms, crew, yard] = ["1300000000000000001", "1300000000000000002", "1300000000000000003"];
const [weaver, mender] = ["1310000000000000001", "1310000000000000002"];
const [ada, grace] = ["1000000000000000001", "1000000000000000002"];
const memberPath = "/member";

/** A platform with three guilds, and what its member route does. */
function createTown() {
  const roles = [{ id: weaver, name: "weaver" }, { id: mender, name: "mender" }];
  const fake = createFakePlatform({
    guilds: [
      { id: looms, name: "Looms", roles, members: { [ada]: { nick: "Countess" } } },
      { id: crew, name: "Crew", roles, members: { [ada]: {}, [grace]: {} } },
      { id: yard, name: "Yard", roles },
    ],
  });
  const town = {
    fake,
    /** Responds to the reads of a membership in place of the platform. */
    member: null as (() => Promise<Response> | Response) | null,
    fetch: async (url: string | URL | Request, init?: RequestInit) =>
      town.member && String(url).endsWith(memberPath)
        ? await town.member()
        : await fake.fetch(url, init),
    reads: () => fake.requests.filter(({ path }) => path.endsWith(memberPath)).length,
    setMember: (guild: string, person: string, member: object | null) =>
      fake.update({ guilds: { [guild]: { members: { [person]: member } } } }),
  };
  return town;
}

type Town = ReturnType<typeof createTown>;

interface Settings {
  readonly store?: Store;
  readonly secret?: string;
  readonly members?: MembersOptions | readonly MembersOptions[] | null;
  readonly backgroundTokens?: boolean;
  readonly onEvent?: (event: LoginEvent) => void;
  readonly timeout?: number;
}

/** One process of an application for the members of a guild. */
function createProcess(town: Town, settings: Settings = {}) {
  const login = new Login({
    clientId: sampleApplication.id,
    clientSecret: sampleApplication.secret,
    scope: ["identify", "guilds.members.read"],
    secret: generateState(),
    store: new MemoryStore(),
    members: { guildId: looms },
    appPath: "/app",
    platform: town.fake.platform,
    fetch: town.fetch,
    ...settings,
  });
  const fetch = async (request: Request): Promise<Response> => {
    const response = await login.handle(request);
    if (response) return response;
    const session = await login.session(request);
    return session ? Response.json(session.user) : await login.start(request);
  };
  return { ...town, login, fetch };
}

type Process = ReturnType<typeof createProcess>;

/** Opens the callback of a login. */
async function logIn(process: Process, as = "ada") {
  const browser = new Browser(process as never);
  const callback = await browser.consent(undefined, as);
  const response = await browser.open(callback);
  const request = () => browser.jar.request(SITE);
  const member = async (other = process) => (await other.login.session(request()))?.member ?? null;
  return { browser, callback, response, request, member };
}

/** Logs in at `appPath`, as an Activity does, and returns the response to its code. */
async function enterApp({ fake, fetch }: Process, as: string) {
  const post = async (body: object) => {
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    const response = await fetch(new Request(`${SITE}/app`, init));
    return { response, body: await response.json() };
  };
  const { body: { authorize, pending } } = await post({ begin: {} });
  const { code } = await fake.authorizeActivity(authorize, { as });
  return await post({ finish: { code, pending } });
}

/** Logs in at `appPath`, and returns a request of the session. */
async function enterActivity(process: Process, as = "ada"): Promise<() => Request> {
  const { body: { token } } = await enterApp(process, as);
  return () => new Request(SITE, { headers: { authorization: `Bearer ${token}` } });
}

/** Makes each read of a membership wait for `respond()`. */
function holdReads(town: Town, status: number, body: object) {
  const held = { reads: 0, respond: () => {} };
  town.member = async () => {
    held.reads++;
    await new Promise<void>((resolve) => held.respond = resolve);
    return json(status, body);
  };
  return held;
}

const passSeconds = (seconds: number) => void vi.advanceTimersByTime(seconds * 1000);
const json = (status: number, body: object, headers?: HeadersInit) =>
  Response.json(body, { status, ...(headers && { headers }) });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "performance"], now: Date.now() });
  vi.spyOn(console, "error").mockImplementation(() => {});
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("At the login, members", () => {
  test("admits a member, whose session has the membership", async () => {
    const process = createProcess(createTown());
    const { response, request, member } = await logIn(process);
    expect(response.status).toBe(302);
    const found = await member();
    expect(found).toEqual({
      guild_id: looms,
      roles: [],
      nick: "Countess",
      joined_at: expect.stringMatching(/^\d{4}-/),
    });
    expect(Object.isFrozen(found)).toBe(true);
    expect(JSON.stringify(await process.login.session(request()))).not.toContain("Countess");
    expect(process.reads()).toBe(1);
  });

  test("turns others away on a page, with an error for onError and an event, and without a line in the log", async () => {
    const events: LoginEvent[] = [];
    const process = createProcess(createTown(), { onEvent: (event) => void events.push(event) });
    const { response, browser, callback, member } = await logIn(process, "grace");
    expect(response.status).toBe(403);
    expect(await response.text()).toContain("This site is for members");
    expect(await member()).toBe(null);
    expect(events.at(-1)).toMatchObject({
      kind: "login_failed",
      reason: "not_a_member",
      pageStatus: 403,
    });
    expect(console.error).not.toHaveBeenCalled();
    const error = await thrownBy(() => process.login.finish(browser.jar.request(callback)));
    expect(error).toMatchObject({ code: "login_failed", reason: "not_a_member" });
  });

  test("admits a person who has joined since, when the same callback is opened again", async () => {
    const process = createProcess(createTown());
    const { browser, callback, member } = await logIn(process, "grace");
    process.setMember(looms, "grace", {});
    expect((await browser.open(callback)).status).toBe(302);
    expect(await member()).toMatchObject({ guild_id: looms });
  });

  test("turns an app away with JSON, without a token", async () => {
    const process = createProcess(createTown());
    const { response, body } = await enterApp(process, "grace");
    expect(response.status).toBe(403);
    expect(body).toMatchObject({ error: "login_failed", code: "not_a_member" });
    expect(body).not.toHaveProperty("token");
  });

  test("needs one of the roles", async () => {
    const town = createTown();
    const process = createProcess(town, { members: { guildId: looms, roles: [weaver, mender] } });
    expect((await logIn(process)).response.status).toBe(403);
    town.setMember(looms, "ada", { roles: [mender] });
    expect(await (await logIn(process)).member()).toMatchObject({ roles: [mender] });
  });

  test("turns away a visitor who has removed the scope from the URL, without a read", async () => {
    const process = createProcess(createTown());
    const browser = new Browser(process as never);
    const address = new URL(await browser.begin());
    address.searchParams.set("scope", "identify");
    const callback = await process.fake.authorize(address.href, { as: "ada" });
    expect((await browser.open(callback)).status).toBe(403);
    expect(process.reads()).toBe(0);
    expect(console.error).not.toHaveBeenCalled();
  });

  test("takes unknown roles for none", async () => {
    const town = createTown();
    town.member = () => json(200, { joined_at: "2026-01-01T00:00:00Z" });
    const members = { guildId: looms };
    expect(await (await logIn(createProcess(town, { members }))).member()).toMatchObject({
      roles: [],
    });
    const strict = createProcess(town, { members: { ...members, roles: [weaver] } });
    expect((await logIn(strict)).response.status).toBe(403);
  });

  test("takes the first guild that fits, and reads no other", async () => {
    const town = createTown();
    const members = [
      { guildId: looms, roles: [weaver] },
      { guildId: crew },
      { guildId: yard },
    ];
    const process = createProcess(town, { members });
    expect(await (await logIn(process)).member()).toMatchObject({ guild_id: crew });
    expect(town.reads()).toBe(2);
    town.setMember(crew, "grace", { roles: [mender] });
    const second = createProcess(town, {
      members: [{ guildId: looms }, { guildId: crew, roles: [mender] }],
    });
    expect(await (await logIn(second, "grace")).member()).toMatchObject({ guild_id: crew });
  });

  test("waits for the membership screening, and admits a member with a timeout", async () => {
    const town = createTown();
    const process = createProcess(town);
    town.setMember(looms, "ada", { pending: true });
    expect((await logIn(process)).response.status).toBe(403);
    const until = new Date(Date.now() + 86_400_000).toISOString();
    town.setMember(looms, "ada", { pending: false, communication_disabled_until: until });
    expect((await logIn(process)).response.status).toBe(302);
  });

  test.each([
    ["503", () => json(503, {}), 502],
    ["no connection", () => Promise.reject(new TypeError("fetch failed")), 502],
    ["a 404 without the platform's code", () => json(404, { message: "Not found" }), 403],
    ["a 429", () => json(429, { retry_after: 200, global: false }, { "retry-after": "200" }), 429],
  ])(
    "lets no new visitor in after %s, but later with the same callback",
    async (_, member, status) => {
      const town = createTown();
      const process = createProcess(town, { timeout: 1000 });
      town.member = member;
      const { browser, callback, response } = await logIn(process);
      expect(response.status).toBe(status);
      town.member = null;
      passSeconds(201);
      const again = await browser.open(callback);
      expect(again.status).toBe(302);
    },
    20_000,
  );
});

describe("In a session, members", () => {
  test("reads the membership again after checkedFor, once for all callers and processes", async () => {
    const town = createTown();
    const shared = { store: new MemoryStore(), secret: generateState() };
    const processes = Array.from({ length: 5 }, () => createProcess(town, shared));
    const [first] = processes as [Process];
    const { member } = await logIn(first);
    passSeconds(299);
    await Promise.all(processes.map((process) => member(process)));
    expect(town.reads()).toBe(1);
    town.setMember(looms, "ada", { nick: "Lovelace" });
    passSeconds(2);
    const found = await Promise.all([...processes, ...processes].map((process) => member(process)));
    expect(new Set(found.map((one) => one?.nick))).toEqual(new Set(["Lovelace"]));
    expect(town.reads()).toBe(2);
  });

  test("logs out who has left, in two processes and in an Activity, with an event for each session", async () => {
    const town = createTown();
    const events: LoginEvent[] = [];
    const shared = {
      store: new MemoryStore(),
      secret: generateState(),
      onEvent: (event: LoginEvent) => void events.push(event),
    };
    const [one, other] = [createProcess(town, shared), createProcess(town, shared)];
    const { member, browser } = await logIn(one);
    const activity = await enterActivity(other);
    expect(await other.login.session(activity())).toMatchObject({ member: { guild_id: looms } });
    town.setMember(looms, "ada", null);
    passSeconds(301);
    const reads = town.reads();
    expect(await Promise.all([member(one), member(other), member(one)])).toEqual([
      null,
      null,
      null,
    ]);
    expect(await one.login.session(activity())).toBe(null);
    expect(town.reads() - reads).toBe(1);
    expect(await one.login.sessionsOf(ada)).toEqual([]);
    const ends = events.filter(({ kind }) => kind === "session_ended");
    expect(ends).toEqual(
      [1, 2].map(() => expect.objectContaining({ cause: "not_a_member", sessions: 1 })),
    );
    expect((await browser.open("/")).status).toBe(302);
  });

  test("logs out who has lost the role, or is in the screening again", async () => {
    const town = createTown();
    town.setMember(looms, "ada", { roles: [weaver] });
    const process = createProcess(town, {
      members: { guildId: looms, roles: [weaver], checkedFor: 60 },
    });
    const first = await logIn(process);
    town.setMember(looms, "ada", { roles: [mender] });
    passSeconds(61);
    expect(await first.member()).toBe(null);
    town.setMember(looms, "ada", { roles: [weaver] });
    const second = await logIn(process);
    town.setMember(looms, "ada", { roles: [weaver], pending: true });
    passSeconds(61);
    expect(await second.member()).toBe(null);
  });

  test("goes on in another guild of the list", async () => {
    const town = createTown();
    const process = createProcess(town, { members: [{ guildId: looms }, { guildId: crew }] });
    const { member } = await logIn(process);
    town.setMember(looms, "ada", null);
    passSeconds(301);
    expect(await member()).toMatchObject({ guild_id: crew });
  });

  test(
    "outlives an outage of an hour, and then throws a temporary error until the platform responds",
    async () => {
      const town = createTown();
      const process = createProcess(town, { timeout: 1000 });
      const { member } = await logIn(process);
      passSeconds(290);
      town.member = () => json(503, {});
      for (let minutes = 6; minutes <= 60; minutes += 6) {
        passSeconds(minutes === 60 ? 359 : 360);
        expect(await member()).toMatchObject({ guild_id: looms });
      }
      passSeconds(61);
      const both = await Promise.all([thrownBy(member), thrownBy(member)]);
      for (const error of both) expect(error).toMatchObject({ isTemporary: true });
      expect((await logIn(process, "ada")).response.status).toBe(502);
      town.member = null;
      // The failed reads have used up the limit of this route.
      passSeconds(301);
      expect(await member()).toMatchObject({ nick: "Countess" });
    },
    60_000,
  );

  test("asks at most once a minute during an outage, and lets the others go on meanwhile", async () => {
    const town = createTown();
    const process = createProcess(town, { timeout: 1000 });
    const { member } = await logIn(process);
    town.member = () => json(500, {});
    passSeconds(301);
    expect(await member()).toMatchObject({ guild_id: looms });
    const held = holdReads(town, 403, {});
    passSeconds(30);
    expect(await member()).toMatchObject({ guild_id: looms });
    expect(held.reads).toBe(0);
    passSeconds(31);
    const asking = thrownBy(member);
    await vi.waitUntil(() => held.reads === 1);
    expect(await member()).toMatchObject({ guild_id: looms });
    expect(held.reads).toBe(1);
    held.respond();
    expect(await asking).toMatchObject({ httpStatus: 403 });
  });

  test("is prolonged once by a 429, by at most checkedFor", async () => {
    const town = createTown();
    const process = createProcess(town);
    const { member } = await logIn(process);
    let reads = 0;
    town.member = () => {
      reads++;
      return json(429, { retry_after: 5000, global: false }, { "retry-after": "5000" });
    };
    passSeconds(301);
    expect(await member()).toMatchObject({ guild_id: looms });
    passSeconds(299);
    expect(await member()).toMatchObject({ guild_id: looms });
    expect(reads).toBe(1);
    passSeconds(2);
    expect(await thrownBy(member)).toMatchObject({ code: "rate_limited", isTemporary: true });
  });

  test("outlives a block by the edge, and the rate limits during an outage", async () => {
    const town = createTown();
    const process = createProcess(town, {
      timeout: 1000,
      members: { guildId: looms, checkedFor: 60 },
    });
    const { member } = await logIn(process);
    const block = () => new Response("error code: 1015", { status: 429 });
    const limit = () => json(429, { retry_after: 5000, global: false }, { "retry-after": "5000" });
    let reads = 0;
    for (const respond of [block, block, block, limit, limit]) {
      town.member = () => (reads++, respond());
      for (const seconds of [31, 30]) {
        passSeconds(seconds);
        expect(await member()).toMatchObject({ guild_id: looms });
      }
    }
    // The client itself refuses the last read, since its limit is used up.
    expect(reads).toBe(4);
  });

  test("outlives an outage that begins when the limit is almost used up", async () => {
    const town = createTown();
    const process = createProcess(town, { members: { guildId: looms, checkedFor: 60 } });
    const { member } = await logIn(process);
    for (let reads = 0; reads < 2; reads++) {
      passSeconds(61);
      await member();
    }
    town.member = () => json(503, {});
    for (let times = 0; times < 12; times++) {
      passSeconds(31);
      expect(await member()).toMatchObject({ guild_id: looms });
    }
  });

  test.each([
    ["a 403", () => json(403, { code: 50001, message: "Missing access" }), { httpStatus: 403 }],
    [
      "a 404 of another kind",
      () => json(404, { code: 10003, message: "Unknown channel" }),
      { httpStatus: 404 },
    ],
    ["an unreadable response", () => new Response("<html>"), { code: "invalid_payload" }],
  ])(
    "throws after %s without another read for a minute, and keeps the session",
    async (_, respond, error) => {
      const town = createTown();
      const process = createProcess(town);
      const { member } = await logIn(process);
      town.member = respond;
      passSeconds(301);
      expect(await thrownBy(member)).toMatchObject(error);
      town.member = null;
      passSeconds(18);
      expect(await thrownBy(member)).toMatchObject({
        message: "The membership could not be read",
        isTemporary: true,
        retryAfter: 42,
      });
      expect(town.reads()).toBe(1);
      passSeconds(42);
      expect(await member()).toMatchObject({ guild_id: looms });
    },
  );

  test("does not wait after an error of the store", async () => {
    const town = createTown();
    const memory = new MemoryStore();
    const process = createProcess(town, { store: memory, backgroundTokens: true });
    const { member } = await logIn(process);
    passSeconds(301);
    const load = memory.load.bind(memory);
    const loads = vi.spyOn(memory, "load").mockImplementation(async (key) => {
      if (key.startsWith("guildpass:token-of:")) throw new Error("The store is down");
      return await load(key);
    });
    expect(await thrownBy(member)).toMatchObject({ message: "The store is down" });
    loads.mockRestore();
    expect(await member()).toMatchObject({ guild_id: looms });
  });

  test.each([true, false])(
    "reads once for all devices of a person, with backgroundTokens: %s",
    async (backgroundTokens) => {
      const town = createTown();
      const members = [yard, crew, looms, "1300000000000000004"].map((guildId) => ({
        guildId,
        roles: [weaver],
      }));
      town.setMember(looms, "ada", { roles: [weaver] });
      const process = createProcess(town, { backgroundTokens, members });
      const devices = [];
      for (let device = 0; device < 10; device++) {
        devices.push(await logIn(process));
        passSeconds(310);
      }
      const reads = town.reads();
      for (let minute = 0; minute < 40; minute++) {
        const found = await Promise.all(devices.map(({ member }) => member()));
        expect(found.map((one) => one?.guild_id)).toEqual(devices.map(() => looms));
        passSeconds(60);
      }
      expect(town.reads() - reads).toBe(3 * 8);
      const sent = town.fake.requests.filter(({ path }) => path.endsWith(memberPath));
      expect(sent.filter(({ status }) => status === 429)).toEqual([]);
    },
    60_000,
  );

  test("reads with the token of another device after the platform has refused the first one", async () => {
    const town = createTown();
    const process = createProcess(town);
    const [first, second] = [await logIn(process), await logIn(process)];
    passSeconds(301);
    town.member = () => json(401, { code: 0, message: "401: Unauthorized" });
    expect(await first.member()).toBe(null);
    town.member = null;
    expect(await second.member()).toMatchObject({ guild_id: looms });
  });

  test.each([
    ["503", () => json(503, {}), { httpStatus: 503 }],
    ["no connection", () => Promise.reject(new TypeError("fetch failed")), {
      code: "network_error",
    }],
  ])(
    "throws during an outage with %s if the store has no membership yet, once a minute",
    async (_, respond, error) => {
      const town = createTown();
      const shared = { store: new MemoryStore(), secret: generateState(), timeout: 1000 };
      const { member } = await logIn(createProcess(town, { ...shared, members: null }));
      const process = createProcess(town, shared);
      town.member = respond;
      expect(await thrownBy(() => member(process))).toMatchObject(error);
      town.member = null;
      passSeconds(59);
      expect(await thrownBy(() => member(process))).toMatchObject({ retryAfter: 1 });
      passSeconds(1);
      expect(await member(process)).toMatchObject({ guild_id: looms });
    },
  );

  test("keeps the longest membership through an outage, and no record for longer", async () => {
    const town = createTown();
    const memory = new MemoryStore();
    const saves = vi.spyOn(memory, "save");
    const process = createProcess(town, {
      store: memory,
      timeout: 1000,
      members: { guildId: looms, checkedFor: 3600 },
    });
    const { member } = await logIn(process);
    const options = saves.mock.calls.find(([key]) => key.startsWith("guildpass:membership-of:"))
      ?.[2];
    expect(options?.expiresAt).toBe(Date.now() + 7_200_000);
    town.member = () => json(503, {});
    passSeconds(7190);
    expect(await member()).toMatchObject({ guild_id: looms });
  });

  test("keeps a session whose token no secret opens", async () => {
    const town = createTown();
    const shared = { store: new MemoryStore(), secret: generateState(), backgroundTokens: true };
    const process = createProcess(town, shared);
    const { member } = await logIn(process);
    const wrong = createProcess(town, { ...shared, secret: generateState() });
    expect(await thrownBy(() => member(wrong))).toMatchObject({ reason: "unreadable" });
    expect(await member()).toMatchObject({ guild_id: looms });
  });

  test("a read that began before a login does not replace the membership of the login", async () => {
    const town = createTown();
    const process = createProcess(town);
    const first = await logIn(process);
    passSeconds(301);
    const held = holdReads(town, 404, { code: 10004, message: "Unknown guild" });
    const reading = first.member();
    await vi.waitUntil(() => held.reads === 1);
    town.member = null;
    const second = await logIn(process);
    held.respond();
    expect(await reading).toBe(null);
    expect(await second.member()).toMatchObject({ guild_id: looms });
  });

  test("keeps the other devices of a person who is back, if they are opened after a minute", async () => {
    const town = createTown();
    const process = createProcess(town);
    const [first, second] = [await logIn(process), await logIn(process)];
    town.setMember(looms, "ada", null);
    passSeconds(301);
    expect(await first.member()).toBe(null);
    town.setMember(looms, "ada", {});
    passSeconds(61);
    expect(await second.member()).toMatchObject({ guild_id: looms });
  });

  test("a login saves its membership even if another request changes the record meanwhile", async () => {
    const memory = new MemoryStore();
    const process = createProcess(createTown(), { store: memory });
    await logIn(process);
    process.setMember(looms, "ada", { nick: "Lovelace" });
    const save = memory.save.bind(memory);
    let refusals = 3;
    vi.spyOn(memory, "save").mockImplementation(async (key, value, options) =>
      key.startsWith("guildpass:membership-of:") && refusals-- > 0
        ? null
        : await save(key, value, options)
    );
    const { member } = await logIn(process);
    expect(refusals).toBe(-1);
    expect(await member()).toMatchObject({ nick: "Lovelace" });
  });

  test("forget deletes the membership", async () => {
    const memory = new MemoryStore();
    const process = createProcess(createTown(), { store: memory });
    await logIn(process);
    const deletes = vi.spyOn(memory, "delete");
    await process.login.forget(ada);
    const keys = deletes.mock.calls.map(([key]) => key);
    const key = keys.find((one) => one.startsWith("guildpass:membership-of:")) ?? "";
    expect(key).toMatch(/^guildpass:membership-of:[\w-]{43}$/);
    expect(await memory.load(key)).toBe(null);
  });

  test("forget deletes the token first, so that no request saves the membership again", async () => {
    const memory = new MemoryStore();
    const process = createProcess(createTown(), { store: memory, backgroundTokens: true });
    const { request, member } = await logIn(process);
    passSeconds(301);
    const late = request();
    const [load, remove] = [memory.load.bind(memory), memory.delete.bind(memory)];
    let goOn = () => {};
    const isForgotten = new Promise<void>((resolve) => goOn = resolve);
    let loads = 0;
    vi.spyOn(memory, "load").mockImplementation(async (key) => {
      if (key.startsWith("guildpass:membership-of:") && loads++ === 0) await isForgotten;
      return await load(key);
    });
    const reading = process.login.session(late);
    await vi.waitUntil(() => loads > 0);
    vi.spyOn(memory, "delete").mockImplementation(async (key) => {
      await remove(key);
      if (!key.startsWith("guildpass:membership-of:")) return;
      goOn();
      expect(await reading).toBe(null);
    });
    await process.login.forget(ada);
    expect(process.reads()).toBe(1);
    expect(await member()).toBe(null);
  });

  test("ends a session from before the option whose token lacks the scope", async () => {
    const town = createTown();
    const shared = { store: new MemoryStore(), secret: generateState() };
    const before = createProcess(town, { ...shared, members: null });
    const browser = new Browser(before as never);
    const address = new URL(await browser.begin());
    address.searchParams.set("scope", "identify");
    await browser.open(await town.fake.authorize(address.href, { as: "ada" }));
    const request = () => browser.jar.request(SITE);
    expect(await before.login.session(request())).toMatchObject({ scopes: ["identify"] });
    expect(await createProcess(town, shared).login.session(request())).toBe(null);
  });

  test("ends a session whose token the platform refuses", async () => {
    const town = createTown();
    const events: LoginEvent[] = [];
    const process = createProcess(town, { onEvent: (event) => void events.push(event) });
    const { member } = await logIn(process);
    await town.fake.removeApplication({ as: "ada" });
    passSeconds(301);
    expect(await member()).toBe(null);
    expect(events.at(-1)).toMatchObject({ kind: "session_ended", cause: "refused_token" });
    expect(await process.login.sessionsOf(ada)).toEqual([]);
  });

  test("uses nothing of one person for another", async () => {
    const town = createTown();
    const process = createProcess(town, { members: { guildId: crew }, backgroundTokens: true });
    const [first, second] = [await logIn(process, "ada"), await logIn(process, "grace")];
    town.setMember(crew, "grace", null);
    passSeconds(301);
    expect(await Promise.all([first.member(), second.member()]))
      .toEqual([expect.objectContaining({ guild_id: crew }), null]);
  });

  test("reads the membership of a session from before the option, and of another guild", async () => {
    const town = createTown();
    const shared = { store: new MemoryStore(), secret: generateState() };
    const before = createProcess(town, { ...shared, members: null });
    const { member } = await logIn(before);
    expect(await member()).toBe(null);
    expect(town.reads()).toBe(0);
    const after = createProcess(town, shared);
    const first = await Promise.all([member(after), member(after), member(after)]);
    expect(first.map((one) => one?.guild_id)).toEqual([looms, looms, looms]);
    expect(town.reads()).toBe(1);
    expect(await member(createProcess(town, { ...shared, members: { guildId: crew } })))
      .toMatchObject({ guild_id: crew });
    town.setMember(crew, "ada", { nick: "Lovelace" });
    const other = createProcess(town, { ...shared, members: { guildId: crew, checkedFor: 60 } });
    passSeconds(61);
    const both = await Promise.all([member(other), member(other)]);
    expect(both.map((one) => one?.nick)).toEqual(["Lovelace", "Lovelace"]);
    const withRole = createProcess(town, {
      ...shared,
      members: { guildId: crew, roles: [weaver] },
    });
    expect(await member(withRole)).toBe(null);
  });

  test("reads again after the clock was set back, or checkedFor was reduced", async () => {
    const town = createTown();
    const shared = { store: new MemoryStore(), secret: generateState() };
    const process = createProcess(town, shared);
    const { member } = await logIn(process);
    passSeconds(100);
    const stricter = createProcess(town, {
      ...shared,
      members: { guildId: looms, checkedFor: 60 },
    });
    await member(stricter);
    expect(town.reads()).toBe(2);
    vi.setSystemTime(Date.now() - 86_400_000);
    await member();
    expect(town.reads()).toBe(3);
    vi.setSystemTime(Date.now() - 86_400_000);
    town.member = () => json(503, {});
    expect(await thrownBy(member)).toMatchObject({ isTemporary: true });
  });

  test("takes no membership of another guild, also just before its next read", async () => {
    const town = createTown();
    const shared = { store: new MemoryStore(), secret: generateState() };
    const { member } = await logIn(createProcess(town, shared));
    passSeconds(299);
    const other = createProcess(town, { ...shared, members: { guildId: crew } });
    expect(await member(other)).toMatchObject({ guild_id: crew });
  });

  test("reads once for processes whose clocks differ by up to a minute", async () => {
    const town = createTown();
    const shared = { store: new MemoryStore(), secret: generateState() };
    const [ahead, behind] = [createProcess(town, shared), createProcess(town, shared)];
    const { member } = await logIn(ahead);
    passSeconds(361);
    const held = holdReads(town, 200, { roles: [] });
    const first = member(ahead);
    await vi.waitUntil(() => held.reads === 1);
    vi.setSystemTime(Date.now() - 59_000);
    const second = member(behind);
    await new Promise((resolve) => setTimeout(resolve, 50));
    held.respond();
    expect(await Promise.all([first, second])).toMatchObject([{ roles: [] }, { roles: [] }]);
    expect(held.reads).toBe(1);
    vi.setSystemTime(Date.now() - 62_000);
    const third = member(behind);
    await vi.waitUntil(() => held.reads === 2);
    held.respond();
    await third;
  });

  test("waits for a read of several guilds", async () => {
    const town = createTown();
    const members = [looms, crew, yard].map((guildId) => ({ guildId }));
    const shared = { store: new MemoryStore(), secret: generateState(), timeout: 1000, members };
    const [one, other] = [createProcess(town, shared), createProcess(town, shared)];
    const { member } = await logIn(one);
    passSeconds(301);
    const held = holdReads(town, 200, { roles: [] });
    const first = member(one);
    await vi.waitUntil(() => held.reads === 1);
    passSeconds(7.9);
    const second = member(other);
    await new Promise((resolve) => setTimeout(resolve, 50));
    held.respond();
    expect(await Promise.all([first, second])).toMatchObject([{ roles: [] }, { roles: [] }]);
    expect(held.reads).toBe(1);
  });

  test("brings no session back that ends during the read", async () => {
    const town = createTown();
    const process = createProcess(town);
    const { member } = await logIn(process);
    passSeconds(301);
    const held = holdReads(town, 200, { roles: [] });
    const reading = member();
    await vi.waitUntil(() => held.reads === 1);
    expect(await process.login.endAll(ada)).toBe(1);
    held.respond();
    expect(await reading).toBe(null);
    expect(await member()).toBe(null);
  });

  test("takes over from a process that ended during its read", async () => {
    const town = createTown();
    const shared = { store: new MemoryStore(), secret: generateState(), timeout: 1000 };
    const [dead, alive] = [createProcess(town, shared), createProcess(town, shared)];
    const { member } = await logIn(dead);
    passSeconds(301);
    let reads = 0;
    town.member = () => (reads++, new Promise<never>(() => {}));
    const late = member(dead);
    await vi.waitUntil(() => reads > 0);
    town.member = null;
    const waiting = member(alive);
    passSeconds(7);
    expect(await waiting).toMatchObject({ guild_id: looms });
    // Its read ends in a timeout, and changes nothing.
    expect(await late).toMatchObject({ guild_id: looms });
    passSeconds(61);
    town.member = () => Promise.reject(new Error("This is read too early"));
    expect(await member(alive)).toMatchObject({ guild_id: looms });
  });

  test("throws a temporary error to a request for which others always read", async () => {
    const town = createTown();
    const memory = new MemoryStore();
    const process = createProcess(town, { store: memory, timeout: 10 });
    const { member } = await logIn(process);
    passSeconds(301);
    // Another request is always faster.
    vi.spyOn(memory, "save").mockImplementation(() => Promise.resolve(null));
    const waiting = thrownBy(member);
    const pass = setInterval(() => passSeconds(1), 5);
    onTestFinished(() => clearInterval(pass));
    expect(await waiting).toMatchObject({ code: "timeout", isTemporary: true });
  });

  test("goes on after a fault of the store at any operation, and admits no one who has left", async () => {
    for (const hasLeft of [false, true]) {
      for (let fault = 0; fault < 12; fault++) {
        const town = createTown();
        const memory = new MemoryStore();
        let operations = Infinity;
        const run = <Value>(operation: () => Promise<Value>) =>
          operations-- === 0 ? Promise.reject(new Error("The store is down")) : operation();
        const store: Store = {
          load: (key) => run(() => memory.load(key)),
          save: (key, value, options) => run(() => memory.save(key, value, options)),
          delete: (key) => run(() => memory.delete(key)),
        };
        const process = createProcess(town, { store });
        const { member } = await logIn(process);
        if (hasLeft) town.setMember(looms, "ada", null);
        passSeconds(301);
        operations = fault;
        const first = await member().catch(() => "thrown");
        operations = Infinity;
        passSeconds(20);
        const second = await member();
        expect(second === null).toBe(hasLeft);
        if (hasLeft) expect([null, "thrown"]).toContain(first);
      }
    }
  });

  test("is read again at a consent, and refuses the consent of a former member", async () => {
    const town = createTown();
    const process = createProcess(town);
    const { browser, request, member } = await logIn(process);
    const begin = async () => {
      const response = await process.login.start(request(), { scope: ["guilds"] });
      browser.jar.store(response, new URL(SITE));
      return await town.fake.authorize(response.headers.get("location") ?? "", { as: "ada" });
    };
    town.setMember(looms, "ada", { nick: "Lovelace" });
    expect((await browser.open(await begin())).status).toBe(302);
    expect(await member()).toMatchObject({ nick: "Lovelace" });
    town.setMember(looms, "ada", null);
    expect((await browser.open(await begin())).status).toBe(403);
    passSeconds(301);
    expect(await member()).toBe(null);
  });

  test("never meets the platform's limit with one visitor and a hundred processes", async () => {
    const town = createTown();
    const shared = { store: new MemoryStore(), secret: generateState() };
    const processes = Array.from({ length: 100 }, () => createProcess(town, shared));
    const { member } = await logIn(processes[0] as Process);
    for (let minute = 0; minute < 60; minute++) {
      passSeconds(60);
      const found = await Promise.all(processes.map((process) => member(process)));
      expect(found.every((one) => one?.guild_id === looms)).toBe(true);
    }
    const reads = town.fake.requests.filter(({ path }) => path.endsWith(memberPath));
    expect(reads.filter(({ status }) => status !== 200)).toEqual([]);
    expect(reads.length).toBeLessThanOrEqual(13);
  }, 60_000);
});
