/**
 * Decides when requests are sent: at once where no rate limit is used up, one after the other where one is, and never with a
 * token that was refused.
 *
 * @module
 */

import type { Answer, Failure, NotSent, Outcome } from "./attempt.ts";
import { Bucket } from "./bucket.ts";
import { bucketNameIn, statedLimitIn, type TooMany, tooManyIn } from "./rate_limit.ts";
import { refusedBefore, tooLate } from "./queue_errors.ts";
import { type HttpRequest, methodOf } from "./request.ts";
import { mostRepetitions } from "./retry.ts";

/** One call. It keeps its place in the queue until it has ended, however often its request is repeated. */
export interface Call {
  readonly request: HttpRequest;
  /** The method and the URL, for errors. */
  readonly requestLine: string;
  /** When it must have ended, in terms of `performance.now()`. */
  readonly deadline: number;
  /** Fires when it has ended. */
  readonly signal: AbortSignal;
  /** How many calls came before it. */
  readonly number: number;
}

/** A call that waits for its turn. */
interface Waiting {
  readonly call: Call;
  readonly route: string;
  /** Says that it may be sent, counted in this bucket; or why it must not be. */
  readonly decide: (decision: Bucket | NotSent) => void;
}

/** An attempt that was made. */
interface Attempted {
  readonly call: Call;
  readonly route: string;
  /** The bucket in which it was counted when it was sent. */
  readonly bucket: Bucket;
  readonly sentAt: number;
  readonly outcome: Answer | Failure;
  readonly tooMany: TooMany | null;
}

/** How many limits are remembered at the most. The token of a person meets ten; that of a bot may meet one for each guild. */
const mostBuckets = 1000;

/** Milliseconds for which nothing is sent after a 429 that does not say how long to wait. */
const unknownWait = 1000;

/** The requests of one client. */
export class Queue {
  /**
   * The limits by route, and by the name that the platform gives them, since several routes may have one in common. Those
   * used last come last.
   */
  readonly #buckets = new Map<string, Bucket>();
  /** The limit over all routes, which no answer states. */
  readonly #global: Bucket = new Bucket(true);
  /** In the order of their calls. */
  #waiting: Waiting[] = [];
  /** Decides again when the next window begins; nothing is set when nobody waits. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether to decide as soon as nothing else happens at this moment. */
  #isDue = false;
  #calls = 0;
  /** The `Authorization` header that the platform refused last. */
  #refusedToken: string | null = null;

  /** Gives a call its place. */
  enter(call: Omit<Call, "number">): Call {
    return { ...call, number: this.#calls++ };
  }

  /**
   * Makes an attempt as soon as it may be made, and a `GET` again after a 429, for as long as there is time. When the call ends
   * while it waits for its turn, the promise stays pending: nobody waits for it any more.
   */
  async attempt(call: Call, attempt: () => Promise<Answer | Failure>): Promise<Outcome> {
    const route = routeOf(call.request);
    let refusal: Answer | null = null;
    let repetitions = 0;
    while (true) {
      const decision = await this.#turn(call, route);
      if (!(decision instanceof Bucket)) return refusal ?? decision;
      const sentAt = performance.now();
      const outcome = await attempt();
      const tooMany = outcome.isAnswer ? tooManyIn(outcome) : null;
      this.#settle({ call, route, bucket: decision, sentAt, outcome, tooMany });
      // Without a time to wait for, a repetition would only count toward a ban of the address.
      if (!outcome.isAnswer || tooMany === null || tooMany.wait === null) return outcome;
      if (methodOf(call.request) !== "GET") return outcome;
      if (!tooMany.isShared) repetitions += 1;
      if (repetitions > mostRepetitions) return outcome;
      refusal = outcome;
    }
  }

  /** The bucket in which the request is counted, once it may be sent; or why it must not be. */
  #turn(call: Call, route: string): Bucket | Promise<Bucket | NotSent> {
    // Usually nobody waits and nothing is exhausted, and then this is all.
    if (this.#waiting.length === 0 && !this.#isRefused(call)) {
      const now = performance.now();
      const bucket = this.#bucketOf(route);
      if (bucket.isOpen(0, now) && this.#global.isOpen(0, now)) return this.#take(bucket);
    }
    return new Promise((resolve) => {
      const leave = () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        this.#proceed();
      };
      const waiting: Waiting = {
        call,
        route,
        decide: (decision) => {
          call.signal.removeEventListener("abort", leave);
          resolve(decision);
        },
      };
      call.signal.addEventListener("abort", leave);
      const place = this.#waiting.findLastIndex((other) => other.call.number < call.number) + 1;
      this.#waiting.splice(place, 0, waiting);
      // Once for all calls that come at the same moment, since a decision goes through the whole queue.
      if (!this.#isDue) queueMicrotask(() => this.#proceed());
      this.#isDue = true;
    });
  }

  /** Decides for all who wait, in their order: they are sent, wait on, or fail now since their turn would come too late. */
  #proceed(): void {
    clearTimeout(this.#timer);
    this.#isDue = false;
    const now = performance.now();
    const ahead = new Map<Bucket, number>();
    let aheadOfAll = 0;
    let pause = Infinity;
    this.#waiting = this.#waiting.filter(({ call, route, decide }) => {
      if (this.#isRefused(call)) {
        decide({ isAnswer: false, error: refusedBefore(call.requestLine, call.request) });
        return false;
      }
      const bucket = this.#bucketOf(route);
      const before = ahead.get(bucket) ?? 0;
      const isOpen = bucket.isOpen(before, now);
      if (isOpen && this.#global.isOpen(aheadOfAll, now)) {
        decide(this.#take(bucket));
        return false;
      }
      const waitForAll = this.#global.leastWait(aheadOfAll, now);
      const wait = Math.max(bucket.leastWait(before, now), waitForAll);
      if (now + wait > call.deadline) {
        const error = tooLate(call.requestLine, wait, wait === waitForAll);
        decide({ isAnswer: false, error });
        return false;
      }
      ahead.set(bucket, before + 1);
      if (isOpen) aheadOfAll += 1;
      pause = Math.min(pause, (isOpen ? this.#global : bucket).endsIn(now));
      return true;
    });
    if (this.#waiting.length > 0) {
      // Rounded up: timers cut off fractions of a millisecond, and would fire too early.
      this.#timer = setTimeout(() => this.#proceed(), Math.ceil(pause));
    }
  }

  #take(bucket: Bucket): Bucket {
    bucket.take();
    this.#global.take();
    return bucket;
  }

  /** Updates the limits, and the refused token, after an attempt. */
  #settle({ call, route, bucket: taken, sentAt, outcome, tooMany }: Attempted): void {
    const now = performance.now();
    taken.release(sentAt);
    this.#global.release(sentAt);
    if (!outcome.isAnswer) {
      taken.accept(sentAt, now, null, false);
    } else {
      if (outcome.status === 401) this.#refusedToken = call.request.authorization ?? null;
      const bucket = this.#identify(taken, route, call.request, outcome);
      const stated = statedLimitIn(outcome);
      const wait = tooMany?.wait ?? unknownWait;
      if (tooMany?.isGlobal) this.#global.refuse(sentAt, now, wait, null);
      else {
        this.#global.accept(sentAt, now, null, true);
        if (tooMany) bucket.refuse(sentAt, now, wait, stated);
        else bucket.accept(sentAt, now, stated, outcome.status < 500);
      }
    }
    if (this.#waiting.length > 0) this.#proceed();
  }

  /** The bucket that an answer names, which is the route's from then on. */
  #identify(taken: Bucket, route: string, { path }: HttpRequest, answer: Answer): Bucket {
    const named = bucketNameIn(answer);
    if (named === null) return taken;
    const name = `${named} ${topLevelOf(path)}`;
    if (taken.name === name) return taken;
    const bucket = this.#buckets.get(name) ?? (taken.name === null ? taken : new Bucket(false));
    bucket.name = name;
    this.#remember(name, bucket);
    this.#remember(route, bucket);
    return bucket;
  }

  #bucketOf(route: string): Bucket {
    const bucket = this.#buckets.get(route) ?? new Bucket(false);
    this.#remember(route, bucket);
    return bucket;
  }

  #remember(key: string, bucket: Bucket): void {
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > mostBuckets) {
      const [oldest = ""] = this.#buckets.keys();
      this.#buckets.delete(oldest);
    }
  }

  /** Whether the platform has refused the token of a call. */
  #isRefused({ request }: Call): boolean {
    return this.#refusedToken !== null && this.#refusedToken === request.authorization;
  }
}

/** The method and the path, without the ids that limits do not depend on. */
function routeOf(request: HttpRequest): string {
  const path = request.path.replace(/^(\/guilds\/\d+)|\/\d+/g, (_id, topLevel = "/*") => topLevel);
  return `${methodOf(request)} ${path}`;
}

/** The part of a path that has limits of its own: a guild. The platform has others, which no request here is about. */
function topLevelOf(path: string): string {
  const [topLevel = ""] = path.match(/^\/guilds\/\d+/) ?? [];
  return topLevel;
}
