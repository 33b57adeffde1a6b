/**
 * Checks a store against each rule in the contract of `Store`.
 *
 * @module
 */

import { sleep } from "../core/wait.ts";
import type { Store, StoredValue } from "../stores/store.ts";
import {
  create,
  expectFreeKey,
  expectThat,
  expectValue,
  find,
  isEqual,
  replace,
} from "./store_steps.ts";

/** The lifetime of the values of {@link expiresWhileWaiting}. */
const shortLifetimeMs = 500;

/** The maximum delay of a store that expires a value, in milliseconds. */
const maxLatenessMs = 5000;

/** The number of simultaneous saves in a check. */
const competitors = 10;

/** The number of keys that {@link loadsLatestValues} saves at the same time, and the number of saves of each. */
const loadedKeys = 5;
const savesOfLoadedKey = 10;

/** The maximum time after which a replica must have the latest value, in milliseconds. */
const maxLagMs = 2000;

/** The time between two tries, in milliseconds. */
const tryIntervalMs = 20;

/** A check of one rule of the contract, with new keys. It throws an `Error` with the finding. */
type StoreCheck = (store: Store, newKey: () => string) => Promise<void>;

export const storeChecks: readonly StoreCheck[] = [
  // The first one, because a replica causes several findings, and this one names the cause.
  loadsLatestValues,
  findsNothing,
  createsOnce,
  replacesByVersion,
  neverRepeatsVersions,
  competesForVersions,
  competesForKeys,
  competesForExpiredKeys,
  deletes,
  expiresAtOnce,
  expiresWhileWaiting,
  keepsUntilExpiry,
  keepsValues,
  copiesValues,
  keepsLongValues,
  tellsKeysApart,
];

/** Loads during and after saves of several keys, since a replica may lag behind only under load. */
async function loadsLatestValues(store: Store, newKey: () => string): Promise<void> {
  const results = await Promise.allSettled(
    Array.from({ length: loadedKeys }, () => loadsLatestValuesOf(store, newKey())),
  );
  // No save is under way anymore, which would remain in the store.
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

async function loadsLatestValuesOf(store: Store, key: string): Promise<void> {
  let version: string | null = null;
  for (let value = 1; value <= savesOfLoadedKey; value++) {
    const saving = store.save(key, value, { version });
    const [saved, found] = await Promise.all([saving, store.load(key)]);
    // Other checks report a store that saves nothing.
    if (saved === null) return;
    version = saved;
    const isOlder = isBefore(found, value - 1) || isBefore(await store.load(key), value);
    expectThat(
      !isOlder || !await hasLater(store, key, value),
      "load() returned an older value than the latest save(): does it read from a replica?",
    );
  }
}

/** Returns true if a loaded value is missing, or is a number below another one. */
function isBefore(found: StoredValue | null, value: number): boolean {
  return found === null ? value > 0 : typeof found.value === "number" && found.value < value;
}

/** Returns true if the store has a value a little later. Otherwise, the value is lost, or is not a number: other checks report that. */
async function hasLater(store: Store, key: string, value: number): Promise<boolean> {
  for (let waited = 0; waited < maxLagMs; waited += tryIntervalMs) {
    if ((await store.load(key))?.value === value) return true;
    await sleep(tryIntervalMs);
  }
  return false;
}

async function findsNothing(store: Store, newKey: () => string): Promise<void> {
  const key = newKey();
  expectThat(await store.load(key) === null, "load() returned a value for a key without a value");
  await store.delete(key);
}

async function createsOnce(store: Store, newKey: () => string): Promise<void> {
  const key = newKey();
  const version = await create(store, key, "first");
  await expectValue(store, key, "first", version);
  const second = await store.save(key, "second", { version: null });
  expectThat(
    second === null,
    "save() with `version: null` returned a version although the key has a value",
  );
  const { value } = await find(store, key);
  expectThat(
    value === "first",
    "save() with `version: null` replaced the value, although it returned null",
  );
}

async function replacesByVersion(store: Store, newKey: () => string): Promise<void> {
  const key = newKey();
  const first = await create(store, key, 1);
  const second = await replace(store, key, 2, first);
  await expectValue(store, key, 2, second);
  for (const version of [first, "made up"]) {
    const result = await store.save(key, 3, { version, expiresAt: Date.now() - 1000 });
    expectThat(result === null, "save() with another version returned a version instead of null");
    const { value } = await find(
      store,
      key,
      "save() with another version expired the value, although it returned null",
    );
    expectThat(
      value === 2,
      "save() with another version replaced the value, although it returned null",
    );
  }
}

async function neverRepeatsVersions(store: Store, newKey: () => string): Promise<void> {
  const key = newKey();
  const first = await create(store, key, "same");
  const second = await replace(store, key, "same", first);
  expectThat(second !== first, "save() of an equal value did not change the version");
  const third = await replace(store, key, "same", second);
  expectThat(third !== first, "save() returned the version of an older value");
  await store.delete(key);
  const gone = await store.save(key, "other", { version: third });
  expectThat(
    gone === null,
    "save() with the version of a deleted value saved instead of returning null",
  );
  const old = [first, second, third];
  let last = await create(store, key, "new");
  for (const _ of old) {
    expectThat(!old.includes(last), "save() returned a version that the value had before delete()");
    last = await replace(store, key, "new", last);
  }
}

async function competesForVersions(store: Store, newKey: () => string): Promise<void> {
  const key = newKey();
  const version = await create(store, key, "start");
  await compete(store, key, version, "the same version");
}

async function competesForKeys(store: Store, newKey: () => string): Promise<void> {
  await compete(store, newKey(), null, "`version: null`");
}

async function competesForExpiredKeys(store: Store, newKey: () => string): Promise<void> {
  const [key, other] = [newKey(), newKey()];
  const expiresAt = Date.now() - 1000;
  for (const name of [key, other]) await store.save(name, "expired", { version: null, expiresAt });
  // `expiresAtOnce` reports a store that keeps expired values.
  if (await store.save(other, 1, { version: null }) === null) return;
  await compete(store, key, null, "`version: null` after an expired value");
}

/** Saves several values at once. Exactly one save must succeed, and the store must keep its value. */
async function compete(
  store: Store,
  key: string,
  version: string | null,
  description: string,
): Promise<void> {
  const saves = Array.from({ length: competitors }, (_, at) => store.save(key, at, { version }));
  const results = await Promise.all(saves);
  const winners = results.flatMap((result, at) => result === null ? [] : [at]);
  expectThat(
    winners.length === 1,
    `${winners.length} of ${competitors} simultaneous save() with ${description} succeeded instead of one: ` +
      "compare and write in one step of the database",
  );
  const { value } = await find(store, key);
  expectThat(
    value === winners[0],
    `of simultaneous save() with ${description}, one that returned null left its value`,
  );
}

async function deletes(store: Store, newKey: () => string): Promise<void> {
  const [key, other] = [newKey(), newKey()];
  await create(store, key, 1);
  await create(store, other, 2);
  // Otherwise, the next findings would blame delete() for a value that was lost earlier.
  for (const name of [key, other]) await find(store, name);
  await store.delete(key);
  expectThat(await store.load(key) === null, "delete() left the value");
  await find(store, other, "delete() removed the value of another key");
}

/**
 * Checks a save with an `expiresAt` in the past. The library removes values with such a save, since `delete` does not take a
 * version.
 */
async function expiresAtOnce(store: Store, newKey: () => string): Promise<void> {
  const [key, other] = [newKey(), newKey()];
  const version = await create(store, key, 1);
  const expiresAt = Date.now() - 1000;
  const ended = await store.save(key, 2, { version, expiresAt });
  expectThat(ended !== null, "save() with an `expiresAt` in the past returned null");
  await store.save(other, 1, { version: null, expiresAt });
  for (const name of [key, other]) {
    expectThat(
      await store.load(name) === null,
      "load() returned a value after its `expiresAt`",
    );
  }
  const versionAfterExpiry = await store.save(key, 3, { version: ended });
  expectThat(
    versionAfterExpiry === null,
    "save() with the version of an expired value saved instead of returning null",
  );
  let last = await expectFreeKey(store, key);
  const { value } = await find(store, key);
  expectThat(value === 4, "a new value under the key of an expired one was not saved");
  for (const _ of [version, ended]) {
    const isOld = last === version || last === ended;
    expectThat(!isOld, "save() returned a version that the value had before it expired");
    last = await replace(store, key, 5, last);
  }
}

async function expiresWhileWaiting(store: Store, newKey: () => string): Promise<void> {
  const [key, renewed] = [newKey(), newKey()];
  const expiresAt = Date.now() + shortLifetimeMs;
  await store.save(key, 1, { version: null, expiresAt });
  const version = await store.save(renewed, 1, { version: null, expiresAt });
  // In a slow store, the value may have expired already: then the save proves nothing.
  const isRenewed = version !== null &&
    await store.save(renewed, 2, { version, expiresAt: null }) !== null;
  // Otherwise, the finding below would blame `expiresAt` for a value that was lost earlier.
  if (isRenewed) await find(store, renewed);
  await sleep(Math.max(0, expiresAt - Date.now()));
  while (await store.load(key) !== null) {
    const isLate = Date.now() > expiresAt + maxLatenessMs;
    expectThat(!isLate, "load() returned a value several seconds after its `expiresAt`");
    await sleep(shortLifetimeMs);
  }
  if (!isRenewed) return;
  await find(store, renewed, "save() without `expiresAt` kept the old `expiresAt`");
  await expectFreeKey(store, key);
}

async function keepsUntilExpiry(store: Store, newKey: () => string): Promise<void> {
  const hour = 60 * 60_000;
  for (const lifetime of [hour, 24 * 365 * hour]) {
    const key = newKey();
    await store.save(key, 1, { version: null, expiresAt: Date.now() + lifetime });
    await find(
      store,
      key,
      "a value was gone before its `expiresAt`, in milliseconds since the epoch",
    );
  }
}

async function keepsValues(store: Store, newKey: () => string): Promise<void> {
  const key = newKey();
  let version = await create(store, key, "start");
  for (const value of sampleValues) {
    version = await replace(store, key, value, version);
    const found = await find(store, key);
    expectThat(
      isEqual(found.value, value),
      `load() returned a value other than the saved ${JSON.stringify(value)}`,
    );
  }
}

const sampleValues: readonly unknown[] = [
  null,
  false,
  0,
  1e21,
  "",
  "text",
  "\u0000 and half a \ud83d",
  [1, [2], {}],
  { a: { b: null, c: "é\u{1f600}" } },
  { $type: "x", "a.b": 1, "'; drop table": '"\\' },
];

async function copiesValues(store: Store, newKey: () => string): Promise<void> {
  const key = newKey();
  const value = { list: [1] };
  await create(store, key, value);
  value.list.push(2);
  const { value: found } = await find(store, key);
  expectThat(
    isEqual(found, { list: [1] }),
    "a change of the caller's object after save() changed the stored value",
  );
  Object.assign(Object(found), { list: [] });
  const again = await find(store, key);
  expectThat(
    isEqual(again.value, { list: [1] }),
    "a change of an object that load() returned changed the stored value",
  );
}

/** Checks a value of more than 64 kB (JSON in UTF-8): five times the largest record of a login with 8 kB of user data. */
async function keepsLongValues(store: Store, newKey: () => string): Promise<void> {
  const key = newKey();
  const value = 'é"'.repeat(12_500) + "x".repeat(25_000);
  await create(store, key, value);
  const found = await find(store, key);
  expectThat(
    found.value === value,
    "load() returned a value other than the saved one of 50,000 characters",
  );
}

async function tellsKeysApart(store: Store, newKey: () => string): Promise<void> {
  const base = newKey();
  for (const [end, other] of keyEnds) {
    const [key, neighbor] = [`${base}${end}`, `${base}${other}`];
    const version = await create(store, key, 1);
    const found = await store.load(neighbor);
    expectThat(
      found === null,
      `load() returned the value of the key …${end} for the key …${other}`,
    );
    await create(store, neighbor, 2);
    await expectValue(store, key, 1, version);
    await store.delete(key);
    await store.delete(neighbor);
  }
}

/** The pairs of key endings that a store could confuse. */
const keyEnds: readonly (readonly [end: string, other: string])[] = [
  // Digests in base64url can differ only in the case of letters.
  [":abcd-_", ":ABCD-_"],
  [":1", ":10"],
  [" with spaces", " with spaces "],
  ["a/b\\c:d*?[e]{f}", "a/b\\c:d*?[e]"],
  ["'\"`;--", "'\""],
  ["é\u{1f600}", "e\u{1f600}"],
  // A database may normalize Unicode, or decode percent signs.
  ["\u00e9", "e\u0301"],
  ["%41", "A"],
  ["x".repeat(400), "x".repeat(399)],
];
