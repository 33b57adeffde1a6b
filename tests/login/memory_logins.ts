/**
 * Logins without a store, for the tests of their memory. They need fake timers.
 *
 * @module
 */

import { expect, vi } from "vitest";
import type { TokenObj } from "../../mod.ts";
import type { PendingLogin } from "../../src/login/base/pending_login.ts";
import { canRetryCallback } from "../../src/login/callback/exchange_once.ts";
import { type MemoryLimits, ProgressMemory } from "../../src/login/callback/progress_memory.ts";
import { createPendingLogin } from "./create_pending_login.ts";
import { finishWith } from "./exchange_steps.ts";

/** The longest time that one step may take, in milliseconds. */
export const STEP_TIMEOUT = 10_000;

/** The error of a callback whose code was used. */
export const used = { name: "LoginError", reason: "used" };

/** Logins without a store. */
export interface MemoryLogins {
  readonly memory: ProgressMemory;
  /** The number of codes that were sent. */
  readonly counts: { exchange: number };
  /** Completes a login, and returns its outcome. */
  readonly logIn: (pending: PendingLogin, options?: LogInOptions) => Promise<string>;
  /** Logs many people in, a number of milliseconds after each other, and returns their pending logins. */
  readonly flood: (count: number, milliseconds?: number) => Promise<PendingLogin[]>;
}

interface LogInOptions {
  readonly outcome?: string;
  /** Further fields of the token. */
  readonly token?: object;
  /** Throws the error with which a step fails. */
  readonly fail?: (step: "exchange" | "createSession") => void;
}

/** Creates a memory, and logins that use it. */
export function createLogins(limits?: MemoryLimits, maxStepMs = STEP_TIMEOUT): MemoryLogins {
  const memory = new ProgressMemory(maxStepMs, limits);
  const counts = { exchange: 0 };
  const logIn = async (
    pending: PendingLogin,
    { outcome = `outcome of ${pending.state}`, token = {}, fail = () => {} }: LogInOptions = {},
  ): Promise<string> =>
    await finishWith<string>(memory.recordOf(pending), STEP_TIMEOUT, {
      exchange() {
        counts.exchange++;
        fail("exchange");
        return Promise.resolve({ access_token: "t0ken", ...token } as TokenObj);
      },
      createSession() {
        fail("createSession");
        return Promise.resolve(outcome);
      },
      afterwards: (outcome) => ({ kind: "same", outcome }),
      restore: String,
    });
  const flood = async (count: number, milliseconds = 0): Promise<PendingLogin[]> => {
    const pendingLogins: PendingLogin[] = [];
    for (let at = 0; at < count; at++) {
      const pending = createPendingLogin();
      pendingLogins.push(pending);
      await logIn(pending);
      // A fake clock is slow to set.
      if (milliseconds > 0 && at % 100 === 99) vi.setSystemTime(Date.now() + 100 * milliseconds);
    }
    return pendingLogins;
  };
  return { memory, counts, logIn, flood };
}

/** Lets more logins than a memory has room for come within ten minutes, and checks that each code is sent once. */
export async function withstandFlood(
  { memory, counts, logIn, flood }: MemoryLogins,
  { maxRecords, maxBytes, maxMarks }: MemoryLimits,
): Promise<void> {
  const count = 2 * (maxRecords + maxMarks);
  const milliseconds = 550_000 / count;
  // These three people are on the consent page meanwhile.
  const early = createPendingLogin();
  const pendingLogins = await flood(count * 0.99, milliseconds);
  const late = createPendingLogin();
  pendingLogins.push(...await flood(count * 0.01, milliseconds));
  expect(Date.now()).toBeLessThan(early.startedAt + 600_000);
  expect(counts.exchange).toBe(count);

  const { size } = memory;
  expect(size.records).toBe(maxRecords);
  expect(size.bytes).toBeLessThanOrEqual(maxBytes);
  expect(size.marks).toBeGreaterThan(maxMarks);
  expect(size.marks).toBeLessThanOrEqual(2 * maxMarks);

  const last = pendingLogins.splice(-maxRecords);
  const reasons = new Map<string, number>();
  for (const pending of pendingLogins) {
    const reason = await logIn(pending).catch((error) => error.reason);
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  expect(reasons).toEqual(new Map([["used", count - maxRecords]]));
  for (const pending of last) expect(await logIn(pending)).toBe(`outcome of ${pending.state}`);
  // It is not known any more whether this code was sent.
  await expect(logIn(early)).rejects.toMatchObject(used);
  expect(await canRetryCallback(memory.recordOf(early))).toBe(false);
  expect(counts.exchange).toBe(count);

  for (const pending of [late, createPendingLogin()]) {
    expect(await logIn(pending)).toBe(`outcome of ${pending.state}`);
  }
  expect(counts.exchange).toBe(count + 2);
  expect(memory.size.records).toBe(maxRecords);
}
