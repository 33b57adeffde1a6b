/**
 * The state of one rate limit: the number of requests that fit into a window, and the number that still fit into this one.
 *
 * The platform counts a request when it arrives. So a request in flight counts as one that the last answer did not include.
 *
 * @see {@link https://docs.discord.com/developers/topics/rate-limits | Rate limits in the platform's documentation}
 *
 * @module
 */

import { jitter, type StatedLimit } from "./rate_limit.ts";

/** The length of a window in milliseconds until an answer states it. The known limits of the platform are per second. */
const defaultWindow = 1000;

/** Milliseconds without a 429 after which a limit that was learned from 429s is doubled, in case it is too low. */
const relearnAfter = 10_000;

/** One rate limit. Times are those of `performance.now()`. */
export class Bucket {
  /** The platform's name for it; `null` until an answer states one. */
  name: string | null = null;
  /** True once an answer has shown whether there is a limit. Until then, one request is sent at a time. */
  #isKnown: boolean;
  /** True if the platform states the limit. Otherwise it is learned from 429s. */
  #isStated = false;
  /** The number of requests that fit into a window. */
  #limit: number;
  /** The length of a window, in milliseconds. */
  #windowLength = defaultWindow;
  #startedAt = -Infinity;
  #endsAt = -Infinity;
  /** True if an answer has stated the end of this window. */
  #endIsStated = false;
  /** The number of further requests that fit into this window, including those in flight. */
  #remaining: number;
  /** The number of requests of this window that are in flight. */
  #inFlight = 0;
  /** The number of requests of this window that ended without a 429. */
  #accepted = 0;
  /** True if a request of this window got a 429. */
  #hasRefused = false;
  /** The time at which the limit was learned or doubled. */
  #learnedAt = -Infinity;

  /** @param isKnown True for no limit; false for one request at a time, until an answer shows the limit. */
  constructor(isKnown: boolean) {
    this.#isKnown = isKnown;
    this.#limit = isKnown ? Infinity : 1;
    this.#remaining = this.#limit;
  }

  /** Returns true if a request may be sent now, after `ahead` others. */
  hasRoom(ahead: number, now: number): boolean {
    if (now >= this.#endsAt) this.#startWindow(now);
    return this.#remaining - this.#inFlight - ahead > 0;
  }

  /** Returns the milliseconds until the next window. */
  endsIn(now: number): number {
    return this.#endsAt - now;
  }

  /**
   * Returns the shortest time that a request has to wait after `ahead` others, in milliseconds; 0 if the answer to a request in
   * flight may let it go any time.
   */
  minimumWait(ahead: number, now: number): number {
    const over = ahead - this.#remaining;
    if (!this.#isKnown || over < 0) return 0;
    return this.endsIn(now) + Math.floor(over / this.#limit) * this.#windowLength;
  }

  /** Counts a request that is about to be sent. */
  countStart(): void {
    this.#inFlight += 1;
  }

  /** Counts a request that has ended. */
  countEnd(sentAt: number): void {
    if (this.#isInThisWindow(sentAt)) this.#inFlight -= 1;
  }

  /**
   * Learns from a request that did not get a 429.
   *
   * @param showsLimit True if the answer would state a limit if there were one.
   */
  recordAccepted(
    sentAt: number,
    now: number,
    stated: StatedLimit | null,
    showsLimit: boolean,
  ): void {
    if (stated) return this.#applyStatedLimit(stated, sentAt, now);
    if (!this.#isKnown && showsLimit) {
      this.#isKnown = true;
      this.#limit = Infinity;
      this.#remaining = Infinity;
    }
    if (!this.#isKnown || !this.#isInThisWindow(sentAt)) return;
    this.#remaining -= 1;
    this.#accepted += 1;
    if (this.#hasRefused) this.#inferLimit();
  }

  /** Learns from a 429 that asks for a wait in milliseconds. */
  recordRefused(
    sentAt: number,
    now: number,
    milliseconds: number,
    stated: StatedLimit | null,
  ): void {
    if (stated) this.#applyStatedLimit(stated, sentAt, now);
    const endsAt = now + milliseconds;
    this.#endsAt = this.#endIsStated ? Math.max(this.#endsAt, endsAt) : endsAt;
    this.#endIsStated = true;
    this.#isKnown = true;
    this.#hasRefused = true;
    this.#remaining = 0;
    this.#learnedAt = now;
    this.#inferLimit();
    // The wait lasts until the window ends, so a window is at least that long. But a long wait is a penalty, and says nothing about
    // windows.
    if (!this.#isStated && this.#accepted > 0 && milliseconds <= relearnAfter) {
      this.#windowLength = Math.max(this.#windowLength, milliseconds);
    }
  }

  #isInThisWindow(sentAt: number): boolean {
    return sentAt >= this.#startedAt;
  }

  #startWindow(now: number): void {
    if (!this.#isStated && this.#isKnown && now - this.#learnedAt > relearnAfter) {
      this.#limit *= 2;
      this.#learnedAt = now;
    }
    // The platform may count the requests in flight in this window, so they take a place in it. They take none in the next window:
    // a request that is never answered would take a place forever.
    this.#remaining = this.#limit - this.#inFlight;
    this.#inFlight = 0;
    this.#accepted = 0;
    this.#hasRefused = false;
    this.#startedAt = now;
    // Holds until an answer states the end. A shorter window would be over before an answer arrives.
    this.#endsAt = now + Math.max(this.#windowLength, defaultWindow);
    this.#endIsStated = false;
  }

  /** Applies the limit that an answer states. The answer to a later request may have come first. */
  #applyStatedLimit({ limit, remaining, endsIn }: StatedLimit, sentAt: number, now: number): void {
    const isFirst = !this.#isStated;
    this.#isKnown = true;
    this.#isStated = true;
    this.#limit = Math.max(1, limit);
    // True if its window ends after the known one, even if the platform counted the request the moment it was sent.
    const isLater = sentAt + endsIn > this.#endsAt;
    const isInThisWindow = this.#isInThisWindow(sentAt);
    const endsAt = now + jitter(endsIn);
    if (isFirst || isLater || (isInThisWindow && !this.#endIsStated)) {
      this.#windowLength = jitter(endsIn);
      this.#remaining = remaining;
      this.#endsAt = endsAt;
      this.#endIsStated = true;
    } else if (isInThisWindow) {
      this.#remaining = Math.min(this.#remaining, remaining);
      this.#endsAt = Math.max(this.#endsAt, endsAt);
    }
  }

  /** Sets a limit that the platform does not state: the number of requests that it accepted before a 429. */
  #inferLimit(): void {
    if (!this.#isStated) this.#limit = Math.max(1, this.#accepted);
  }
}
