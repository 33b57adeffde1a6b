import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { generateCodeVerifier, MemoryStore, type TokenObj } from "../../../mod.ts";
import {
  clearProgress,
  type Progress,
  storedProgress,
  withProgress,
} from "../../../src/login/sessions/login_progress.ts";
import { digestOf } from "../../../src/stores/digest.ts";
import { createSealer } from "../../../src/stores/sealed.ts";
import { createPendingLogin } from "../create_pending_login.ts";

const pending = createPendingLogin();
const key = `guildpass:attempt:${await digestOf(pending.state)}`;

const all: readonly Progress[] = [
  { status: "exchanging", until: 2, firstSentAt: 1, claim: "c1" },
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
    expect(await storedProgress(store, pending, 10_000).load()).toEqual({
      progress: null,
      version: null,
    });
    const version = await storedProgress(store, pending, 10_000).save(progress, null);
    expect(await storedProgress(store, pending, 10_000).load()).toMatchObject({
      progress,
      version,
    });
    expect(await storedProgress(store, pending, 10_000).save(progress, null)).toBeNull();
    const shown = JSON.stringify(await store.load(key));
    expect(shown).toContain(`"format":2,"status":"${progress.status}"`);
    for (const secret of [pending.state, pending.codeVerifier, "t0ken"]) {
      expect(shown).not.toContain(secret);
    }
  },
);

test("A record in a store outlives its login, however clocks differ by a minute", async () => {
  const store = new MemoryStore();
  const record = storedProgress(store, pending, 10_000);
  await record.save({ status: "failed", reason: "used" }, null);
  vi.setSystemTime(Date.now() + 719_999);
  expect((await record.load()).progress).not.toBeNull();
  vi.setSystemTime(Date.now() + 1);
  expect((await record.load()).progress).toBeNull();
});

test("The verifier of the login opens the outcome in a store", async () => {
  const store = new MemoryStore();
  await storedProgress(store, pending, 10_000).save({ status: "done", outcome: ["welcome"] }, null);
  const { sealedOutcome } = Object((await store.load(key))?.value);
  const sealer = createSealer("codeVerifier", pending.codeVerifier, "login attempt");
  expect(await sealer.open("outcome", sealedOutcome)).toEqual(["welcome"]);
});

test("A record in another format counts as used", async () => {
  const store = new MemoryStore();
  const version = await store.save(key, { format: 1, status: "postponed" }, { version: null });
  const progress = { status: "failed", reason: "used" };
  expect(await storedProgress(store, pending, 10_000).load()).toEqual({ progress, version });
});

test.each(all.slice(2, 4))(
  "A record of another login in the store counts as used: $status",
  async (progress) => {
    const store = new MemoryStore();
    const other = { ...pending, codeVerifier: generateCodeVerifier() };
    const version = await storedProgress(store, other, 10_000).save(progress, null);
    const used = { status: "failed", reason: "used" };
    expect(await storedProgress(store, pending, 10_000).load()).toEqual({
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
    const record = storedProgress(store, createPendingLogin(), 10_000);
    await record.save({ status: "exchanged", token, until: 0 }, null);
    const key = save.mock.calls[0]?.[0] ?? "";
    save.mockClear();
    return { store, save, key, digest: key.replace("guildpass:attempt:", "") };
  }

  test("leaves that the code was used, and nothing else", async () => {
    const { store, key, digest, save } = await savedProgress();
    await clearProgress(store, { digest, at: Date.now() });
    const used = { format: 2, status: "failed", reason: "used" };
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
