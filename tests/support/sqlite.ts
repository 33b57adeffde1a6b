/**
 * A real SQLite in memory, on every runtime of the tests.
 *
 * @module
 */

import process from "node:process";
import { onTestFinished } from "vitest";
import type { SyncSqliteClient } from "../../src/stores/sqlite.ts";

/** A database of `node:sqlite` or `bun:sqlite`. */
export interface TestDatabase extends SyncSqliteClient {
  /** Runs statements without values. */
  exec(statements: string): void;
  close(): void;
}

/** Opens a database for one test. */
export async function openSqlite(): Promise<TestDatabase> {
  const isBun = "bun" in process.versions;
  const module = isBun ? "bun:sqlite" : "node:sqlite";
  const sqlite = await import(/* @vite-ignore */ module);
  const database: TestDatabase = new (isBun ? sqlite.Database : sqlite.DatabaseSync)(":memory:");
  onTestFinished(() => database.close());
  return database;
}

/** The values of a statement. */
export type Values = readonly (string | null)[];

/** Runs a statement, as the client of a server does: with all rows as lists of texts, and the number of changed rows. */
export function runStatement(
  database: TestDatabase,
  statement: string,
  values: Values,
): { readonly rows: readonly (readonly unknown[])[]; readonly count: number } {
  const prepared = database.prepare(statement);
  if (statement.startsWith("select")) {
    const row = prepared.get(...values);
    return { rows: row ? [Object.values(row)] : [], count: row ? 1 : 0 };
  }
  return { rows: [], count: Number(prepared.run(...values).changes) };
}
