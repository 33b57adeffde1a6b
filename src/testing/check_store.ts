/**
 * Checks that a store implements the contract of `Store`.
 *
 * @module
 */

import { assertStore } from "../core/arguments.ts";
import { deadlineIn, withTimeout } from "../core/wait.ts";
import type { SaveOptions, Store } from "../stores/store.ts";
import { storeChecks } from "./store_checks.ts";
import { expectThat } from "./store_steps.ts";

/** The time limit of one operation of the store. */
const operationTimeoutMs = 10_000;

/**
 * Checks that your own store implements the contract of `Store`: compare-and-set, unique versions, expiry, and values and keys of
 * every kind. The check waits for half a second of real time, uses random keys with the prefix `guildpass:check:`, and deletes
 * them.
 *
 * It also finds a `load` from a lagging replica, but not a lag that only occurs at other times, such as after a broken connection, or
 * in other processes.
 *
 * @param store Your store.
 * @throws {TypeError} If the argument is not a store.
 * @throws {Error} If the store breaks the contract. The message lists all findings.
 *
 * @example
 * ```ts
 * import { MemoryStore } from "@guildpass/sdk";
 * import { checkStore } from "@guildpass/sdk/testing";
 *
 * await checkStore(new MemoryStore()); // in your test: your store
 * ```
 */
export async function checkStore(store: Store): Promise<void> {
  assertStore(store);
  const keys = new Set<string>();
  const findings = new Set<string>();
  const checked = withChecks(store, keys);
  for (const check of storeChecks) {
    await check(checked, () => `guildpass:check:${crypto.randomUUID()}`)
      .catch(({ message }: Error) => findings.add(message));
  }
  // The findings already report a broken `delete`.
  for (const key of keys) await checked.delete(key).catch(() => {});
  if (findings.size === 0) return;
  throw new Error(
    `The store breaks the contract of Store:${[...findings].map((one) => `\n- ${one}`).join("")}`,
  );
}

/** Wraps a store: checks the results and records the keys. */
function withChecks(store: Store, keys: Set<string>): Store {
  return {
    load: async (key) => {
      const found: unknown = await run("load", () => store.load(key));
      const { value, version } = Object(found);
      const isValue = value !== undefined && isVersion(version);
      expectThat(
        found === null || isValue,
        "load() returned neither null nor an object with a value and a version",
      );
      return found === null ? null : { value, version };
    },
    save: async (key: string, value: unknown, options: SaveOptions) => {
      keys.add(key);
      const version: unknown = await run("save", () => store.save(key, value, options));
      expectThat(
        version === null || isVersion(version),
        "save() returned neither null nor a version, which is a non-empty string",
      );
      return version;
    },
    delete: (key) => run("delete", () => store.delete(key)),
  };
}

function isVersion(version: unknown): version is string {
  return typeof version === "string" && version !== "";
}

/** Runs an operation of the store with the time limit. An error names the operation. */
async function run<Value>(name: string, operation: () => Promise<Value>): Promise<Value> {
  const late = () => new Error(`no result within ${operationTimeoutMs / 1000} seconds`);
  try {
    return await withTimeout(Promise.resolve(operation()), deadlineIn(operationTimeoutMs), late);
  } catch (error) {
    throw new Error(`${name}() rejected: ${error}`);
  }
}
