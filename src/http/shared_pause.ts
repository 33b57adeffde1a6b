/**
 * The pause of an application's refreshes in a store, so that all processes know it.
 *
 * The record is plain data without a secret. A process believes it only up to bounds, since clocks differ, and since every program with access
 * to the store can change it. A store that fails costs nothing but this knowledge.
 *
 * @module
 */

import { withTimeout } from "../core/wait.ts";
import { carefulMs, maxPauseMs, maxRefreshGapMs, sharedPauseMs } from "./waits.ts";

/** The methods of a `Store` that the pause needs. */
export interface PauseStore {
  /** Returns the value of a key with its version, or `null`. */
  load(key: string): Promise<{ readonly value: unknown; readonly version: string } | null>;
  /** Saves a value if the key still has the given version. Returns the new version, or `null` if it does not. */
  save(
    key: string,
    value: unknown,
    options: { readonly version: string | null; readonly expiresAt: number },
  ): Promise<string | null>;
}

/** The pause that a process shares with the others after a 429 or a failure of the platform. */
export interface SharedPause {
  /** The rest of the pause in milliseconds. It is not positive after the pause. */
  readonly leftMs: number;
  /** The time between two refreshes of one process after the pause, in milliseconds. */
  readonly gapMs: number;
  /** The status of the response that began the pause; 0 without a response. */
  readonly status: number;
}

/** A pause with its version in the store. */
export interface StoredPause {
  readonly pause: SharedPause | null;
  readonly version: string | null;
}

/** Reads the pause. A failing store has none. */
export async function loadPause(store: PauseStore, key: string): Promise<StoredPause> {
  const found = await unlessFailing(async () => await store.load(key));
  return { pause: readPause(found?.value), version: found?.version ?? null };
}

/** Saves a pause, unless another process has saved one since. */
export async function savePause(
  store: PauseStore,
  key: string,
  { leftMs, gapMs, status }: SharedPause,
  version: string | null,
): Promise<void> {
  const now = Date.now();
  const value = { format: 1, until: now + leftMs, duration: leftMs, gap: gapMs, status };
  const options = { version, expiresAt: now + carefulMs };
  await unlessFailing(async () => await store.save(key, value, options));
}

function readPause(value: unknown): SharedPause | null {
  const { until, duration, gap, status } = Object(value);
  if (![until, duration, gap].every(Number.isFinite) || !isStatus(status)) return null;
  // A clock may be behind, so that the pause would seem longer than it is.
  return {
    leftMs: Math.min(until - Date.now(), duration, maxPauseMs),
    gapMs: Math.min(gap, maxRefreshGapMs),
    status,
  };
}

/** Returns true for a status that begins a pause. */
function isStatus(status: unknown): boolean {
  return status === 0 || status === 429 || /^5\d\d$/.test(String(status));
}

/** Runs an operation of the store, whose methods may also throw without a promise. */
async function unlessFailing<Value>(operation: () => Promise<Value>): Promise<Value | null> {
  return await withTimeout(operation(), sharedPauseMs, Error).catch(() => null);
}
