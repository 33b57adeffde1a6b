/**
 * Reads and writes the record of a `TokenSource` in its store. A record that the store did not save is kept for the next call.
 *
 * @module
 */

import { type Deadline, deadlineIn, sleep, withTimeout } from "../core/wait.ts";
import { emptyRecordLifetimeMs, firstSaveRetryMs } from "../http/waits.ts";
import type { Store } from "../stores/store.ts";
import { untilSaved } from "./store_loops.ts";
import {
  expiryOf,
  isRemoved,
  type LeasedRecord,
  readRecord,
  type TokenRecord,
} from "./token_record.ts";

/** The content of the store under a key. */
export interface FoundRecord {
  /** `null` if the record is missing or can't be read. */
  readonly record: TokenRecord | null;
  readonly version: string | null;
  /** True if the record is missing or was removed. */
  readonly isEmpty: boolean;
}

/** A record whose lease this source has taken. */
export interface HeldRecord {
  readonly leased: LeasedRecord;
  /** The version of the leased record, or `null` to look it up. */
  readonly version: string | null;
}

/** Returns the new record instead of a record with the leased token; `null` removes that record. */
export type NextRecord = (current: TokenRecord) => TokenRecord | null;

/** The number of tries to save the outcome of a refresh. */
const saveTries = 6;

/** The record of one key. */
export class TokenEntry {
  /** The time limit of the store's operations, in milliseconds. */
  readonly timeout: number;
  /** The store operation under way, for errors. */
  operation: string | null = null;
  readonly #store: Store;
  readonly #key: string;
  /** A record that could not be saved. The next call saves it. */
  #unsaved: { readonly leased: LeasedRecord; readonly next: NextRecord } | null = null;

  /** @param store A store with a time limit for each operation. */
  constructor(store: Store, key: string, timeout: number) {
    this.timeout = timeout;
    this.#store = store;
    this.#key = key;
  }

  /** Reads the record. If an earlier call could not save its record, that record is saved first. */
  async load(): Promise<FoundRecord> {
    if (this.#unsaved) {
      const { leased, next } = this.#unsaved;
      // The caller gets the token in time also if the store does not respond.
      await this.replace({ leased, version: null }, next, 2, deadlineIn(this.timeout / 2));
    }
    if (this.#unsaved) {
      const { leased, next } = this.#unsaved;
      return { record: next(leased), version: null, isEmpty: false };
    }
    return await this.#read();
  }

  /**
   * Writes a record, or removes it with `null`, if the stored record still has the version. Returns the new version, or `null`. The removal
   * of a missing record keeps logins under way from saving one.
   */
  write(record: TokenRecord | null, version: string | null): Promise<string | null> {
    // delete() would also remove a login that is saved in the meantime. The empty record is not null, because some databases treat null as a
    // missing value.
    const expiresAt = record
      ? expiryOf(record)
      : Date.now() + (version === null ? emptyRecordLifetimeMs : 0);
    const options = { version, expiresAt };
    return this.#during("save a value", () => this.#store.save(this.#key, record ?? {}, options));
  }

  /**
   * Changes the record unless another process has taken the lease. If the store fails, the lease expires, and the caller still gets the
   * result of the request to Discord.
   */
  async release(held: HeldRecord, next: NextRecord): Promise<void> {
    const released = (current: TokenRecord) =>
      current.lease?.id === held.leased.lease.id ? next(current) : current;
    await this.changeHeld(held, released).catch(() => null);
  }

  /** Writes a record instead of any stored record. Returns `null` if the stored record changed meanwhile. */
  async overwrite(record: TokenRecord): Promise<string | null> {
    const saved = await this.write(record, (await this.#read()).version);
    if (saved !== null) this.#unsaved = null;
    return saved;
  }

  /**
   * Replaces the leased record in the store. If the store fails, the new record is kept for the next call.
   *
   * It waits for a slow store until the deadline. Saving goes on after the deadline, because a source for one request does not
   * have a next call.
   *
   * @returns False if a login or a logout has changed the record before. The new token is then not used. It is not revoked either, since
   * that would log the person out on other devices.
   */
  async replace(
    held: HeldRecord,
    next: NextRecord,
    tries: number = saveTries,
    deadline: Deadline = deadlineIn(this.timeout),
  ): Promise<boolean> {
    const unsaved = this.#unsaved = { leased: held.leased, next };
    const replaced = this.#tryToReplace(held, next, tries).then((isCurrent) => {
      if (isCurrent !== null && this.#unsaved === unsaved) this.#unsaved = null;
      return isCurrent;
    });
    return await withTimeout(replaced, deadline, Error).catch(() => null) ?? true;
  }

  /**
   * Changes the record as long as it has the leased token, whatever else another process has changed.
   *
   * @returns False if a login or a logout has changed the record before.
   */
  async changeHeld({ leased, version }: HeldRecord, next: NextRecord): Promise<boolean> {
    const change = (record: TokenRecord | null) =>
      record && isSameToken(record, leased) ? next(record) ?? "removed" : null;
    const found = version === null ? null : { record: leased, version };
    return await this.change("The token was not saved", change, found) !== null;
  }

  /**
   * Changes or removes the record until no other request changes it at the same time, and returns the change.
   *
   * @param failure The start of the error message.
   * @param change Returns the changed record, or the same record or `null` for no change.
   * @param found The record, if it was just read.
   */
  async change<Change extends TokenRecord | "removed">(
    failure: string,
    change: (
      record: TokenRecord | null,
      version: string | null,
    ) => Promise<Change | null> | Change | null,
    found: Pick<FoundRecord, "record" | "version"> | null = null,
  ): Promise<Change | null> {
    let known = found;
    const { changed } = await untilSaved(failure, async () => {
      const { record, version } = known ?? await this.#read();
      known = null;
      const changed = await change(record, version);
      const isSaved = changed === null || changed === record ||
        await this.write(changed === "removed" ? null : changed, version) !== null;
      return isSaved ? { changed } : null;
    });
    return changed;
  }

  /** Replaces the leased record as `replace` does, without the deadline. Returns `null` if the store failed in every try. */
  async #tryToReplace(
    { leased, version }: HeldRecord,
    next: NextRecord,
    tries: number,
  ): Promise<boolean | null> {
    for (let retry = 0; retry < tries; retry++) {
      try {
        return await this.changeHeld({ leased, version: retry === 0 ? version : null }, next);
      } catch {
        await sleep(firstSaveRetryMs * 2 ** retry);
      }
    }
    return null;
  }

  async #read(): Promise<FoundRecord> {
    const stored = await this.#during("load a value", () => this.#store.load(this.#key));
    const { value, version } = stored ?? { value: {}, version: null };
    return { record: readRecord(value), version, isEmpty: isRemoved(value) };
  }

  async #during<Value>(name: string, operation: () => Promise<Value>): Promise<Value> {
    this.operation = name;
    try {
      return await operation();
    } finally {
      this.operation = null;
    }
  }
}

/** Returns true if two records have the same token. */
function isSameToken(one: TokenRecord, other: TokenRecord): boolean {
  return one.token.access_token === other.token.access_token &&
    one.token.refresh_token === other.token.refresh_token;
}
