import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  generateCodeVerifier,
  generateState,
  NetworkError,
  RateLimitError,
  type TokenObj,
} from "../../../mod.ts";
import type { PendingLogin } from "../../../src/login/base/pending_login.ts";
import { refusedNewTokenError } from "../../../src/login/base/login_error.ts";
import { sampleApplication } from "../../../src/testing/mod.ts";
import { leaksOf } from "../../support/leaks.ts";
import { createPendingLogin } from "../create_pending_login.ts";
import { finishWith } from "../exchange_steps.ts";
import { createLogins, STEP_TIMEOUT, used, withstandFlood } from "../memory_logins.ts";
import { Browser, createApp, exchanges } from "../test_app.ts";

const START = Date.UTC(2030, 0, 1);
const MINUTE = 60_000;

/** Small bounds, which a few logins reach. */
const limits = { maxRecords: 50, maxBytes: 100_000, maxMarks: 500 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout"], now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

function failWith(error: Error): { readonly fail: () => never } {
  return {
    fail: () => {
      throw error;
    },
  };
}

describe("In a flood of logins within ten minutes,", () => {
  test("the memory is bounded, no code is sent twice, and the last callbacks end the same when they are opened again", async () => {
    await withstandFlood(createLogins(limits), limits);
  });

  test("the memory forgets all of them when their logins have expired", async () => {
    const { memory, flood } = createLogins(limits);
    await flood(200);
    expect(memory.size).toMatchObject({ records: limits.maxRecords, marks: 150 });
    vi.setSystemTime(Date.now() + 11 * MINUTE);
    await flood(1);
    expect(memory.size).toMatchObject({ records: 1, marks: 150 });
    // The marks go when others take their place, twice.
    await flood(limits.maxRecords);
    vi.setSystemTime(Date.now() + 11 * MINUTE);
    await flood(limits.maxRecords + 1);
    expect(memory.size).toMatchObject({ records: limits.maxRecords, marks: 2 });
  });

  test("an unknown login counts as used only if it did not begin after those that are forgotten", async () => {
    const { counts, logIn, flood } = createLogins(limits);
    const [last, before] = [createPendingLogin(), createPendingLogin()];
    // All begin at the same time.
    await flood(limits.maxRecords + 2 * limits.maxMarks);
    // There is room for every mark, and this login needs another one.
    expect(await logIn(last)).toBe(`outcome of ${last.state}`);
    const sent = counts.exchange;
    await expect(logIn(before)).rejects.toMatchObject(used);
    await expect(logIn(createPendingLogin())).rejects.toMatchObject(used);
    vi.setSystemTime(Date.now() + 1);
    await logIn(createPendingLogin());
    expect(counts.exchange).toBe(sent + 1);
  });
});

describe("After a clock that was ahead of the time has gone back,", () => {
  const [HOUR, count] = [60 * MINUTE, limits.maxRecords + 2 * limits.maxMarks + 1];

  test("a new login works at once, and the code of a forgotten one is not sent again", async () => {
    const { counts, logIn, flood } = createLogins(limits);
    vi.setSystemTime(START + HOUR);
    const [forgotten] = await flood(count, 1);
    vi.setSystemTime(START + 1);
    const waiting = { ...createPendingLogin(), startedAt: START };
    await expect(logIn(waiting)).rejects.toMatchObject(used);
    const sent = counts.exchange;
    for (const at of [1, MINUTE, HOUR - 2]) {
      vi.setSystemTime(START + 1 + at);
      await logIn(createPendingLogin());
      await expect(logIn(forgotten ?? expect.fail("there is none"))).rejects.toMatchObject(used);
    }
    expect(counts.exchange).toBe(sent + 3);
  });

  test("a new login also works when the last marks of that time are dropped", async () => {
    const { counts, logIn, flood } = createLogins(limits);
    vi.setSystemTime(START + HOUR);
    await flood(count);
    vi.setSystemTime(START);
    const refused: number[] = [];
    for (let at = 1; at <= count; at++) {
      vi.setSystemTime(START + at);
      await logIn(createPendingLogin()).catch(() => refused.push(at));
    }
    // Only those that had begun when the memory noticed the clock begin again.
    expect(refused.length).toBeLessThanOrEqual(3);
    expect(counts.exchange).toBe(2 * count - refused.length);
  });

  test("which was by two minutes at most, unknown logins count as used until it is there again", async () => {
    const { counts, logIn, flood } = createLogins(limits);
    vi.setSystemTime(START + 2 * MINUTE);
    await flood(count);
    vi.setSystemTime(START);
    await expect(logIn(createPendingLogin())).rejects.toMatchObject(used);
    vi.setSystemTime(START + 2 * MINUTE + 1);
    await logIn(createPendingLogin());
    expect(counts.exchange).toBe(count + 1);
  });
});

describe("When there are more logins than records,", () => {
  test("those whose code can be sent again stay, and completed ones make room", async () => {
    const { counts, logIn, flood } = createLogins(limits);
    const postponed = createPendingLogin();
    const busy = new RateLimitError("busy", { httpStatus: 429, retryAfter: 5 });
    await expect(logIn(postponed, failWith(busy))).rejects.toBe(busy);
    const offline = createPendingLogin();
    const noConnection = new NetworkError("down", { mayHaveArrived: false });
    await expect(logIn(offline, failWith(noConnection))).rejects.toBe(noConnection);
    const [first] = await flood(2 * limits.maxRecords);
    expect(first && await logIn(first).catch(({ reason }) => reason)).toBe("used");
    vi.setSystemTime(Date.now() + 5000);
    const sent = counts.exchange;
    expect(await logIn(postponed)).toBe(`outcome of ${postponed.state}`);
    expect(await logIn(offline)).toBe(`outcome of ${offline.state}`);
    expect(counts.exchange).toBe(sent + 2);
  });

  test("those with a code that can be sent again stay beside as many ended ones, in a login or not", async () => {
    const { logIn, flood } = createLogins({ ...limits, maxRecords: 5 });
    const postponed = [createPendingLogin(), createPendingLogin()];
    const busy = new RateLimitError("busy", { httpStatus: 429, retryAfter: 5 });
    for (const pending of postponed) {
      await expect(logIn(pending, failWith(busy))).rejects.toBe(busy);
    }
    const lost = new NetworkError("lost");
    await expect(logIn(createPendingLogin(), failWith(lost))).rejects.toBe(lost);
    await flood(3);
    vi.setSystemTime(Date.now() + 5000);
    for (const pending of postponed) {
      expect(await logIn(pending)).toBe(`outcome of ${pending.state}`);
    }
  });

  test("those that wait make room too if they are the majority", async () => {
    const { memory, counts, logIn, flood } = createLogins(limits);
    const [completed] = await flood(1);
    const pendingLogins: PendingLogin[] = [];
    for (let at = 0; at < 2 * limits.maxRecords; at++) {
      const pending = createPendingLogin();
      pendingLogins.push(pending);
      // Their token is kept for when the callback is opened again.
      const fail = (step: string) => {
        if (step === "createSession") throw new Error("down");
      };
      await expect(logIn(pending, { fail })).rejects.toThrow("down");
    }
    expect(memory.size.records).toBe(limits.maxRecords);
    const [oldest, newest] = [pendingLogins[0], pendingLogins.at(-1)];
    expect(oldest && await logIn(oldest).catch(({ reason }) => reason)).toBe("used");
    expect(newest && await logIn(newest)).toBe(`outcome of ${newest?.state}`);
    expect(completed && await logIn(completed)).toBe(`outcome of ${completed?.state}`);
    expect(counts.exchange).toBe(2 * limits.maxRecords + 1);
  });

  test("a login under way ends well, and a second request for it sends no code", async () => {
    const { counts, memory, logIn } = createLogins(limits);
    const pending = createPendingLogin();
    const { promise, resolve } = Promise.withResolvers<void>();
    const record = memory.recordOf(pending);
    const first = finishWith<string>(record, STEP_TIMEOUT, {
      exchange: async () => {
        await promise;
        return { access_token: "t0ken" } as TokenObj;
      },
      createSession: () => Promise.resolve("welcome"),
      afterwards: (outcome) => ({ kind: "same", outcome }),
      restore: String,
    });
    for (let at = 0; at < limits.maxRecords; at++) {
      void logIn(createPendingLogin(), { fail: () => {} });
    }
    await expect(logIn(pending)).rejects.toMatchObject(used);
    resolve();
    expect(await first).toBe("welcome");
    await expect(logIn(pending)).rejects.toMatchObject(used);
    expect(counts.exchange).toBe(limits.maxRecords);
  });
});

/** The bound of a memory for which no other one is given, in bytes. */
const MAX_BYTES = 8 * 1024 * 1024;

describe("When the outcomes are large,", () => {
  test("the oldest ones make room, by their bytes", async () => {
    const { memory, counts, logIn } = createLogins();
    const pendingLogins = Array.from({ length: 100 }, createPendingLogin);
    const outcome = "x".repeat(100_000);
    for (const pending of pendingLogins) await logIn(pending, { outcome });
    const { records, bytes, marks } = memory.size;
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
    // A character may take two bytes.
    expect(records).toBe(Math.floor(MAX_BYTES / 200_500));
    expect(marks).toBe(100 - records);
    for (const [at, pending] of pendingLogins.entries()) {
      const again = await logIn(pending).catch(({ reason }) => reason);
      expect(again).toBe(at < 100 - records ? "used" : outcome);
    }
    expect(counts.exchange).toBe(100);
  });

  test("one that is larger than all the memory pushes out no other one", async () => {
    const { memory, counts, logIn, flood } = createLogins();
    const [other] = await flood(1);
    // With a guild of this size, the token is not kept for later. The outcome has no guild.
    const pending = createPendingLogin();
    const token = { guild: { name: "x".repeat(MAX_BYTES) } };
    expect(await logIn(pending, { token })).toBe(`outcome of ${pending.state}`);
    expect(await logIn(pending)).toBe(`outcome of ${pending.state}`);
    expect(other && await logIn(other)).toBe(`outcome of ${other?.state}`);
    const tooLarge = createPendingLogin();
    expect(await logIn(tooLarge, { outcome: "x".repeat(MAX_BYTES) })).toHaveLength(MAX_BYTES);
    await expect(logIn(tooLarge)).rejects.toMatchObject(used);
    expect(counts.exchange).toBe(3);
    expect(memory.size.bytes).toBeLessThan(2000);
  });
});

test("The memory keeps a login for its lifetime, two steps and half a minute", async () => {
  const { memory, flood } = createLogins(limits);
  await flood(1);
  vi.setSystemTime(START + 10 * MINUTE + 2 * STEP_TIMEOUT + 29_999);
  await flood(1);
  expect(memory.size.records).toBe(2);
  vi.setSystemTime(START + 10 * MINUTE + 2 * STEP_TIMEOUT + 30_000);
  await flood(1);
  expect(memory.size.records).toBe(2);
});

test("A request that waits longer than the lifetime of its login does not send the code of another request", async () => {
  const { memory, logIn } = createLogins(limits, 5 * MINUTE);
  const pending = createPendingLogin();
  vi.setSystemTime(START + 10 * MINUTE - 1);
  const { promise, resolve } = Promise.withResolvers<void>();
  let exchanges = 0;
  const finish = async () =>
    await finishWith<string>(memory.recordOf(pending), 5 * MINUTE, {
      exchange: async () => {
        exchanges++;
        await promise;
        return { access_token: "t0ken" } as TokenObj;
      },
      createSession: () => Promise.resolve("welcome"),
      afterwards: (outcome) => ({ kind: "same", outcome }),
      restore: String,
    });
  const both = Promise.all([finish(), finish()]);
  await vi.advanceTimersByTimeAsync(2 * MINUTE);
  // A new login makes the memory forget what has expired.
  await logIn(createPendingLogin());
  await vi.advanceTimersByTimeAsync(2 * MINUTE);
  resolve();
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(await both).toEqual(["welcome", "welcome"]);
  expect(exchanges).toBe(1);
});

test("The memory keeps the reason why a login has failed, and saves nothing over another version", async () => {
  const { memory, logIn } = createLogins(limits);
  const pending = createPendingLogin();
  expect(await memory.recordOf(pending).load()).toEqual({ progress: null, version: null });
  const refused = {
    fail: (step: string) => {
      if (step === "createSession") throw refusedNewTokenError();
    },
  };
  await expect(logIn(pending, refused)).rejects.toMatchObject({ reason: "refused_token" });
  await expect(logIn(pending)).rejects.toMatchObject({ reason: "refused_token" });
  const record = memory.recordOf(pending);
  const { progress, version } = await record.load();
  expect(progress).toEqual({ status: "failed", reason: "refused_token" });
  for (const other of [null, "0", `${version}0`]) {
    expect(await record.save({ status: "done", outcome: 1 }, other)).toBeNull();
  }
  expect(await record.load()).toEqual({ progress, version });
});

describe("Without a store, a login", () => {
  test("encrypts its two cookies and nothing else", async () => {
    vi.useRealTimers();
    const app = createApp();
    const browser = new Browser(app);
    const encrypt = vi.spyOn(crypto.subtle, "encrypt");
    const derive = vi.spyOn(crypto.subtle, "deriveBits");
    await browser.open(await browser.consent());
    expect(encrypt).toHaveBeenCalledTimes(2);
    // The key of the cookies serves all logins.
    expect(derive).toHaveBeenCalledTimes(1);
    await browser.open(await browser.consent());
    expect(encrypt).toHaveBeenCalledTimes(4);
    expect(derive).toHaveBeenCalledTimes(1);
    vi.restoreAllMocks();
  });

  test("shows nothing of what it keeps, however it is printed", async () => {
    vi.useRealTimers();
    const secret = generateState();
    const app = createApp({ secret });
    const browser = new Browser(app);
    const callback = await browser.consent();
    const { token, headers } = await app.login.finish(browser.jar.request(callback));
    const { searchParams } = new URL(callback);
    const form = app.fake.requests.find(({ path }) => path.endsWith("/oauth2/token"))?.body;
    const { code_verifier = "" } = form as { readonly code_verifier?: string };
    expect(code_verifier).toHaveLength(generateCodeVerifier().length);
    const secrets = [
      secret,
      sampleApplication.secret,
      searchParams.get("code") ?? "",
      searchParams.get("state") ?? "",
      code_verifier,
      token.access_token,
      token.refresh_token ?? "",
      ...headers.getSetCookie().filter((cookie) => cookie.includes("session=")),
    ];
    expect(secrets).toHaveLength(8);
    expect(leaksOf(app.login, secrets)).toEqual([]);
    expect(leaksOf(Object.values(app.login), secrets)).toEqual([]);
    expect(exchanges(app)).toBe(1);
  });
});
