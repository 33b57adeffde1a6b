/**
 * Fails a test file that leaves a global function replaced. All files of a process share its globals, so that the clock of one file
 * would stop the timers of the next.
 *
 * @module
 */

import { afterAll, expect, vi } from "vitest";

/** The functions that tests replace, by their objects. */
const replaced: readonly (readonly [object, readonly string[]])[] = [
  [globalThis, [
    "AbortSignal",
    "BroadcastChannel",
    "Date",
    "addEventListener",
    "btoa",
    "clearInterval",
    "clearTimeout",
    "crypto",
    "fetch",
    "performance",
    "removeEventListener",
    "setImmediate",
    "setInterval",
    "setTimeout",
  ]],
  [console, ["error", "log", "warn"]],
  [Math, ["random"]],
  [performance, ["now"]],
  [crypto.subtle, ["decrypt", "deriveBits", "digest", "encrypt", "importKey"]],
];

const before = functions();

afterAll(() => {
  vi.restoreAllMocks();
  const changed = functions().filter(({ value }, i) => value !== before[i]?.value);
  expect(changed.map(({ name }) => name), "this file leaves these replaced").toEqual([]);
});

function functions(): { readonly name: string; readonly value: unknown }[] {
  return replaced.flatMap(([owner, names]) =>
    names.map((name) => ({ name, value: Reflect.get(owner, name) }))
  );
}
