/**
 * The progress of a pending login, and its record in the application's store or in the memory of the process.
 *
 * @module
 */

import { clockDifferenceMs, maxStartAheadMs, pendingLifetimeMs } from "../../http/waits.ts";
import type { TokenObj } from "../../resources/token.ts";
import { digestOf, format, ofThisFormat, recordKeys } from "../../stores/names.ts";
import { MemoryStore } from "../../stores/memory_store.ts";
import { createSealer, type Sealer } from "../../stores/sealed.ts";
import type { Store, StoredValue } from "../../stores/store.ts";
import type { PendingLogin } from "../base/pending_login.ts";
import type { ListedProgress } from "./person_index.ts";
import { untilSaved } from "../../tokens/store_loops.ts";

/** The progress of a login. All times are in milliseconds since the epoch. */
export type Progress =
  | PlainProgress
  /** The code was exchanged for a token. Before `until`, another request may be finishing the login with this token. */
  | { readonly status: "exchanged"; readonly token: TokenObj; readonly until: number }
  /** The login is complete. The outcome is a JSON value. */
  | { readonly status: "done"; readonly outcome: unknown };

/** The progress without secrets. */
type PlainProgress =
  /** A request is sending the code. After `until`, the code may or may not have been used. `sender` is a random id of the request. */
  | {
    readonly status: "exchanging";
    readonly until: number;
    readonly firstSentAt: number;
    readonly sender: string;
  }
  /** The code was sent and certainly not used. After `until`, it may be sent again. */
  | {
    readonly status: "postponed";
    readonly until: number;
    readonly firstSentAt: number;
    readonly blockedByEdge: boolean;
  }
  | { readonly status: "failed"; readonly reason: FailureReason };

/**
 * The reason of a failed login: the code may have been used, Discord did not respond to the code as it should, it refused the token, or
 * the session of the consent or renewal has ended.
 */
export type FailureReason = "used" | "no_response" | "refused_token" | "session_ended";

/** The progress in a store. The sealed parts are encrypted with the verifier in the cookie of the login. */
type SealedProgress =
  | PlainProgress
  | { readonly status: "exchanged"; readonly sealedToken: string; readonly until: number }
  | { readonly status: "done"; readonly sealedOutcome: string };

/** The part of a record that identifies the code of the login. */
interface CodeOfRecord {
  /** The digest of the code. Missing in a record that only says that the code was used. */
  readonly code?: string;
}

/**
 * The lifetime of a record. A record must outlive its login, or another process would send the code again. The clocks of the saving and the
 * loading process may be behind the clock of the store.
 */
const keepForMs = pendingLifetimeMs + 2 * clockDifferenceMs;

/** The progress if it is only known that the code was used. */
export const usedProgress: Progress = { status: "failed", reason: "used" };

/** The progress of a login and its version. Both are `null` before the first request with the callback. */
export interface FoundProgress {
  readonly progress: Progress | null;
  readonly version: string | null;
}

/** The operations of a store that the progress of logins needs. */
type ProgressStore = Pick<Store, "load" | "save">;

/** Loads and saves the progress of one login. */
export class ProgressRecord {
  readonly #store: ProgressStore;
  readonly #state: string;
  readonly #code: string;
  readonly #sealer: Sealer;
  #key: string | null = null;
  #codeDigest: string | null = null;

  /**
   * @param store The application's store, or `null` to keep the progress in the memory of the process.
   * @param code The code of the callback.
   */
  constructor(store: ProgressStore | null, pending: PendingLogin, code: string) {
    this.#state = pending.state;
    this.#code = code;
    if (store) {
      this.#store = store;
      this.#sealer = createSealer(pending.codeVerifier, "login progress");
    } else {
      this.#store = (memory ??= new ProgressMemory()).storeOf(pending);
      this.#sealer = withoutEncryption;
      this.#key = pending.state;
    }
  }

  /**
   * Loads the progress. A login has one code. For another code, the progress is that of a used code, so that another person's code never
   * gets the outcome.
   */
  async load(): Promise<FoundProgress> {
    const found = await this.#store.load(await this.#keyOfRecord());
    if (!found) return { progress: null, version: null };
    const { version } = found;
    const sealed = ofThisFormat<SealedProgress & CodeOfRecord>(found.value);
    // A record from another version of this library may mean that the code was sent.
    const isOwn = sealed?.code === await this.#digestOfCode();
    return { progress: sealed && isOwn ? await this.#open(sealed) : usedProgress, version };
  }

  /** Saves the progress if the record still has the given version. Returns the new version, or `null` if the version does not match. */
  async save(progress: Progress, version: string | null): Promise<string | null> {
    const code = await this.#digestOfCode();
    const value = { format, code, ...await this.#seal(progress) };
    const expiresAt = Date.now() + keepForMs;
    return await this.#store.save(await this.#keyOfRecord(), value, { version, expiresAt });
  }

  /**
   * Saves the progress as `save` does. If the store fails, returns the given version. After `null`, trying again does not help, because a
   * record exists.
   */
  async tryToSave(progress: Progress, version: string | null): Promise<string | null> {
    return await this.save(progress, version).catch(() => version);
  }

  async #keyOfRecord(): Promise<string> {
    return this.#key ??= recordKeys.progress + await digestOf(this.#state);
  }

  async #digestOfCode(): Promise<string> {
    return this.#codeDigest ??= await digestOf(this.#code);
  }

  async #seal(progress: Progress): Promise<SealedProgress> {
    if (progress.status === "exchanged") {
      const { status, token, until } = progress;
      return { status, sealedToken: await this.#sealer.seal("token", token), until };
    }
    if (progress.status !== "done") return progress;
    return { status: "done", sealedOutcome: await this.#sealer.seal("outcome", progress.outcome) };
  }

  async #open(sealed: SealedProgress): Promise<Progress> {
    if (sealed.status !== "exchanged" && sealed.status !== "done") return sealed;
    const content = sealed.status === "exchanged"
      ? await this.#sealer.open("token", sealed.sealedToken)
      : await this.#sealer.open("outcome", sealed.sealedOutcome);
    // The record was changed, or replaced with the record of another login.
    if (content === null) return usedProgress;
    return sealed.status === "exchanged"
      ? { status: "exchanged", token: content as TokenObj, until: sealed.until }
      : { status: "done", outcome: content };
  }
}

/** Writes JSON, for records that never leave the process. Encryption takes a third of the time of a callback. */
const withoutEncryption: Sealer = {
  seal: (_name, value) => Promise.resolve(JSON.stringify(value)),
  open: (_name, text) => Promise.resolve(JSON.parse(String(text))),
};

/**
 * The progress of all logins without a store. A `Login` that is made for each request finds it again. States are random, so several
 * `Login`s share it. Made at the first use, since no code runs at import.
 */
let memory: ProgressMemory | undefined;

/** The maximum memory for progress records, in bytes. It holds the progress of about 5,000 recent logins. */
const maxMemoryBytes = 16 * 1024 * 1024;

/** The memory of a record in addition to its JSON, in bytes. */
const recordOverheadBytes = 500;

/** The value of a removed record. */
const usedValue: StoredValue = { value: { format, ...usedProgress }, version: "used" };

/**
 * Keeps progress records in bounded memory. Removes the least recently saved records when it is full. A missing record may have been
 * removed, so the code is then treated as used, unless the login began after all logins with removed records. This way, no code is sent
 * twice, and a flood of logins does not keep new visitors out.
 */
export class ProgressMemory {
  readonly #store = new MemoryStore();
  readonly #maxBytes: number;
  /** The logins with a record by its key, the least recently saved first. */
  readonly #logins = new Map<
    string,
    { readonly startedAt: number; readonly savedAt: number; readonly bytes: number }
  >();
  #bytes = 0;
  /** The latest start of a login with a removed record, in milliseconds since the epoch. */
  #usedUntil = -Infinity;

  constructor(maxBytes: number = maxMemoryBytes) {
    this.#maxBytes = maxBytes;
  }

  /** The number of records, and their bytes. */
  get size(): { readonly records: number; readonly bytes: number } {
    return { records: this.#logins.size, bytes: this.#bytes };
  }

  /** Returns the memory as the store of one login. */
  storeOf({ startedAt }: PendingLogin): ProgressStore {
    return {
      load: async (key) => await this.#store.load(key) ?? this.#lostRecord(startedAt),
      save: async (key, value, options) => {
        if (options.version === null && this.#lostRecord(startedAt)) return null;
        const version = await this.#store.save(key, value, options);
        if (version !== null) this.#makeRoom(key, startedAt, JSON.stringify(value).length);
        return version;
      },
    };
  }

  /** Returns what a login without a record finds: `null` if it never had one. */
  #lostRecord(startedAt: number): StoredValue | null {
    // A clock that was far ahead has gone back.
    if (this.#usedUntil > Date.now() + maxStartAheadMs) this.#usedUntil = Date.now();
    return startedAt <= this.#usedUntil ? usedValue : null;
  }

  /** Records a saved record, and removes expired records and those above the limit. */
  #makeRoom(key: string, startedAt: number, jsonBytes: number): void {
    this.#forget(key);
    const bytes = recordOverheadBytes + jsonBytes;
    this.#logins.set(key, { startedAt, savedAt: Date.now(), bytes });
    this.#bytes += bytes;
    for (const [oldest, { startedAt, savedAt }] of this.#logins) {
      const hasExpired = savedAt + keepForMs <= Date.now();
      if (!hasExpired && this.#bytes <= this.#maxBytes) return;
      if (!hasExpired) this.#usedUntil = Math.max(this.#usedUntil, startedAt);
      this.#forget(oldest);
      void this.#store.delete(oldest);
    }
  }

  #forget(key: string): void {
    this.#bytes -= this.#logins.get(key)?.bytes ?? 0;
    this.#logins.delete(key);
  }
}

/** Replaces a progress record with the information that the code was used. */
export async function clearProgress(store: Store, { digest, at }: ListedProgress): Promise<void> {
  if (!isKept(at)) return;
  const key = recordKeys.progress + digest;
  await untilSaved("The progress of the login was not cleared", async () => {
    const found = await store.load(key);
    if (!found || Object(found.value).status === "failed") return true;
    const options = { version: found.version, expiresAt: Date.now() + keepForMs };
    const value = { format, ...usedProgress };
    return await store.save(key, value, options) === null ? null : true;
  });
}

/** Adds a progress record to a list of them, without the ones that have expired. */
export function withProgress(
  listed: readonly ListedProgress[],
  added: ListedProgress,
): readonly ListedProgress[] {
  const others = listed.filter(({ digest, at }) => digest !== added.digest && isKept(at));
  return [...others, added];
}

/** Returns true if a store may still have the progress record of a callback that arrived at a time. */
function isKept(arrivedAt: number): boolean {
  return Date.now() <= arrivedAt + keepForMs + clockDifferenceMs;
}
