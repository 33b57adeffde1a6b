/**
 * What is known of one rate limit: how many requests fit into a window, and how many more fit into this one.
 *
 * The platform counts when a request arrives, which is some time after it was sent and before its answer is here. So a
 * request in flight counts as one that the last answer did not know of yet.
 *
 * @see {@link https://docs.discord.com/developers/topics/rate-limits | Rate limits in the platform's documentation}
 *
 * @module
 */

import { spread, type StatedLimit } from "./rate_limit.ts";

/** Milliseconds of a window, as long as no answer says more: the limits of the platform that are known are for a second. */
const usualWindow = 1000;

/** Milliseconds without a refusal after which a limit that was learned from refusals is doubled, in case it was a mistake. */
const caution = 10_000;

/** One rate limit. Points in time are those of `performance.now()`. */
export class Bucket {
  /** What the platform calls it; `null` until an answer says so. */
  name: string | null = null;
  /** Whether an answer has shown whether there is a limit. Until then, one request is sent at a time. */
  #isKnown: boolean;
  /** Whether the platform states the limit; where it does not, it is learned from refusals. */
  #isStated = false;
  /** How many requests fit into a window, and how many milliseconds it takes. */
  #limit: number;
  #length = usualWindow;
  #startedAt = -Infinity;
  #endsAt = -Infinity;
  /** Whether an answer has said when this window ends. */
  #endIsStated = false;
  /** How many more requests fit into this window, those in flight among them. */
  #remaining: number;
  /** How many requests of this window are in flight, were accepted, and whether one was refused. */
  #inFlight = 0;
  #accepted = 0;
  #isRefused = false;
  /** When the limit was learned or doubled. */
  #learnedAt = -Infinity;

  /** Begins without a limit, or with one request at a time until an answer says more. */
  constructor(isKnown: boolean) {
    this.#isKnown = isKnown;
    this.#limit = isKnown ? Infinity : 1;
    this.#remaining = this.#limit;
  }

  /** Whether a request may be sent now, after `ahead` others. */
  isOpen(ahead: number, now: number): boolean {
    if (now >= this.#endsAt) this.#begin(now);
    return this.#remaining - this.#inFlight - ahead > 0;
  }

  /** Milliseconds until the next window. */
  endsIn(now: number): number {
    return this.#endsAt - now;
  }

  /**
   * Milliseconds that a request has to wait at least, after `ahead` others; `0` where the answer to a request in flight may
   * let it go any time.
   */
  leastWait(ahead: number, now: number): number {
    const over = ahead - this.#remaining;
    if (!this.#isKnown || over < 0) return 0;
    return this.endsIn(now) + Math.floor(over / this.#limit) * this.#length;
  }

  /** Counts a request that is sent. */
  take(): void {
    this.#inFlight += 1;
  }

  /** Counts the end of a request. */
  release(sentAt: number): void {
    if (this.#isOfThisWindow(sentAt)) this.#inFlight -= 1;
  }

  /**
   * Learns from a request that was not refused for its limit.
   *
   * @param showsLimit Whether there would be a statement, if there were a limit.
   */
  accept(sentAt: number, now: number, stated: StatedLimit | null, showsLimit: boolean): void {
    if (stated) return this.#learn(stated, sentAt, now);
    if (!this.#isKnown && showsLimit) {
      this.#isKnown = true;
      this.#limit = Infinity;
      this.#remaining = Infinity;
    }
    if (!this.#isKnown || !this.#isOfThisWindow(sentAt)) return;
    this.#remaining -= 1;
    this.#accepted += 1;
    if (this.#isRefused) this.#guessLimit();
  }

  /** Learns from a request that was refused for its limit, for so many milliseconds. */
  refuse(sentAt: number, now: number, milliseconds: number, stated: StatedLimit | null): void {
    if (stated) this.#learn(stated, sentAt, now);
    const endsAt = now + milliseconds;
    this.#endsAt = this.#endIsStated ? Math.max(this.#endsAt, endsAt) : endsAt;
    this.#endIsStated = true;
    this.#isKnown = true;
    this.#isRefused = true;
    this.#remaining = 0;
    this.#learnedAt = now;
    this.#guessLimit();
    // The wait is until the window ends, so a window is at least that long. A long wait is a penalty, though, and says nothing
    // about windows.
    if (!this.#isStated && this.#accepted > 0 && milliseconds <= caution) {
      this.#length = Math.max(this.#length, milliseconds);
    }
  }

  #isOfThisWindow(sentAt: number): boolean {
    return sentAt >= this.#startedAt;
  }

  #begin(now: number): void {
    if (!this.#isStated && this.#isKnown && now - this.#learnedAt > caution) {
      this.#limit *= 2;
      this.#learnedAt = now;
    }
    // The platform may count the requests in flight in this window, so they have a place in it. They have none in the next
    // window, or a request that is never answered would take up a place for ever.
    this.#remaining = this.#limit - this.#inFlight;
    this.#inFlight = 0;
    this.#accepted = 0;
    this.#isRefused = false;
    this.#startedAt = now;
    // Until an answer says when it really ends. A shorter one would be over before any answer is here.
    this.#endsAt = now + Math.max(this.#length, usualWindow);
    this.#endIsStated = false;
  }

  /** Takes over what an answer says. It may come after the answer to a later request. */
  #learn({ limit, remaining, endsIn }: StatedLimit, sentAt: number, now: number): void {
    const isFirst = !this.#isStated;
    this.#isKnown = true;
    this.#isStated = true;
    this.#limit = Math.max(1, limit);
    // Its window ends later than the known one, even if the platform counted it the moment it was sent.
    const isLater = sentAt + endsIn > this.#endsAt;
    const isOfThisWindow = this.#isOfThisWindow(sentAt);
    const endsAt = now + spread(endsIn);
    if (isFirst || isLater || (isOfThisWindow && !this.#endIsStated)) {
      this.#length = spread(endsIn);
      this.#remaining = remaining;
      this.#endsAt = endsAt;
      this.#endIsStated = true;
    } else if (isOfThisWindow) {
      this.#remaining = Math.min(this.#remaining, remaining);
      this.#endsAt = Math.max(this.#endsAt, endsAt);
    }
  }

  /** Where the platform does not state the limit: as many as it accepted before it refused one. */
  #guessLimit(): void {
    if (!this.#isStated) this.#limit = Math.max(1, this.#accepted);
  }
}
