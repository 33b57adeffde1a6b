/**
 * The steps of the checks of a store: each calls the store, and throws an `Error` with the finding if the store is wrong.
 *
 * @module
 */

import type { Store, StoredValue } from "../stores/store.ts";

/** Saves the first value of a key, and returns its version. */
export async function create(store: Store, key: string, value: unknown): Promise<string> {
  const version = await store.save(key, value, { version: null });
  expectThat(
    version !== null,
    "save() with `version: null` returned null for a key that has no value",
  );
  return version;
}

/** Saves the next value of a key, and returns its version. */
export async function replace(
  store: Store,
  key: string,
  value: unknown,
  version: string,
): Promise<string> {
  const next = await store.save(key, value, { version });
  expectThat(next !== null, "save() with the current version returned null");
  return next;
}

/** Loads a value. Throws if the value is missing. */
export async function find(
  store: Store,
  key: string,
  finding = "load() returned null for a value that was saved",
): Promise<StoredValue> {
  const found = await store.load(key);
  expectThat(found !== null, finding);
  return found;
}

export async function expectValue(
  store: Store,
  key: string,
  value: unknown,
  version: string,
): Promise<void> {
  const found = await find(store, key);
  expectThat(
    found.value === value,
    found.value === JSON.stringify(value)
      ? "load() returned the JSON text of a value instead of the value: parse it"
      : "load() returned a value other than the saved one",
  );
  expectThat(found.version === version, "load() and save() returned different versions");
}

export async function expectFreeKey(store: Store, key: string): Promise<string> {
  const version = await store.save(key, 4, { version: null });
  expectThat(
    version !== null,
    "save() with `version: null` returned null for a key whose value has expired",
  );
  return version;
}

/** Compares JSON values. The order of fields does not matter. */
export function isEqual(found: unknown, expected: unknown): boolean {
  if (found === expected) return true;
  if (typeof expected !== "object" || expected === null || typeof found !== "object") return false;
  const fields = Object.entries(expected);
  return Array.isArray(found) === Array.isArray(expected) &&
    Object.keys(Object(found)).length === fields.length &&
    fields.every(([name, value]) => isEqual(Object(found)[name], value));
}

/** Throws an `Error` with the finding if a condition is false. */
export function expectThat(holds: boolean, finding: string): asserts holds {
  if (!holds) throw new Error(finding);
}
