/**
 * Reads that are in flight: who asks for what is being read already, waits for the same answer.
 *
 * @module
 */

import { unlessAborted } from "../core/wait.ts";

interface SharedRead {
  readonly result: Promise<unknown>;
  /** Ends the read; `null` when its first caller has no signal, and so waits to the end. */
  readonly controller: AbortController | null;
  /** How many wait for it. */
  callers: number;
}

/** The reads of one client that are in flight. Of one that has ended nothing is kept. */
export class InFlight {
  readonly #reads = new Map<string, SharedRead>();

  /**
   * Starts a read, or waits for the one with the same key. It is ended when nobody waits for it any more.
   *
   * @param signal Ends the wait of this caller, which rejects with its reason.
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
    const result = start(controller?.signal ?? null).finally(() => this.#forget(key, read));
    const read: SharedRead = { result, controller, callers: 0 };
    this.#reads.set(key, read);
    return read;
  }

  /** Whether the read was still in flight. Another one may have begun under its key. */
  #forget(key: string, read: SharedRead): boolean {
    return this.#reads.get(key) === read && this.#reads.delete(key);
  }
}
