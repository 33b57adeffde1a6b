/**
 * Encrypts the values of a store.
 *
 * @module
 */

import { throwBadObject } from "../core/arguments.ts";
import { checkLoaded } from "./loaded_value.ts";
import { createSealer, type Sealer } from "./sealer.ts";
import type { Store } from "./store.ts";

/**
 * Returns a store that encrypts its values with AES-256-GCM in a JWE (RFC 7516). A copy of the database does not show tokens.
 *
 * For a value that was changed, copied to another key, or encrypted with an unknown secret, `load` returns the version with `null` as
 * the value, so that a new value can be saved in its place.
 *
 * To change the secret, put the new secret before the old ones: the first secret encrypts, and all secrets decrypt. With several
 * processes, first put the new secret after the old ones in all processes, since a process without it reads `null`. Remove an old
 * secret when all its values were saved again or have expired.
 *
 * Keys, versions, expiry times and the length of a value are not protected. An attacker with write access to the database can delete
 * a value, or restore an older value of the same key.
 *
 * @example
 * ```ts
 * import { generateState, MemoryStore, sealed } from "@guildpass/sdk";
 *
 * const secret = generateState(); // in a real application, made once and read from the environment
 * const database = new MemoryStore();
 * const store = sealed(database, secret);
 * await store.save("ada", { token: "t0ken" }, { version: null });
 * (await store.load("ada"))?.value; // { token: "t0ken" }
 * JSON.stringify(await database.load("ada")).includes("t0ken"); // false
 * ```
 *
 * @param store The store of the encrypted values. Each encrypted value is a text, about a third longer than the value's JSON.
 * @param secrets Random text of at least 32 characters, as `generateState()` or `npx @guildpass/sdk secret` makes it; or a list of
 * such texts with the newest first.
 * @throws {TypeError} If an argument is wrong. The message never shows a secret.
 */
export function sealed(
  store: Store,
  secrets: string | readonly [newest: string, ...older: string[]],
): Store {
  if (typeof store?.load !== "function") {
    throwBadObject("store", "a Store, with load, save and delete", store);
  }
  return sealedBy(store, createSealer("secrets", secrets, "sealed store"));
}

/** Returns a store that encrypts its values with a sealer. */
export function sealedBy(store: Store, sealer: Sealer): Store {
  return {
    async load(key) {
      const found = checkLoaded(await store.load(key));
      if (!found) return null;
      return { value: await sealer.open(key, found.value), version: found.version };
    },
    async save(key, value, options) {
      return await store.save(key, await sealer.seal(key, value), options);
    },
    delete: (key) => store.delete(key),
  };
}
