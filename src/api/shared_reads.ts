/**
 * The reads that all clients of this process share: recent models, and reads under way.
 *
 * They are plain data: on Cloudflare Workers a request can't wait for a promise or a timer of another request. A call polls a read
 * under way with its own timer. The keys contain the tokens, in private fields that are never printed.
 *
 * @module
 */

import { type Deadline, unlessAborted } from "../core/wait.ts";
import { ApiError, PayloadError, RateLimitError } from "../core/response_errors.ts";
import { type Claim, isHeld, release, untilReleased } from "../http/limits/claim.ts";
import { otherCallTimeoutError } from "../http/call_errors.ts";
import type { PlatformState } from "../http/limits/platform_state.ts";
import { maxReadSilenceMs, readBeatMs } from "../http/waits.ts";

/** A read, as a call describes it. */
export interface ReadRequest {
  /** The `Authorization` header. */
  readonly authorization: string;
  /** Identifies a read among those with the same token. Reads with the same key have the same type of model. */
  readonly key: string;
  /** The maximum age of a cached model. With 0, the read is shared while it is under way, and its model is not cached. */
  readonly maxAgeMs: number;
  /** True to send a request even if there is a cached model or a read under way. */
  readonly fresh: boolean;
  /** The method and the URL, for errors. */
  readonly requestLine: string;
  readonly deadline: Deadline;
  readonly signal: AbortSignal | null | undefined;
}

/** The reads with one token. */
interface TokenReads {
  readonly tokenKey: string;
  /** The slots by key, with the least recently used slot first. */
  readonly slots: Map<string, Slot>;
  /** The sum of the sizes of the slots. */
  size: number;
}

/** The reads with one token and key. */
interface Slot {
  readonly token: TokenReads;
  readonly key: string;
  /** The estimated memory, in bytes. */
  size: number;
  kept: KeptModel | null;
  /** The latest read under way. */
  read: Read | null;
  /** The number of the latest read that has ended with a result. */
  lastNumber: number;
}

interface KeptModel {
  readonly model: unknown;
  /** The time when the model arrived, as of `performance.now()`. */
  readonly arrivedAt: number;
}

/** A read that one call carries out. The call extends the claim until the read ends. */
interface Read extends Claim {
  /** The number of calls that want the model, including the reading one. */
  callers: number;
  /** The number of the read, in the order in which the reads began. */
  readonly number: number;
  /**
   * Returns the model to the waiting calls, or throws Discord's refusal. `null` while the read is under way, and after a failure:
   * then one of them sends a new request.
   */
  outcome: (() => unknown) | null;
}

/** The maximum number of tokens. Most people have one token. */
const maxTokens = 1000;

/** The maximum memory for all models. */
const maxBytes = 16_000_000;

/** The maximum memory for the models of one token. A model that takes more than half of this memory is not cached. */
const maxBytesOfToken = maxBytes / 16;

/** The memory of a slot without its model: an estimate, like all sizes here. */
const emptySlotBytes = 1000;

/** The reads of all platforms. */
export class SharedReads {
  /** The reads of each token, with the least recently used token first. */
  readonly #tokens = new Map<string, TokenReads>();
  #reads = 0;
  #size = 0;

  /**
   * Returns a cached model, waits for a read under way, or sends a request. If the read under way fails or its claim expires, one of
   * the waiting calls takes over. If the signals of all its callers fire, the read is stopped.
   *
   * @param ask Reads from Discord, until its signal fires. Callers must not change the model.
   * @throws {TimeoutError} If the read under way does not end before the deadline.
   */
  async read<Model>(
    platform: PlatformState,
    request: ReadRequest,
    ask: (signal: AbortSignal | null) => Promise<Model>,
  ): Promise<Model> {
    const { authorization, key, maxAgeMs, fresh, deadline, signal } = request;
    signal?.throwIfAborted();
    const tokenKey = tokenKeyOf(platform, authorization);
    while (true) {
      const now = performance.now();
      if (now >= deadline.at) throw otherCallTimeoutError(request.requestLine, deadline);
      const slot = this.#slotOf(tokenKey, key);
      const { kept, read } = slot;
      if (!fresh && kept && now - kept.arrivedAt < maxAgeMs) return kept.model as Model;
      if (fresh || !read || !isHeld(read, now)) return await this.#carryOut(slot, request, ask);
      read.callers += 1;
      await untilReleased(read, deadline.at, signal).finally(() => read.callers -= 1);
      if (read.outcome) return read.outcome() as Model;
    }
  }

  /** Removes the cached models of a token. The model of a read under way is not cached. */
  forget(platform: PlatformState, authorization: string): void {
    this.#drop(tokenKeyOf(platform, authorization));
  }

  #slotOf(tokenKey: string, key: string): Slot {
    const token = this.#tokens.get(tokenKey) ?? { tokenKey, slots: new Map(), size: 0 };
    const slot = token.slots.get(key) ??
      { token, key, size: 0, kept: null, read: null, lastNumber: 0 };
    moveToEnd(this.#tokens, tokenKey, token);
    moveToEnd(token.slots, key, slot);
    if (slot.size === 0) this.#resize(slot, emptySlotBytes + key.length);
    return slot;
  }

  /** Carries a read out. It goes on without its call while other calls wait for it, and is stopped when the last one has left. */
  async #carryOut<Model>(
    slot: Slot,
    { signal, maxAgeMs }: ReadRequest,
    ask: (signal: AbortSignal | null) => Promise<Model>,
  ): Promise<Model> {
    const controller = signal ? new AbortController() : null;
    const read: Read = { number: ++this.#reads, heldUntil: 0, callers: 1, outcome: null };
    slot.read = read;
    const prolong = () => read.heldUntil = performance.now() + maxReadSilenceMs;
    const stopIfLeft = () => {
      if (read.callers > 0) return;
      release(read);
      controller?.abort(signal?.reason);
    };
    prolong();
    const beat = setInterval(() => {
      prolong();
      stopIfLeft();
    }, readBeatMs);
    const reading = this.#settle(slot, read, maxAgeMs > 0, ask(controller?.signal ?? null))
      .finally(() => clearInterval(beat));
    try {
      return await unlessAborted(reading, signal);
    } finally {
      read.callers -= 1;
      if (signal?.aborted) stopIfLeft();
    }
  }

  /** Gives the result of a read to the waiting calls, and caches the model. */
  async #settle<Model>(
    slot: Slot,
    read: Read,
    isCached: boolean,
    reading: Promise<Model>,
  ): Promise<Model> {
    try {
      const model = await reading;
      read.outcome = () => model;
      if (isCached) this.#keep(slot, read, model);
      return model;
    } catch (error) {
      if (isRefusal(error)) {
        read.outcome = () => {
          throw error;
        };
        this.#keep(slot, read, null);
      }
      throw error;
    } finally {
      release(read);
      if (slot.read === read) slot.read = null;
    }
  }

  /** Replaces the cached model, unless the models of the token were removed, or a later read has already ended. */
  #keep(slot: Slot, { number }: Read, model: unknown): void {
    const { token, key } = slot;
    const isForgotten = this.#tokens.get(token.tokenKey)?.slots.get(key) !== slot;
    if (isForgotten || number < slot.lastNumber) return;
    slot.lastNumber = number;
    const size = sizeOf(model);
    const isKept = model !== null && size <= maxBytesOfToken / 2;
    slot.kept = isKept ? { model, arrivedAt: performance.now() } : null;
    this.#resize(slot, emptySlotBytes + key.length + (isKept ? size : 0));
  }

  /** Sets the size of a slot, and removes the least recently used slots and tokens until all sizes are within their limits. */
  #resize(slot: Slot, size: number): void {
    const { token } = slot;
    this.#grow(token, size - slot.size);
    slot.size = size;
    for (const oldest of token.slots.values()) {
      if (token.size <= maxBytesOfToken) break;
      token.slots.delete(oldest.key);
      this.#grow(token, -oldest.size);
    }
    for (const oldest of this.#tokens.keys()) {
      if (this.#tokens.size <= maxTokens && this.#size <= maxBytes) break;
      this.#drop(oldest);
    }
  }

  #grow(token: TokenReads, bytes: number): void {
    token.size += bytes;
    this.#size += bytes;
  }

  #drop(tokenKey: string): void {
    this.#size -= this.#tokens.get(tokenKey)?.size ?? 0;
    this.#tokens.delete(tokenKey);
  }
}

function tokenKeyOf({ number }: PlatformState, authorization: string): string {
  return `${number} ${authorization}`;
}

/** The reads of this process. */
export const sharedReads: SharedReads = /* @__PURE__ */ new SharedReads();

/** Returns true for an error that the next request would get, too. */
function isRefusal(error: unknown): boolean {
  if (error instanceof PayloadError) return true;
  return error instanceof ApiError && !(error instanceof RateLimitError) && error.httpStatus < 500;
}

/**
 * Estimates the memory that a model takes in V8, in bytes. It does not recurse, since a model may be nested deeper than the stack.
 */
function sizeOf(model: unknown): number {
  let size = 0;
  const pending = [model];
  while (pending.length > 0) {
    const part = pending.pop();
    size += 8;
    if (typeof part === "string") size += 32 + part.length;
    else if (typeof part === "object" && part !== null) {
      size += 56;
      for (const inner of Object.values(part)) pending.push(inner);
    }
  }
  return size;
}

function moveToEnd<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
}
