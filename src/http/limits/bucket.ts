/**
 * A rate limit that this process knows, with its window and the room for more requests in the window.
 *
 * A process can't know when Discord has counted a request, so each request in flight takes a place in the window.
 * A response may be about an earlier window, so only a response that is certainly about a later window lowers the count.
 *
 * @see {@link https://docs.discord.com/developers/topics/rate-limits | Discord: Rate limits}
 *
 * @module
 */

import type { StatedLimit } from "../response.ts";
import { defaultWindowMs, jitter, maxFlightMs, oneAtATimeMs, queuePollMs } from "../waits.ts";

/** One rate limit. Times are those of `performance.now()`. */
export class Bucket {
  /** Discord's name of the bucket; `null` until a response states it. */
  name: string | null = null;
  /** True once a response has shown whether there is a limit. Until then, one request is sent at a time. */
  #isKnown = false;
  /** The time until which, after a 429, a response without a stated limit does not lift the limit. */
  #oneAtATimeUntil = -Infinity;
  /** The number of requests that fit into a window. */
  #limit = 1;
  #windowLength = defaultWindowMs;
  #endsAt = -Infinity;
  /** True if a response has stated the end of this window. */
  #endIsStated = false;
  /** The number of responses in this window. */
  #counted = 0;
  /** The times at which the requests in flight were sent, in order. Each request takes a place, even when a new window begins. */
  readonly #inFlight: number[] = [];

  /** Returns true if a request may be sent now, after `ahead` others. */
  hasRoom(ahead: number, now: number): boolean {
    if (now >= this.#endsAt) {
      this.#counted = 0;
      // Holds until a response states the end. A shorter window would be over before a response arrives.
      this.#endsAt = now + Math.max(this.#windowLength, defaultWindowMs);
      this.#endIsStated = false;
    }
    while (now - (this.#inFlight[0] ?? Infinity) >= maxFlightMs) this.#inFlight.shift();
    return this.#counted + this.#inFlight.length + ahead < this.#limit;
  }

  /** Returns the milliseconds until there may be room. */
  nextLookIn(now: number): number {
    const untilEnd = this.#endsAt - now;
    return this.#inFlight.length > 0 ? Math.min(untilEnd, queuePollMs) : untilEnd;
  }

  /**
   * Returns the minimum wait of a request after `ahead` others, in milliseconds; 0 if the response to a request in
   * flight may make room at any time.
   */
  minimumWait(ahead: number, now: number): number {
    const over = this.#counted + (this.#isKnown ? ahead : 0) - this.#limit;
    if (over < 0) return 0;
    return this.#endsAt - now + Math.floor(over / this.#limit) * this.#windowLength;
  }

  /** Counts a request that is about to be sent. */
  countStart(now: number): void {
    this.#inFlight.push(now);
  }

  /** Counts a request that has ended. */
  countEnd(sentAt: number): void {
    const index = this.#inFlight.indexOf(sentAt);
    if (index >= 0) this.#inFlight.splice(index, 1);
  }

  /**
   * Updates the limit after a request that did not get a 429.
   *
   * @param showsLimit True if the response would state an existing limit.
   */
  recordAccepted(
    sentAt: number,
    now: number,
    stated: StatedLimit | null,
    showsLimit: boolean,
  ): void {
    if (stated) return this.#applyStatedLimit(stated, sentAt, now);
    if (this.#isKnown) this.#counted += 1;
    else if (showsLimit && now >= this.#oneAtATimeUntil) {
      this.#isKnown = true;
      this.#limit = Infinity;
    }
  }

  /** Updates the limit after a 429 that demands a wait in milliseconds. */
  recordRefused(
    sentAt: number,
    now: number,
    milliseconds: number,
    stated: StatedLimit | null,
  ): void {
    if (stated) this.#applyStatedLimit(stated, sentAt, now);
    else {
      this.#isKnown = false;
      this.#limit = 1;
      this.#oneAtATimeUntil = now + milliseconds + oneAtATimeMs;
    }
    this.#extendWindow(now + milliseconds);
    this.#counted = this.#limit;
  }

  /** Applies the limit that a response states. Responses may arrive out of order. */
  #applyStatedLimit({ limit, remaining, endsIn }: StatedLimit, sentAt: number, now: number): void {
    this.#isKnown = true;
    this.#limit = Math.max(1, limit);
    const counted = this.#limit - remaining;
    // Discord counted the request after it was sent, so its window ends after this time.
    const isLaterWindow = this.#endIsStated && sentAt + endsIn > this.#endsAt;
    this.#counted = isLaterWindow ? counted : Math.max(this.#counted, counted);
    if (isLaterWindow || !this.#endIsStated) this.#windowLength = endsIn;
    this.#extendWindow(now + jitter(endsIn));
  }

  /** Sets the end of the window, unless a response has stated a later end. */
  #extendWindow(endsAt: number): void {
    this.#endsAt = this.#endIsStated ? Math.max(this.#endsAt, endsAt) : endsAt;
    this.#endIsStated = true;
  }
}
