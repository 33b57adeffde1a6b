/**
 * Encrypts what a store keeps.
 *
 * @module
 */

import { throwBadObject } from "../core/arguments.ts";
import { createSealer } from "./sealer.ts";
import type { Store } from "./store.ts";

/**
 * Encrypts values before they reach a store, with AES-256-GCM in a JWE (RFC 7516). Whoever reads the database, or a backup of
 * it, finds no token there.
 *
 * A value can be opened only under the key it was saved under: copied to the key of another person, it counts as
 * unreadable. A value that can't be opened, since it was changed or no secret fits, is loaded as `null`, with its version, so
 * that another one can be saved in its place.
 *
 * To change the secret, put the new one in front of the old ones: the first one encrypts, and each of them opens. Take
 * an old one away when all that it encrypted has been saved again or has expired.
 *
 * What this does not protect: keys, versions, times and the length of a value stay readable, and whoever can write
 * to the database can delete a value, or put an older value of the same key back.
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
 * @param store Where the encrypted values go, each as one text, about a third longer than the value is as JSON.
 * @param secrets Random text of at least 32 characters, as `generateState()` or `openssl rand -base64 32` makes it. With a
 * list, the newest comes first.
 * @throws {TypeError} When an argument is wrong. The message never shows a secret.
 */
export function sealed(
  store: Store,
  secrets: string | readonly [newest: string, ...older: string[]],
): Store {
  if (typeof store?.load !== "function") {
    throwBadObject("store", "a Store, with load, save and delete", store);
  }
  const sealer = createSealer("secrets", secrets, "sealed store");
  return {
    async load(key) {
      const found = await store.load(key);
      if (!found) return null;
      return { value: await sealer.open(key, found.value), version: found.version };
    },
    async save(key, value, options) {
      return await store.save(key, await sealer.seal(key, value), options);
    },
    delete: (key) => store.delete(key),
  };
}
