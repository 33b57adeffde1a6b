/**
 * Shares the reads in flight of one client: callers of the same read at the same time get the same result.
 *
 * The callers share a promise, since the requests of one client may wait for each other. The last caller that leaves stops the read.
 * `shared_reads.ts` shares reads between clients, with plain data.
 *
 * @module
 */

import { unlessAborted } from "../core/wait.ts";

interface SharedRead {
  readonly result: Promise<unknown>;
  /** Stops the read; `null` if the first caller has no signal, so that the read runs to its end. */
  readonly controller: AbortController | null;
  /** The number of waiting callers. */
  callers: number;
}

/** The reads in flight of one client. A read that has ended is removed. */
export class InFlight {
  readonly #reads = new Map<string, SharedRead>();

  /**
   * Starts a read, or shares the read in flight with the same key. The read is stopped when its last caller leaves.
   *
   * @param signal If it fires, this caller stops waiting, and the promise rejects with the signal's reason.
   */
  async share<Result>(
    key: string,
    signal: AbortSignal | null | undefined,
    start: (signal: AbortSignal | null) => Promise<Result>,
  ): Promise<Result> {
    signal?.throwIfAborted();
    const read = this.#reads.get(key) ??
      this.#start(key, signal ? new AbortController() : null, start);
    read.callers += 1;
    try {
      return await unlessAborted(read.result, signal) as Result;
    } finally {
      read.callers -= 1;
      if (read.callers === 0 && this.#forget(key, read)) read.controller?.abort(signal?.reason);
    }
  }

  #start(
    key: string,
    controller: AbortController | null,
    start: (signal: AbortSignal | null) => Promise<unknown>,
  ): SharedRead {
    const result = start(controller?.signal ?? null);
    const read: SharedRead = { result, controller, callers: 0 };
    this.#reads.set(key, read);
    const forget = () => this.#forget(key, read);
    result.then(forget, forget);
    return read;
  }

  /** Removes a read. Returns false if the read was already removed: another read may have begun under the key. */
  #forget(key: string, read: SharedRead): boolean {
    return this.#reads.get(key) === read && this.#reads.delete(key);
  }
}
