/**
 * The database of the application. `DATABASE_URL` chooses one of the four files in `databases/`; keep the one that you use.
 *
 * @module
 */

import type { Store } from "@guildpass/sdk";
import { databaseUrl } from "./settings.ts";

/** The store of the login, and the application's own table of people, on one client. */
export interface Database {
  readonly store: Store;
  /** Creates the tables that are missing. */
  createTables(): Promise<void>;
  /** Adds a person, unless they are there. */
  addPerson(id: string): Promise<void>;
  /** Returns the ids of all people, those first whose number is the oldest. */
  listPeople(): Promise<string[]>;
  /** Saves the number of servers that a person is in. */
  saveServerCount(id: string, count: number): Promise<void>;
  /** Returns the number of servers, or `null` before the first night. */
  loadServerCount(id: string): Promise<number | null>;
  removePerson(id: string): Promise<void>;
  /** Deletes the expired rows of the store. Returns their number. */
  removeExpired(): Promise<number>;
  close(): Promise<void>;
}

const files: Record<
  string,
  () => Promise<{ open(url: string): Database | Promise<Database> }>
> = {
  "redis:": () => import("./databases/redis.ts"),
  "postgres:": () => import("./databases/postgres.ts"),
  "mysql:": () => import("./databases/mysql.ts"),
  "file:": () => import("./databases/sqlite.ts"),
};

const file = files[new URL(databaseUrl).protocol];
if (!file) {
  throw new Error(
    `DATABASE_URL must begin with one of ${Object.keys(files).join(", ")}`,
  );
}

export const database: Database = await (await file()).open(databaseUrl);
