import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { generateCodeVerifier, MemoryStore, type TokenObj } from "../../../mod.ts";
import type { PendingLogin } from "../../../src/login/base/pending_login.ts";
import { canRetryCallback } from "../../../src/login/callback/exchange_once.ts";
import {
  clearProgress,
  type Progress,
  ProgressMemory,
  ProgressRecord,
  withProgress,
} from "../../../src/login/sessions/login_progress.ts";
import { digestOf } from "../../../src/stores/names.ts";
import { createSealer } from "../../../src/stores/sealed.ts";
import { createPendingLogin } from "../create_pending_login.ts";
import { finishWith } from "../exchange_steps.ts";

const pending = createPendingLogin();
const codeDigest = await digestOf("c0de");
const key = `guildpass:progress:${await digestOf(pending.state)}`;

const all: readonly Progress[] = [
  { status: "exchanging", until: 2, firstSentAt: 1, sender: "c1" },
  { status: "postponed", until: 2, firstSentAt: 1, blockedByEdge: true },
  { status: "exchanged", until: 2, token: { access_token: "t0ken" } as TokenObj },
  { status: "done", outcome: { welcome: "t0ken" } },
  { status: "failed", reason: "refused_token" },
];

const minutes = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test.each(all)(
  "A record in a store keeps the progress $status, and shows no secret of it",
  async (progress) => {
    const store = new MemoryStore();
    expect(await new ProgressRecord(store, pending, "c0de").load()).toEqual({
      progress: null,
      version: null,
    });
    const version = await new ProgressRecord(store, pending, "c0de").save(progress, null);
    expect(await new ProgressRecord(store, pending, "c0de").load()).toMatchObject({
      progress,
      version,
    });
    expect(await new ProgressRecord(store, pending, "c0de").save(progress, null)).toBeNull();
    const shown = JSON.stringify(await store.load(key));
    expect(shown).toContain(`"format":3,"code":"${codeDigest}","status":"${progress.status}"`);
    for (const secret of [pending.state, pending.codeVerifier, "t0ken", "c0de"]) {
      expect(shown).not.toContain(secret);
    }
  },
);

test("A record in a store outlives its login, however clocks differ by a minute", async () => {
  const store = new MemoryStore();
  const record = new ProgressRecord(store, pending, "c0de");
  await record.save({ status: "failed", reason: "used" }, null);
  vi.setSystemTime(Date.now() + 719_999);
  expect((await record.load()).progress).not.toBeNull();
  vi.setSystemTime(Date.now() + 1);
  expect((await record.load()).progress).toBeNull();
});

test("The verifier of the login opens the outcome in a store", async () => {
  const store = new MemoryStore();
  await new ProgressRecord(store, pending, "c0de").save(
    { status: "done", outcome: ["welcome"] },
    null,
  );
  const { sealedOutcome } = Object((await store.load(key))?.value);
  const sealer = createSealer(pending.codeVerifier, "login progress");
  expect(await sealer.open("outcome", sealedOutcome)).toEqual(["welcome"]);
});

test("A record in another format counts as used", async () => {
  const store = new MemoryStore();
  const version = await store.save(key, { format: 1, status: "postponed" }, { version: null });
  const progress = { status: "failed", reason: "used" };
  expect(await new ProgressRecord(store, pending, "c0de").load()).toEqual({ progress, version });
});

test.each(all.slice(2, 4))(
  "A record of another login in the store counts as used: $status",
  async (progress) => {
    const store = new MemoryStore();
    const other = { ...pending, codeVerifier: generateCodeVerifier() };
    const version = await new ProgressRecord(store, other, "c0de").save(progress, null);
    const used = { status: "failed", reason: "used" };
    expect(await new ProgressRecord(store, pending, "c0de").load()).toEqual({
      progress: used,
      version,
    });
  },
);

describe("clearProgress()", () => {
  async function savedProgress() {
    const store = new MemoryStore();
    const save = vi.spyOn(store, "save");
    const token = { access_token: "t0ken" } as TokenObj;
    const record = new ProgressRecord(store, createPendingLogin(), "c0de");
    await record.save({ status: "exchanged", token, until: 0 }, null);
    const key = save.mock.calls[0]?.[0] ?? "";
    save.mockClear();
    return { store, save, key, digest: key.replace("guildpass:progress:", "") };
  }

  test("leaves that the code was used, and nothing else", async () => {
    const { store, key, digest, save } = await savedProgress();
    await clearProgress(store, { digest, at: Date.now() });
    const used = { format: 3, status: "failed", reason: "used" };
    expect((await store.load(key))?.value).toEqual(used);
    await clearProgress(store, { digest, at: Date.now() });
    expect(save).toHaveBeenCalledTimes(1);
  });

  test("looks again when the login saves its progress at the same moment", async () => {
    const { store, key, digest, save } = await savedProgress();
    save.mockResolvedValueOnce(null);
    await clearProgress(store, { digest, at: Date.now() });
    expect((await store.load(key))?.value).toMatchObject({ status: "failed" });
  });

  test("asks the store nothing about a login of thirteen minutes ago, whose record is gone", async () => {
    const store = new MemoryStore();
    const load = vi.spyOn(store, "load");
    await clearProgress(store, { digest: "d1", at: Date.now() - 13 * minutes - 1 });
    expect(load).not.toHaveBeenCalled();
  });

  test("changes nothing without a record", async () => {
    const store = new MemoryStore();
    await clearProgress(store, { digest: "d1", at: Date.now() - 13 * minutes + 1000 });
    expect(store.size).toBe(0);
  });
});

describe("withProgress()", () => {
  test("adds a record once, and drops those of thirteen minutes ago", () => {
    const old = { digest: "old", at: Date.now() };
    vi.setSystemTime(Date.now() + 1);
    const recent = { digest: "recent", at: Date.now() };
    vi.setSystemTime(Date.now() + 13 * minutes);
    const added = { digest: "added", at: Date.now() };
    expect(withProgress([old, recent], added)).toEqual([recent, added]);
    expect(withProgress([recent, added], added)).toEqual([recent, added]);
  });
});

describe("The memory for the progress of logins without a store", () => {
  const START = Date.UTC(2030, 0, 1);
  const STEP_TIMEOUT = 10_000;
  const used = { name: "LoginError", reason: "used" };
  /** Room for about 65 logins that have just ended. */
  const maxBytes = 50_000;

  beforeEach(() => {
    vi.setSystemTime(START);
  });

  /** Creates a memory, and logins that use it. */
  function createLogins(maxBytes?: number) {
    const memory = new ProgressMemory(maxBytes);
    const counts = { exchange: 0 };
    const logIn = async (
      pending: PendingLogin,
      { exchange = () => Promise.resolve({ access_token: "t0ken" } as TokenObj) } = {},
    ): Promise<string> =>
      await finishWith<string>(memory.storeOf(pending), pending, STEP_TIMEOUT, {
        async exchange() {
          counts.exchange++;
          return await exchange();
        },
        createSession: () => Promise.resolve(`outcome of ${pending.state}`),
        progressAfter: (outcome) => ({ status: "done", outcome }),
        restore: String,
      });
    /** Logs many people in, a number of milliseconds after each other, and returns their pending logins. */
    const flood = async (count: number, milliseconds = 1): Promise<PendingLogin[]> => {
      const pendingLogins: PendingLogin[] = [];
      for (let at = 0; at < count; at++) {
        const pending = createPendingLogin();
        pendingLogins.push(pending);
        await logIn(pending);
        vi.setSystemTime(Date.now() + milliseconds);
      }
      return pendingLogins;
    };
    return { memory, counts, logIn, flood };
  }

  test("is bounded in a flood, no code is sent twice, and the last callbacks end the same when they are opened again", async () => {
    const { memory, counts, logIn, flood } = createLogins(maxBytes);
    const early = createPendingLogin();
    const pendingLogins = await flood(300, 1000);
    const { records, bytes } = memory.size;
    expect(records).toBeGreaterThan(50);
    expect(records).toBeLessThan(80);
    expect(bytes).toBeLessThanOrEqual(maxBytes);
    const ends: string[] = [];
    for (const pending of pendingLogins) {
      ends.push(await logIn(pending).catch(({ reason }) => reason));
    }
    const last = pendingLogins.slice(-records).map(({ state }) => `outcome of ${state}`);
    expect(ends).toEqual([...pendingLogins.slice(records).map(() => "used"), ...last]);
    // It is not known any more whether this code was sent.
    await expect(logIn(early)).rejects.toMatchObject(used);
    expect(await canRetryCallback(new ProgressRecord(memory.storeOf(early), early, "c0de"))).toBe(
      false,
    );
    expect(counts.exchange).toBe(300);
    const late = createPendingLogin();
    expect(await logIn(late)).toBe(`outcome of ${late.state}`);
    expect(counts.exchange).toBe(301);
  });

  test("has room for 16 MiB", async () => {
    const memory = new ProgressMemory();
    const value = "x".repeat(99_498);
    for (let at = 0; at < 200; at++) {
      await memory.storeOf(pending).save(`key ${at}`, value, { version: null });
    }
    expect(memory.size).toEqual({ records: 167, bytes: 167 * 100_000 });
  });

  test("forgets expired logins, and then refuses no login that was on the consent page meanwhile", async () => {
    const { memory, logIn, flood } = createLogins(maxBytes);
    await flood(30);
    const early = { ...createPendingLogin(), startedAt: START };
    vi.setSystemTime(START + 12 * minutes + 29);
    await flood(30);
    expect(memory.size.records).toBe(30);
    expect(await logIn(early)).toBe(`outcome of ${early.state}`);
  });

  test("lets a login under way end well when its record makes room, and sends no code for a second request", async () => {
    const { counts, logIn, flood } = createLogins(maxBytes);
    const pending = createPendingLogin();
    const { promise, resolve } = Promise.withResolvers<TokenObj>();
    const first = logIn(pending, { exchange: () => promise });
    await flood(100);
    await expect(logIn(pending)).rejects.toMatchObject(used);
    resolve({ access_token: "t0ken" } as TokenObj);
    expect(await first).toBe(`outcome of ${pending.state}`);
    await expect(logIn(pending)).rejects.toMatchObject(used);
    expect(counts.exchange).toBe(101);
  });

  test("keeps nothing of an outcome that is larger than the memory, and sends its code once", async () => {
    const { memory, counts, logIn } = createLogins(500);
    expect(await logIn(pending)).toBe(`outcome of ${pending.state}`);
    await expect(logIn(pending)).rejects.toMatchObject(used);
    expect(memory.size).toEqual({ records: 0, bytes: 0 });
    expect(counts.exchange).toBe(1);
  });

  test("does not lock everybody out after a clock that was an hour ahead has gone back", async () => {
    const { counts, logIn, flood } = createLogins(maxBytes);
    vi.setSystemTime(START + 60 * minutes);
    await flood(100);
    vi.setSystemTime(START);
    // The memory notices the clock, and does not know when this login began.
    await expect(logIn(createPendingLogin())).rejects.toMatchObject(used);
    vi.setSystemTime(START + 1);
    await logIn(createPendingLogin());
    expect(counts.exchange).toBe(101);
  });

  test("refuses unknown logins for the two minutes at most by which a clock was ahead", async () => {
    const { counts, logIn, flood } = createLogins(maxBytes);
    vi.setSystemTime(START + 2 * minutes);
    await flood(100);
    vi.setSystemTime(START);
    await expect(logIn(createPendingLogin())).rejects.toMatchObject(used);
    vi.setSystemTime(START + 2 * minutes + 1);
    await logIn(createPendingLogin());
    expect(counts.exchange).toBe(101);
  });

  test("saves nothing over another version", async () => {
    const { memory } = createLogins();
    const record = new ProgressRecord(memory.storeOf(pending), pending, "c0de");
    const version = await record.save({ status: "failed", reason: "refused_token" }, null);
    for (const other of [null, "0", `${version}0`]) {
      expect(await record.save({ status: "done", outcome: 1 }, other)).toBeNull();
    }
    const progress = { status: "failed", reason: "refused_token" };
    expect(await record.load()).toMatchObject({ progress, version });
  });
});
