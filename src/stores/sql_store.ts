/**
 * A store in a table of an SQL database.
 *
 * @module
 */

import { throwBadArgument } from "../core/arguments.ts";
import { checkOptionNames } from "../core/options.ts";
import { sleep } from "../core/wait.ts";
import type { Store } from "./store.ts";
import { checkedKey, loadedText, savedText } from "./store_text.ts";

/** Options of a store in an SQL database. */
export interface SqlStoreOptions {
  /** The name of the table: a letter or `_`, and then at most 62 letters, digits and `_`. @default {"guildpass_store"} */
  readonly table?: string | null | undefined;
}

/** A store in a table of an SQL database. */
export interface SqlStore extends Store {
  /** Creates the table and its index, unless they exist. Several processes may call this at the same time. */
  createTable(): Promise<void>;
  /**
   * Deletes expired rows, which `load` does not return. Returns their number. Call this about once an hour, for example in a cron job.
   * Each statement deletes at most 1,000 rows, so that no other process waits for long.
   */
  removeExpired(): Promise<number>;
}

/** A value in a statement. All values are texts, so that the settings of a client for numbers and dates have no effect. */
export type SqlValue = string | null;

/** The operations of a client, which receive a statement with a `?` for each value. */
export interface SqlClient {
  /** Returns the first row as a list of columns, or `null`. */
  readRow(statement: string, values: readonly SqlValue[]): Promise<readonly unknown[] | null>;
  /** Returns the number of rows that the statement has changed. */
  write(statement: string, values: readonly SqlValue[]): Promise<number>;
}

/** The statements that differ between databases. */
export interface SqlDialect {
  /** Returns the statements that create the table and its index. */
  readonly definition: (table: string) => readonly string[];
  /** The column `key` in a statement. */
  readonly key: string;
  /** Returns a key as the database keeps it. Throws if it can't. @default {the key itself} */
  readonly keyText?: (key: string) => string;
  /** Returns the JSON of a value as the database keeps it. @default {the JSON itself} */
  readonly valueText?: (json: string) => string;
  /** A whole number in a statement. */
  readonly number: string;
  /** The end of the statement to delete expired rows, with their maximum number. Each `?` in it is the time. */
  readonly limitRemoval: (table: string) => string;
  /** The end of the insert statement, which replaces an expired row. Empty if the database can't do that. */
  readonly replaceExpired: (table: string) => string;
  /** Returns true for the error of an insert whose key exists. */
  readonly isDuplicate?: (error: unknown) => boolean;
}

/** The number of rows that one statement deletes. SQLite has one writer at a time, and MariaDB locks all of these rows. */
export const rowsPerRemoval = 1000;

/** A whole number in a statement of Postgres, SQLite and D1. Postgres takes it as a text only with both casts. */
const wholeNumber = "cast(cast(? as text) as bigint)";

/** The dialect that Postgres, SQLite and D1 share. */
export const commonDialect: SqlDialect = {
  definition: (table) => [
    `create table if not exists ${table} (
  key text primary key,
  value text not null,
  version text not null,
  expires_at bigint
)`,
    `create index if not exists ${table.slice(0, 52)}_expires_at on ${table} (expires_at)`,
  ],
  key: "key",
  number: wholeNumber,
  limitRemoval: (table) =>
    ` and key in (select key from ${table} where expires_at <= ${wholeNumber} limit ${rowsPerRemoval})`,
  replaceExpired: (table) =>
    ` on conflict (key) do update
set value = excluded.value, version = excluded.version, expires_at = excluded.expires_at
where ${table}.expires_at <= ${wholeNumber}`,
};

/**
 * The number of times that a statement is tried if the database cancels it because of a simultaneous one. All pauses together take 1.3 seconds
 * on average.
 */
const maxTries = 8;

/** Creates a store in a table. */
export function sqlStore(
  client: SqlClient,
  options: SqlStoreOptions | null | undefined,
  dialect: SqlDialect = commonDialect,
): SqlStore {
  const { isDuplicate, keyText = same, valueText = same } = dialect;
  const table = checkedTable(options);
  const statements = statementsFor(table, dialect);
  const idOf = (key: string) => keyText(checkedKey(key));
  const write = (statement: string, ...values: SqlValue[]) =>
    withRetries(() => client.write(statement, values));

  /** Inserts a row. Returns the number of inserted rows. */
  async function insert(id: string, ...row: SqlValue[]): Promise<number> {
    if (!isDuplicate) return await write(statements.insert, id, ...row, now());
    const tryInsert = () =>
      write(statements.insert, id, ...row).catch((error) => {
        if (isDuplicate(error)) return 0;
        throw error;
      });
    if (await tryInsert() === 1) return 1;
    return await write(statements.deleteExpired, id, now()) === 1 ? await tryInsert() : 0;
  }

  return {
    async load(key) {
      const id = idOf(key);
      const row = await withRetries(() => client.readRow(statements.load, [id, now()]));
      return row && loadedText(row[0], row[1]);
    },
    async save(key, value, options) {
      const id = idOf(key);
      const { text: json, version, expiresAt } = savedText(value, options);
      const text = valueText(json);
      const changed = options.version === null
        ? await insert(id, text, version, expiresAt)
        : await write(statements.update, text, version, expiresAt, id, options.version, now());
      return changed === 1 ? version : null;
    },
    async delete(key) {
      await write(statements.delete, idOf(key));
    },
    async createTable() {
      for (const statement of dialect.definition(table)) await write(statement);
    },
    async removeExpired() {
      const times = Array.from(statements.removeExpired.matchAll(/\?/g), now);
      for (let removed = 0;;) {
        const count = await write(statements.removeExpired, ...times);
        removed += count;
        if (count < rowsPerRemoval) return removed;
        await sleep(0); // The other work of this process goes on, also with a client that is not asynchronous.
      }
    },
  };
}

/** Returns the statements of a store. */
function statementsFor(table: string, { key, number, replaceExpired, limitRemoval }: SqlDialect) {
  const isOpen = `(expires_at is null or expires_at > ${number})`;
  const columns = `${key}, value, version, expires_at`;
  return {
    load: `select value, version from ${table} where ${key} = ? and ${isOpen}`,
    insert: `insert into ${table} (${columns}) values (?, ?, ?, ${number})${replaceExpired(table)}`,
    update: `update ${table} set value = ?, version = ?, expires_at = ${number}
where ${key} = ? and version = ? and ${isOpen}`,
    delete: `delete from ${table} where ${key} = ?`,
    deleteExpired: `delete from ${table} where ${key} = ? and expires_at <= ${number}`,
    removeExpired: `delete from ${table} where expires_at <= ${number}${limitRemoval(table)}`,
  };
}

/**
 * Returns the definition of a table for a migration.
 *
 * @throws {TypeError} If the name of the table is wrong.
 */
export function tableDefinition(
  options: SqlStoreOptions | null | undefined,
  dialect: SqlDialect = commonDialect,
): string {
  return `${dialect.definition(checkedTable(options)).join(";\n")};\n`;
}

/** Returns the name of the table. Names can't be values of a statement, so the name must be safe in its text. */
function checkedTable(options: SqlStoreOptions | null | undefined): string {
  checkOptionNames("options", options, ["table"]);
  const table = options?.table ?? "guildpass_store";
  if (typeof table !== "string" || !/^[A-Za-z_]\w{0,62}$/.test(table)) {
    throwBadArgument("options.table", "a name of letters, digits and _, like my_store", table);
  }
  return table;
}

function same(text: string): string {
  return text;
}

function now(): string {
  return String(Date.now());
}

/** Runs a statement again if the database has cancelled it because of another one at the same time. */
async function withRetries<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let tries = 1;; tries++) {
    try {
      return await run();
    } catch (error) {
      if (tries === maxTries || !isConflict(error)) throw error;
      // A random pause, so that statements which met do not meet again.
      await sleep(Math.random() * 10 * 2 ** tries);
    }
  }
}

/**
 * Postgres: a serialization failure, a deadlock, and two processes that create one table. MySQL: a deadlock.
 *
 * @see {@link https://www.postgresql.org/docs/current/errcodes-appendix.html | PostgreSQL error codes}
 */
const conflictCodes: readonly unknown[] = [
  "40001",
  "40P01",
  "23505",
  "42P07",
  "42710",
  "ER_LOCK_DEADLOCK",
];

/** Returns true if the database has cancelled a statement as a whole because of another one at the same time. */
function isConflict(error: unknown): boolean {
  return conflictCodes.includes(Object(error).code);
}
