/**
 * Logins without a store, for the tests of their memory. They need fake timers.
 *
 * @module
 */

import { expect, vi } from "vitest";
import type { TokenObj } from "../../mod.ts";
import type { Attempt } from "../../src/login/attempts.ts";
import { canRetryCallback, completeOnce } from "../../src/login/complete_once.ts";
import { type MemoryLimits, ProgressMemory } from "../../src/login/progress_memory.ts";
import { createAttempt } from "./create_attempt.ts";

/** The longest time that one step may take, in milliseconds. */
export const STEP_TIMEOUT = 10_000;

/** The error of a callback whose code was used. */
export const used = { name: "LoginError", reason: "used" };

/** Logins without a store. */
export interface MemoryLogins {
  readonly memory: ProgressMemory;
  /** The number of codes that were sent. */
  readonly counts: { exchange: number };
  /** Completes an attempt, and returns its outcome. */
  readonly logIn: (attempt: Attempt, options?: LogInOptions) => Promise<string>;
  /** Logs many people in, a number of milliseconds after each other, and returns their attempts. */
  readonly flood: (count: number, milliseconds?: number) => Promise<Attempt[]>;
}

interface LogInOptions {
  readonly outcome?: string;
  /** Further fields of the token. */
  readonly token?: object;
  /** Throws the error with which a step fails. */
  readonly fail?: (step: "exchange" | "complete") => void;
}

/** Creates a memory, and logins that use it. */
export function createLogins(limits?: MemoryLimits, stepTimeout = STEP_TIMEOUT): MemoryLogins {
  const memory = new ProgressMemory(stepTimeout, limits);
  const counts = { exchange: 0 };
  const logIn = async (
    attempt: Attempt,
    { outcome = `outcome of ${attempt.state}`, token = {}, fail = () => {} }: LogInOptions = {},
  ): Promise<string> =>
    await completeOnce<string>(memory.recordOf(attempt), STEP_TIMEOUT, {
      exchange() {
        counts.exchange++;
        fail("exchange");
        return Promise.resolve({ access_token: "t0ken", ...token } as TokenObj);
      },
      complete() {
        fail("complete");
        return Promise.resolve(outcome);
      },
      afterwards: (outcome) => ({ kind: "same", outcome }),
      restore: String,
    });
  const flood = async (count: number, milliseconds = 0): Promise<Attempt[]> => {
    const attempts: Attempt[] = [];
    for (let at = 0; at < count; at++) {
      const attempt = createAttempt();
      attempts.push(attempt);
      await logIn(attempt);
      // A fake clock is slow to set.
      if (milliseconds > 0 && at % 100 === 99) vi.setSystemTime(Date.now() + 100 * milliseconds);
    }
    return attempts;
  };
  return { memory, counts, logIn, flood };
}

/** Lets more logins than a memory has room for come within ten minutes, and checks that each code is sent once. */
export async function withstandFlood(
  { memory, counts, logIn, flood }: MemoryLogins,
  { records, bytes, marks }: MemoryLimits,
): Promise<void> {
  const count = 2 * (records + marks);
  const milliseconds = 550_000 / count;
  // These three people are on the consent page meanwhile.
  const early = createAttempt();
  const attempts = await flood(count * 0.99, milliseconds);
  const late = createAttempt();
  attempts.push(...await flood(count * 0.01, milliseconds));
  expect(Date.now()).toBeLessThan(early.startedAt + 600_000);
  expect(counts.exchange).toBe(count);

  const { size } = memory;
  expect(size.records).toBe(records);
  expect(size.bytes).toBeLessThanOrEqual(bytes);
  expect(size.marks).toBeGreaterThan(marks);
  expect(size.marks).toBeLessThanOrEqual(2 * marks);

  const last = attempts.splice(-records);
  const reasons = new Map<string, number>();
  for (const attempt of attempts) {
    const reason = await logIn(attempt).catch((error) => error.reason);
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  expect(reasons).toEqual(new Map([["used", count - records]]));
  for (const attempt of last) expect(await logIn(attempt)).toBe(`outcome of ${attempt.state}`);
  // Nobody knows any more whether this code was sent.
  await expect(logIn(early)).rejects.toMatchObject(used);
  expect(await canRetryCallback(memory.recordOf(early))).toBe(false);
  expect(counts.exchange).toBe(count);

  for (const attempt of [late, createAttempt()]) {
    expect(await logIn(attempt)).toBe(`outcome of ${attempt.state}`);
  }
  expect(counts.exchange).toBe(count + 2);
  expect(memory.size.records).toBe(records);
}
