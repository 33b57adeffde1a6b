/**
 * Compiles only if the store takes the database of Bun. Its types are not those of Deno, so that a test compiles this file apart.
 *
 * @module
 */

import type { Database } from "bun:sqlite";
import { sqliteStore } from "../../../../src/stores/sqlite.ts";
import type { Store } from "../../../../src/stores/store.ts";

/** Creates a store in a database of Bun. */
export function storeOf(database: Database): Store {
  return sqliteStore(database);
}
