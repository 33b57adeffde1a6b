/**
 * The list of a person's sessions, from which the application ends sessions without their cookies.
 *
 * @module
 */

import { wrongStoreError } from "../../stores/with_time_limit.ts";
import { format, ofThisFormat } from "../../stores/names.ts";
import type { Store } from "../../stores/store.ts";
import { untilSaved } from "../../tokens/store_loops.ts";

/** The name of a progress record. The record may have a token of the session. */
export interface ListedProgress {
  /** The digest of the login's state. */
  readonly digest: string;
  /** The arrival of the callback, in milliseconds since the epoch. */
  readonly at: number;
}

/** A session in the list. Times are in milliseconds since the epoch. */
export interface IndexEntry {
  /** The digest in the names of the session's records, which is also the id of the session in the list for the person. */
  readonly digest: string;
  /** The time of the session's login. @default {startedAt} */
  readonly loggedInAt?: number;
  /** The encrypted label of the session. */
  readonly label?: string | undefined;
  /** The time of the session's login or latest consent. */
  readonly startedAt: number;
  readonly endsAt: number;
  /** The progress records of the login and of the latest consents. */
  readonly progress: readonly ListedProgress[];
}

/** The result of {@link PersonIndex.end} and {@link PersonIndex.remove}. */
export interface Removal {
  /** The digests of the removed sessions. Empty if another request has removed them. */
  readonly removed: readonly string[];
  /** The digests of the remaining sessions. */
  readonly others: readonly string[];
}

/** Deletes the records of a session. May run several times for one session. */
export type DeleteRecords = (entry: IndexEntry) => Promise<unknown>;

/** The maximum number of sessions of a person. */
const maxSessions = 50;

/** The list of one person's sessions in a store. Changed only by compare-and-set, since several requests share the list. */
export class PersonIndex {
  readonly #store: Store;
  readonly #key: string;
  readonly #deleteRecords: DeleteRecords;

  constructor(store: Store, key: string, deleteRecords: DeleteRecords) {
    this.#store = store;
    this.#key = key;
    this.#deleteRecords = deleteRecords;
  }

  /** Adds a session. If there are too many, ends the oldest ones. */
  async add(entry: IndexEntry): Promise<Removal> {
    // The list has the newest login first, whatever the clocks say.
    return await this.#change((entries) => [entry, ...entries.slice(0, maxSessions - 1)]);
  }

  /** Changes the entry of a session. Returns false if the session has ended. */
  async update(digest: string, change: (entry: IndexEntry) => IndexEntry): Promise<boolean> {
    const { others } = await this.#change((entries) =>
      entries.map((entry) => entry.digest === digest ? change(entry) : entry)
    );
    return others.includes(digest);
  }

  /** Returns the sessions that have not ended. */
  async entries(): Promise<readonly IndexEntry[]> {
    return (await this.#load()).entries;
  }

  /** Returns true if a session is in the list. */
  async has(digest: string): Promise<boolean> {
    return (await this.entries()).some((entry) => entry.digest === digest);
  }

  /** Returns the newest session, not counting the one with the digest; `null` if the list has no other. */
  async newestExcept(digest: string): Promise<IndexEntry | null> {
    const others = (await this.entries()).filter((entry) => entry.digest !== digest);
    return others.sort((a, b) => b.startedAt - a.startedAt)[0] ?? null;
  }

  /** Ends the sessions for which `isEnded` returns true: deletes their records, and removes them from the list. */
  async end(isEnded: (entry: IndexEntry) => boolean): Promise<Removal> {
    return await this.#change((entries) => entries.filter((entry) => !isEnded(entry)));
  }

  /** Removes a session whose records do not exist. */
  async remove(digest: string): Promise<Removal> {
    const change = (entries: readonly IndexEntry[]) =>
      entries.filter((entry) => entry.digest !== digest);
    return await this.#change(change, () => Promise.resolve());
  }

  /**
   * Changes the list. Deletes the records of removed sessions before it saves the list, so that a crash in between does not lose track of
   * them. Deletes the records again afterwards, because a login that found its session in the list may have saved them meanwhile.
   */
  async #change(
    change: (entries: readonly IndexEntry[]) => readonly IndexEntry[],
    deleteRecords = this.#deleteRecords,
  ): Promise<Removal> {
    return await untilSaved("The sessions of the user were not changed", async () => {
      const { entries: before, version } = await this.#load();
      const entries = change(before);
      const others = entries.map(({ digest }) => digest);
      if (entries.length === before.length && entries.every((entry) => before.includes(entry))) {
        return { removed: [], others };
      }
      const removed = before.filter(({ digest }) => !others.includes(digest));
      const deleteRemoved = () => Promise.all(removed.map(deleteRecords));
      await deleteRemoved();
      // The store may remove an empty list at once.
      const expiresAt = Math.max(Date.now(), ...entries.map(({ endsAt }) => endsAt));
      const value = { format, sessions: entries };
      if (await this.#store.save(this.#key, value, { version, expiresAt }) === null) {
        return null;
      }
      await deleteRemoved();
      return { removed: removed.map(({ digest }) => digest), others };
    });
  }

  async #load(): Promise<{
    /** The sessions that have not ended. */
    readonly entries: readonly IndexEntry[];
    readonly version: string | null;
  }> {
    const found = await this.#store.load(this.#key);
    const content = ofThisFormat<{ readonly sessions: readonly IndexEntry[] }>(found?.value);
    const sessions: unknown = content?.sessions ?? [];
    // The list is not encrypted, so a database could have changed it. Sessions that are missing from a damaged list would not end.
    if (!Array.isArray(sessions) || !sessions.every(isEntry)) {
      throw wrongStoreError("load", "the value that was saved", "one with other fields");
    }
    const entries = sessions.filter(({ endsAt }) => endsAt > Date.now());
    return { entries, version: found?.version ?? null };
  }
}

function isEntry(value: unknown): value is IndexEntry {
  const { digest, startedAt, endsAt, progress } = Object(value);
  return typeof digest === "string" && typeof startedAt === "number" &&
    typeof endsAt === "number" && Array.isArray(progress);
}
