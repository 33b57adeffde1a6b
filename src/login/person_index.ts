/**
 * The list of a person's sessions, so that they can be ended without their cookies.
 *
 * @module
 */

import type { Store } from "../stores/store.ts";
import { format, ofThisFormat } from "./format.ts";
import { untilSaved } from "./until_saved.ts";

/** A session in the list. Times are in milliseconds since the epoch. */
export interface IndexEntry {
  /** The end of the names of its records. */
  readonly digest: string;
  /** The time of its login. */
  readonly startedAt: number;
  readonly endsAt: number;
}

/** The result of {@link PersonIndex.remove}. */
export interface Removal {
  /** The digests of the sessions that stay. */
  readonly others: readonly string[];
  /** False if the list did not have the session, for example because another request has removed it. */
  readonly wasListed: boolean;
}

/** The most sessions of a person. */
const maxSessions = 50;

/** The list of one person's sessions in a store. It is changed by compare-and-set alone, since several requests share it. */
export class PersonIndex {
  readonly #store: Store;
  readonly #key: string;
  /** Deletes the records of a session. */
  readonly #deleteRecords: (digest: string) => Promise<unknown>;

  constructor(store: Store, key: string, deleteRecords: (digest: string) => Promise<unknown>) {
    this.#store = store;
    this.#key = key;
    this.#deleteRecords = deleteRecords;
  }

  /** Adds a session. If there are too many, the oldest ones end. Returns their number. */
  async add(entry: IndexEntry): Promise<number> {
    const { removed } = await this.#change((entries) => {
      const newestFirst = [...entries, entry].sort((a, b) => b.startedAt - a.startedAt);
      const kept = newestFirst.slice(0, maxSessions);
      // A clock that is behind must not make the new session the oldest.
      return kept.includes(entry) ? kept : [entry, ...kept.slice(0, -1)];
    });
    return removed;
  }

  /** Returns true if a session is in the list. */
  async has(digest: string): Promise<boolean> {
    return (await this.#load()).entries.some((entry) => entry.digest === digest);
  }

  /** Ends the sessions with a property: deletes their records, and removes them from the list. Returns their number. */
  async end(isEnded: (entry: IndexEntry) => boolean): Promise<number> {
    const { removed } = await this.#change((entries) => entries.filter((entry) => !isEnded(entry)));
    return removed;
  }

  /** Removes a session whose records are deleted already. */
  async remove(digest: string): Promise<Removal> {
    const stay = (entries: readonly IndexEntry[]) =>
      entries.filter((entry) => entry.digest !== digest);
    const { entries, removed } = await this.#change(stay, () => Promise.resolve());
    return { others: entries.map((entry) => entry.digest), wasListed: removed > 0 };
  }

  /**
   * Changes the list, and returns it with the number of sessions that were removed. Their records are deleted first: if this process
   * stops between the two, the list still has them. They are deleted again afterwards, because a login that found itself in the list
   * may have saved them meanwhile.
   */
  async #change(
    change: (entries: readonly IndexEntry[]) => readonly IndexEntry[],
    deleteRecords = this.#deleteRecords,
  ): Promise<{ readonly entries: readonly IndexEntry[]; readonly removed: number }> {
    return await untilSaved("The sessions of the person were not changed", async () => {
      const { entries, version } = await this.#load();
      const changed = change(entries);
      const removed = entries.filter((entry) => !changed.includes(entry));
      const result = { entries: changed, removed: removed.length };
      if (removed.length === 0 && changed.length === entries.length) return result;
      const deleteRemoved = () => Promise.all(removed.map(({ digest }) => deleteRecords(digest)));
      await deleteRemoved();
      // Without sessions, the store may forget the list at once.
      const expiresAt = Math.max(Date.now(), ...changed.map(({ endsAt }) => endsAt));
      const value = { format, sessions: changed };
      if (await this.#store.save(this.#key, value, { version, expiresAt }) === null) return null;
      await deleteRemoved();
      return result;
    });
  }

  async #load(): Promise<{
    /** The sessions that have not ended. */
    readonly entries: readonly IndexEntry[];
    readonly version: string | null;
  }> {
    const found = await this.#store.load(this.#key);
    const content = ofThisFormat<{ readonly sessions: readonly IndexEntry[] }>(found?.value);
    const entries = (content?.sessions ?? []).filter(({ endsAt }) => endsAt > Date.now());
    return { entries, version: found?.version ?? null };
  }
}
