/**
 * Keeps the progress of pending logins in the memory of the process, for a login without a store.
 *
 * @module
 */

import { maxStartAheadMs, pendingLifetimeMs, progressAllowanceMs } from "../../http/waits.ts";
import type { PendingLogin } from "../base/pending_login.ts";
import {
  type FoundProgress,
  type Progress,
  type ProgressRecord,
  usedProgress,
} from "../sessions/login_progress.ts";

/** The bounds of the memory. */
export interface MemoryLimits {
  /** The maximum number of records. A record has the progress of one login. */
  readonly maxRecords: number;
  /** The maximum memory of all records, in bytes. */
  readonly maxBytes: number;
  /** The maximum number of marks of used logins in each of two generations. A mark takes about 100 bytes. */
  readonly maxMarks: number;
}

const defaultLimits: MemoryLimits = {
  maxRecords: 5000,
  maxBytes: 8 * 1024 * 1024,
  maxMarks: 50_000,
};

/** The memory of a record in addition to its text, in bytes. */
const recordOverhead = 400;

/** The version of a login that has a mark and no record. */
const usedVersion = "used";

interface ProgressText {
  /** The progress as JSON. Callers can't change it, it loads like a value from a store, and its size is known. */
  readonly json: string;
  /** The memory of the record, in bytes. */
  readonly bytes: number;
  readonly version: string;
  readonly startedAt: number;
}

/** A generation of marks. A mark says that the code of a login was used. */
class Marks {
  readonly states = new Set<string>();
  /** The time at which the generation began, in milliseconds since the epoch. */
  readonly since = Date.now();
  /** The latest start of a marked login, in milliseconds since the epoch. */
  latestStart = -Infinity;
}

/**
 * Keeps the progress of logins in bounded memory, however many logins there are. The records are not encrypted, because they never leave
 * the process, and runtimes do not print private fields.
 *
 * If there are too many records, marks replace the oldest ones: those of ended logins first, unless more logins are open. A reopened
 * callback of a marked login then ends in the error `"used"`, and does not send the code.
 */
export class ProgressMemory {
  /** The logins that may go on, oldest first, by state. */
  readonly #open = new Map<string, ProgressText>();
  /** The logins that have ended, oldest first, by state. */
  readonly #ended = new Map<string, ProgressText>();
  #bytes = 0;
  #saves = 0;
  #marks = new Marks();
  #olderMarks = new Marks();
  /**
   * The latest start of a login whose mark was dropped, in milliseconds since the epoch. If there are too many marks, the older generation
   * is dropped. Every unknown login that began by this time then counts as used, so that a code is never sent twice. A person who spends
   * more time on the consent page than the latest 50,000 logins took must begin again, but a flood of logins does not lock a new visitor
   * out.
   */
  #forgottenUntil = -Infinity;
  /**
   * The latest start of a login whose mark was dropped while the clock was ahead. Unknown logins up to this time count as used while their
   * start is in the future.
   */
  #forgottenAhead = -Infinity;
  /**
   * The time for which progress is kept after the start of its login, in milliseconds. The time exceeds the lifetime of a login, because a
   * request may still be waiting for another request when the login expires.
   */
  readonly #keepForMs: number;
  readonly #limits: MemoryLimits;

  /** @param maxStepMs The maximum time of one step, in milliseconds. A request waits twice as long for another request. */
  constructor(maxStepMs: number, limits: MemoryLimits = defaultLimits) {
    this.#limits = limits;
    this.#keepForMs = pendingLifetimeMs + 2 * maxStepMs + progressAllowanceMs;
  }

  /** The number of records, their bytes, and the number of marks. */
  get size(): { readonly records: number; readonly bytes: number; readonly marks: number } {
    return {
      records: this.#open.size + this.#ended.size,
      bytes: this.#bytes,
      marks: this.#marks.states.size + this.#olderMarks.states.size,
    };
  }

  /** Returns the record of a login. */
  recordOf(pending: PendingLogin): ProgressRecord {
    return {
      load: () => Promise.resolve(this.#load(pending)),
      save: (progress, version) => Promise.resolve(this.#save(pending, progress, version)),
    };
  }

  #load(pending: PendingLogin): FoundProgress {
    const found = this.#find(pending);
    if (found) return { progress: JSON.parse(found.json), version: found.version };
    return this.#isUsed(pending)
      ? { progress: usedProgress, version: usedVersion }
      : { progress: null, version: null };
  }

  #save(pending: PendingLogin, progress: Progress, version: string | null): string | null {
    const found = this.#find(pending);
    const current = found ? found.version : this.#isUsed(pending) ? usedVersion : null;
    if (current !== version) return null;
    const { state, startedAt } = pending;
    if (found) this.#remove(state);
    else this.#removeExpired();
    const json = JSON.stringify(progress);
    // A text with any character beyond Latin-1 takes two bytes for each.
    const bytes = recordOverhead + 2 * json.length;
    const { maxRecords, maxBytes } = this.#limits;
    if (bytes > maxBytes) {
      this.#mark(state, startedAt);
      return usedVersion;
    }
    const text = { json, bytes, version: String(++this.#saves), startedAt };
    const hasEnded = progress.status === "done" || progress.status === "failed";
    (hasEnded ? this.#ended : this.#open).set(state, text);
    this.#bytes += bytes;
    while (this.#open.size + this.#ended.size > maxRecords || this.#bytes > maxBytes) {
      this.#dropOldest();
    }
    return text.version;
  }

  #find({ state }: PendingLogin): ProgressText | undefined {
    return this.#open.get(state) ?? this.#ended.get(state);
  }

  #isUsed({ state, startedAt }: PendingLogin): boolean {
    const now = Date.now();
    if (this.#forgottenUntil > now + maxStartAheadMs) {
      this.#forgottenAhead = this.#forgottenUntil;
      this.#forgottenUntil = now;
    }
    const isForgotten = startedAt <= this.#forgottenUntil ||
      (startedAt > now && startedAt <= this.#forgottenAhead);
    return isForgotten || this.#marks.states.has(state) || this.#olderMarks.states.has(state);
  }

  #remove(state: string): void {
    for (const records of [this.#open, this.#ended]) {
      const found = records.get(state);
      if (found) this.#bytes -= found.bytes;
      records.delete(state);
    }
  }

  /** Removes the records of expired logins. */
  #removeExpired(): void {
    const now = Date.now();
    for (const records of [this.#open, this.#ended]) {
      for (const [state, { startedAt }] of records) {
        if (startedAt + this.#keepForMs > now) break;
        this.#remove(state);
      }
    }
  }

  /** Replaces the oldest record with a mark. */
  #dropOldest(): void {
    const larger = this.#ended.size >= this.#open.size ? this.#ended : this.#open;
    for (const [state, { startedAt }] of larger) {
      this.#remove(state);
      this.#mark(state, startedAt);
      break;
    }
  }

  #mark(state: string, startedAt: number): void {
    const now = Date.now();
    if (
      this.#marks.states.size >= this.#limits.maxMarks || this.#marks.since + this.#keepForMs <= now
    ) {
      // If all its logins have expired, the older generation is not needed any more.
      const { latestStart } = this.#olderMarks;
      if (latestStart + this.#keepForMs > now) {
        this.#forgottenUntil = Math.max(this.#forgottenUntil, latestStart);
      }
      this.#olderMarks = this.#marks;
      this.#marks = new Marks();
    }
    this.#marks.states.add(state);
    this.#marks.latestStart = Math.max(this.#marks.latestStart, startedAt);
  }
}
