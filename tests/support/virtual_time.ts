/**
 * Time that advances only between tasks. It makes tests of long waits quick and repeatable.
 *
 * @module
 */

import { onTestFinished, vi } from "vitest";
// Their first use loads these in real time. Loaded here, they take no virtual time.
import "ky";
import "../../src/api/command_permissions.ts";
import "../../src/api/linked_roles.ts";
import "../../src/api/open_request.ts";
import "../../src/login/sessions/api_clients.ts";
import "../../src/login/callback/callbacks.ts";
import "../../src/login/callback/id_token_subject.ts";
import "../../src/login/pages/messages.ts";
import "../../src/login/sessions/store_sessions.ts";
import "../../src/openid/signed_token.ts";

/** The real `setImmediate`: reading a body takes a few turns of the real event loop. */
const { setImmediate } = globalThis;

/** Replaces the clock of the running test. Time advances only in {@link untilDone}. */
export function useVirtualTime(): void {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
}

/** Advances time from timer to timer until a promise has settled. After {@link watchCrypto}, time stands still while Web Crypto works. */
export async function untilDone<Result>(promise: Promise<Result>): Promise<Result> {
  let isSettled = false;
  const settle = () => void (isSettled = true);
  promise.then(settle, settle);
  while (true) {
    for (let turn = 0; turn < 10; turn = cryptoOperations > 0 ? 0 : turn + 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (isSettled) return await promise;
    await vi.advanceTimersToNextTimerAsync();
  }
}

const realSetTimeout = setTimeout;

/** The number of Web Crypto operations under way. They take real time. Virtual time waits for them. */
let cryptoOperations = 0;

/** Counts the operations of Web Crypto, for {@link untilDone} and {@link settled}. */
export function watchCrypto(): void {
  const names = [
    "decrypt",
    "deriveBits",
    "deriveKey",
    "digest",
    "encrypt",
    "exportKey",
    "generateKey",
    "importKey",
    "sign",
    "verify",
  ];
  for (const name of names as "digest"[]) {
    const run = crypto.subtle[name].bind(crypto.subtle);
    vi.spyOn(crypto.subtle, name).mockImplementation(async (...given) => {
      cryptoOperations++;
      try {
        return await run(...given);
      } finally {
        cryptoOperations--;
      }
    });
  }
}

/** Lets virtual time pass until a promise is settled, also while Web Crypto works in real time. */
export async function settled<Value>(promise: Promise<Value>): Promise<Value> {
  let isOver = false;
  const watched = promise.finally(() => isOver = true);
  watched.catch(() => {});
  let step = 50;
  for (let passed = 0; !isOver && passed < 300_000; passed += step) {
    do await new Promise((resolve) => realSetTimeout(resolve, 0)); while (cryptoOperations > 0);
    if (!isOver) await vi.advanceTimersByTimeAsync(step);
    step = Math.min(step * 1.25, 500);
  }
  if (!isOver) throw new Error("It did not end within five minutes");
  return await watched;
}
