/**
 * The list of a person's sessions, from which the application ends sessions without their cookies.
 *
 * @module
 */

import { wrongStoreError } from "../../stores/loaded_value.ts";
import { format, ofThisFormat } from "../../stores/names.ts";
import type { Store } from "../../stores/store.ts";
import { untilSaved } from "../../tokens/store_loops.ts";

/** A session in the list. Times are in milliseconds since the epoch. */
export interface IndexEntry {
  /** The digest in the names of the session's records. */
  readonly digest: string;
  /** The id of the session in the list for the person: the digest at the login. A consent keeps it. @default {digest} */
  readonly id?: string;
  /** The time of the session's login. @default {startedAt} */
  readonly loggedInAt?: number;
  /** The encrypted label of the session. */
  readonly label?: string;
  /** The time of the session's login or latest consent. */
  readonly startedAt: number;
  readonly endsAt: number;
  /** The digest in the name of the login's progress record. */
  readonly attempt?: string;
  /**
   * The digest of the session that this one is to continue, after a consent for further scopes. Until the consent is finished, this session
   * ends together with the previous one.
   */
  readonly continues?: string;
  /** The digest of the session that continues this one. */
  readonly continuedBy?: string;
}

/** The result of {@link PersonIndex.end} and {@link PersonIndex.remove}. */
export interface Removal {
  /** The number of removed sessions. It is 0 if another request has removed them. */
  readonly count: number;
  /** The digests of all removed entries, also of sessions that other sessions continue. */
  readonly removed: readonly string[];
  /** The digests of the remaining entries. */
  readonly others: readonly string[];
}

/** Deletes the records of a session. May run several times for one session. */
export type DeleteRecords = (entry: IndexEntry) => Promise<unknown>;

/** A change of the list. */
interface Change {
  readonly entries: readonly IndexEntry[];
  readonly removed: readonly IndexEntry[];
}

/** The maximum number of sessions of a person. */
const maxSessions = 50;

/** The list of one person's sessions in a store. Changed only by compare-and-set, since several requests share the list. */
export class PersonIndex {
  readonly #store: Store;
  readonly #key: Promise<string>;
  readonly #deleteRecords: DeleteRecords;

  constructor(store: Store, key: Promise<string>, deleteRecords: DeleteRecords) {
    this.#store = store;
    this.#key = key;
    this.#deleteRecords = deleteRecords;
  }

  /**
   * Adds a session. If there are too many, ends the oldest ones. Returns the number of ended sessions, or `null` if the list does not have
   * the session to continue.
   */
  async add(entry: IndexEntry): Promise<number | null> {
    const { entries, removed } = await this.#change((entries) => {
      const previous = entries.filter(({ digest }) => digest === entry.continues);
      if (entry.continues && previous.length === 0) return entries;
      const added = { ...entry, ...previous.map(keptByConsent)[0] };
      const others = entries.filter((other) => !previous.includes(other));
      // The list has the newest login first, whatever the clocks say. Continued sessions are removed before open ones.
      others.sort((a, b) => Number(isOpen(b)) - Number(isOpen(a)));
      // A consent does not add a session.
      return [added, ...previous, ...others.slice(0, maxSessions - 1)];
    });
    return includesDigest(entries, entry.digest) ? removed.filter(isOpen).length : null;
  }

  /** Returns the sessions that have not ended. During a consent, a session may have several entries with one id. */
  async entries(): Promise<readonly IndexEntry[]> {
    return (await this.#load()).entries;
  }

  /** Returns true if a session is in the list. */
  async has(digest: string): Promise<boolean> {
    return includesDigest((await this.#load()).entries, digest);
  }

  /** Returns the newest session, not counting the one with the digest; `null` if the list has no other. */
  async newestExcept(digest: string): Promise<IndexEntry | null> {
    const others = (await this.#load()).entries.filter((entry) => entry.digest !== digest);
    return others.sort((a, b) => b.startedAt - a.startedAt)[0] ?? null;
  }

  /** Ends the sessions for which `isEnded` returns true: deletes their records, and removes them from the list. */
  async end(isEnded: (entry: IndexEntry) => boolean): Promise<Removal> {
    return removalOf(
      await this.#change((entries) => entries.filter((entry) => !isEnded(entry))),
    );
  }

  /** Removes a session whose records do not exist, and ends its continuations. */
  async remove(digest: string): Promise<Removal> {
    const change = (entries: readonly IndexEntry[]) => {
      const ended = continuationsOf(digest, entries);
      return entries.filter((entry) => !ended.has(entry.digest));
    };
    const deleteRecords = async (entry: IndexEntry) =>
      entry.digest === digest || await this.#deleteRecords(entry);
    return removalOf(await this.#change(change, deleteRecords));
  }

  /**
   * Continues a session with another one. The entry of the old session stays until the given time, so that a request that ends the old
   * session ends the new one too. Returns false if one of the two sessions has ended.
   */
  async continueBy(digest: string, continuedBy: string, until: number): Promise<boolean> {
    const { entries } = await this.#change((entries) =>
      includesDigest(entries, continuedBy)
        ? entries.map((entry) =>
          entry.digest === digest && entry.continuedBy !== continuedBy
            ? { ...entry, continuedBy, endsAt: Math.min(entry.endsAt, until) }
            : entry
        )
        : entries
    );
    return includesDigest(entries, digest) && includesDigest(entries, continuedBy);
  }

  /**
   * Changes the list. Deletes the records of removed sessions before it saves the list: if this process stops in between, the list still
   * has these sessions. Deletes the records again afterwards, because a login that found its session in the list may have saved them
   * meanwhile.
   */
  async #change(
    change: (entries: readonly IndexEntry[]) => readonly IndexEntry[],
    deleteRecords = this.#deleteRecords,
  ): Promise<Change> {
    return await untilSaved("The sessions of the person were not changed", async () => {
      const { entries: before, version } = await this.#load();
      const entries = withoutOrphans(change(before), before);
      if (entries.length === before.length && entries.every((entry) => before.includes(entry))) {
        return { entries, removed: [] };
      }
      const digests = new Set(entries.map(({ digest }) => digest));
      const removed = before.filter(({ digest }) => !digests.has(digest));
      const deleteRemoved = () => Promise.all(removed.map(deleteRecords));
      await deleteRemoved();
      // The store may remove an empty list at once.
      const expiresAt = Math.max(Date.now(), ...entries.map(({ endsAt }) => endsAt));
      const value = { format, sessions: entries };
      if (await this.#store.save(await this.#key, value, { version, expiresAt }) === null) {
        return null;
      }
      await deleteRemoved();
      return { entries, removed };
    });
  }

  async #load(): Promise<{
    /** The sessions that have not ended. */
    readonly entries: readonly IndexEntry[];
    readonly version: string | null;
  }> {
    const found = await this.#store.load(await this.#key);
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

function removalOf({ entries, removed }: Change): Removal {
  return {
    count: removed.filter(isOpen).length,
    removed: removed.map(({ digest }) => digest),
    others: entries.map(({ digest }) => digest),
  };
}

/** Removes the continuations of removed sessions. */
function withoutOrphans(
  entries: readonly IndexEntry[],
  before: readonly IndexEntry[],
): readonly IndexEntry[] {
  return entries.filter(({ digest, continues }) => {
    const previous = before.find((entry) => entry.digest === continues);
    return !previous || previous.continuedBy === digest || includesDigest(entries, previous.digest);
  });
}

/** Returns the id of a session in the list for the person. */
export function sessionIdOf({ id, digest }: IndexEntry): string {
  return id ?? digest;
}

/** Returns the properties of a session that a consent keeps. */
function keptByConsent(entry: IndexEntry): Pick<IndexEntry, "id" | "label"> {
  const { label } = entry;
  return { id: sessionIdOf(entry), ...(label !== undefined && { label }) };
}

function includesDigest(entries: readonly IndexEntry[], digest: string): boolean {
  return entries.some((entry) => entry.digest === digest);
}

/** Returns true unless another session continues this one. */
export function isOpen({ continuedBy }: IndexEntry): boolean {
  return continuedBy === undefined;
}

/** Returns the digests of a session and of its continuations. */
function continuationsOf(digest: string, entries: readonly IndexEntry[]): ReadonlySet<string> {
  const digests = new Set([digest]);
  // The loop also visits the digests that it adds.
  for (const previous of digests) {
    for (const { digest, continues } of entries) if (continues === previous) digests.add(digest);
  }
  return digests;
}

function isEntry(value: unknown): value is IndexEntry {
  const { digest, startedAt, endsAt } = Object(value);
  return typeof digest === "string" && typeof startedAt === "number" && typeof endsAt === "number";
}
