/**
 * Decides when requests are sent: at once unless a rate limit is used up, and never with a token that the platform refused.
 *
 * @module
 */

import type { Answer, AttemptResult, Rejection } from "./attempt.ts";
import { Bucket } from "./bucket.ts";
import { refusedTokenError, tooLateError } from "./queue_errors.ts";
import {
  readBucketName,
  readStatedLimit,
  readTooManyRequests,
  type TooManyRequests,
} from "./rate_limit.ts";
import { type HttpRequest, methodOf } from "./request.ts";
import { maxRetries } from "./retry.ts";
import type { Call, Gate } from "./send.ts";

/** A call with its place in the queue, which it keeps until it ends, however often its request is sent again. */
interface QueuedCall extends Call {
  /** The number of calls that came before it. */
  readonly number: number;
}

/** A call that waits for its turn. */
interface WaitingCall {
  readonly call: QueuedCall;
  readonly route: string;
  /** Lets the request be sent, counted in a bucket, or rejects it. */
  readonly decide: (decision: Bucket | Rejection) => void;
}

/** An attempt that has ended. */
interface EndedAttempt {
  readonly call: QueuedCall;
  readonly route: string;
  /** The bucket in which it was counted when it was sent. */
  readonly bucket: Bucket;
  readonly sentAt: number;
  readonly result: AttemptResult;
  readonly tooMany: TooManyRequests | null;
}

/** The most limits that are remembered. The token of a person meets ten, that of a bot may meet one for each guild. */
const maxBuckets = 1000;

/** The wait after a 429 that states none, in milliseconds. */
const defaultWait = 1000;

/** The queue for the requests of one client. */
export class Queue implements Gate {
  /**
   * The limits by route, and by the platform's name for them, since several routes may share one. The last used comes last.
   */
  readonly #buckets = new Map<string, Bucket>();
  /** The limit over all routes. No answer states it. */
  readonly #global: Bucket = new Bucket(true);
  /** The waiting calls, in their order. */
  #waiting: WaitingCall[] = [];
  /** Runs the queue when the next window begins. Not set while no call waits. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** True if the queue will run in a microtask. */
  #isRunPlanned = false;
  readonly #numbers = new WeakMap<Call, number>();
  #calls = 0;
  /** The last `Authorization` header that the platform refused. */
  #refusedAuthorization: string | null = null;

  /**
   * Makes an attempt as soon as the limits allow it. Retries a `GET` after a 429 while there is time. If the call ends while it
   * waits for its turn, the promise stays pending, since nobody waits for it any more.
   */
  async attempt(given: Call, attempt: () => Promise<AttemptResult>): Promise<AttemptResult> {
    const number = this.#numbers.get(given) ?? this.#calls++;
    this.#numbers.set(given, number);
    const call = { ...given, number };
    const route = routeOf(call.request);
    let refused: Answer | null = null;
    let retries = 0;
    while (true) {
      const decision = await this.#waitForTurn(call, route);
      if (!(decision instanceof Bucket)) return refused ?? decision;
      const sentAt = performance.now();
      const result = await attempt();
      const tooMany = result.kind === "answer" ? readTooManyRequests(result) : null;
      this.#record({ call, route, bucket: decision, sentAt, result, tooMany });
      // If the 429 states no wait, a retry would only count toward a ban of the address.
      if (result.kind !== "answer" || tooMany === null || tooMany.wait === null) return result;
      if (methodOf(call.request) !== "GET") return result;
      if (!tooMany.isShared) retries += 1;
      if (retries > maxRetries) return result;
      refused = result;
    }
  }

  /** Waits until a request may be sent. Returns the bucket that counts it, or a rejection. */
  #waitForTurn(call: QueuedCall, route: string): Bucket | Promise<Bucket | Rejection> {
    // The usual case: no call waits, and no limit is used up.
    if (this.#waiting.length === 0 && !this.#hasRefusedToken(call)) {
      const now = performance.now();
      const bucket = this.#bucketOfRoute(route);
      if (bucket.hasRoom(0, now) && this.#global.hasRoom(0, now)) return this.#countStart(bucket);
    }
    return new Promise((resolve) => {
      const leave = () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        this.#run();
      };
      const waiting: WaitingCall = {
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
      // Once for all calls of the same moment, since a run goes through the whole queue.
      if (!this.#isRunPlanned) queueMicrotask(() => this.#run());
      this.#isRunPlanned = true;
    });
  }

  /** Goes through all waiting calls in their order: each is sent, waits on, or fails now because its turn would come too late. */
  #run(): void {
    clearTimeout(this.#timer);
    this.#isRunPlanned = false;
    const now = performance.now();
    const ahead = new Map<Bucket, number>();
    let aheadOfAll = 0;
    let pause = Infinity;
    this.#waiting = this.#waiting.filter(({ call, route, decide }) => {
      if (this.#hasRefusedToken(call)) {
        const error = refusedTokenError(call.requestLine, call.request);
        decide({ kind: "rejection", error });
        return false;
      }
      const bucket = this.#bucketOfRoute(route);
      const before = ahead.get(bucket) ?? 0;
      const hasRoom = bucket.hasRoom(before, now);
      if (hasRoom && this.#global.hasRoom(aheadOfAll, now)) {
        decide(this.#countStart(bucket));
        return false;
      }
      const waitForAll = this.#global.minimumWait(aheadOfAll, now);
      const wait = Math.max(bucket.minimumWait(before, now), waitForAll);
      if (now + wait > call.deadline) {
        const error = tooLateError(call.requestLine, wait, wait === waitForAll);
        decide({ kind: "rejection", error });
        return false;
      }
      ahead.set(bucket, before + 1);
      if (hasRoom) aheadOfAll += 1;
      pause = Math.min(pause, (hasRoom ? this.#global : bucket).endsIn(now));
      return true;
    });
    if (this.#waiting.length > 0) {
      // Rounded up, since timers cut off fractions of a millisecond and would fire too early.
      this.#timer = setTimeout(() => this.#run(), Math.ceil(pause));
    }
  }

  #countStart(bucket: Bucket): Bucket {
    bucket.countStart();
    this.#global.countStart();
    return bucket;
  }

  /** Updates the limits and the refused token after an attempt. */
  #record({ call, route, bucket: counted, sentAt, result, tooMany }: EndedAttempt): void {
    const now = performance.now();
    counted.countEnd(sentAt);
    this.#global.countEnd(sentAt);
    if (result.kind !== "answer") {
      counted.recordAccepted(sentAt, now, null, false);
    } else {
      if (result.status === 401) this.#refusedAuthorization = call.request.authorization ?? null;
      const bucket = this.#bucketOfAnswer(counted, route, call.request, result);
      const stated = readStatedLimit(result);
      const wait = tooMany?.wait ?? defaultWait;
      if (tooMany?.isGlobal) this.#global.recordRefused(sentAt, now, wait, null);
      else {
        this.#global.recordAccepted(sentAt, now, null, true);
        if (tooMany) bucket.recordRefused(sentAt, now, wait, stated);
        else bucket.recordAccepted(sentAt, now, stated, result.status < 500);
      }
    }
    if (this.#waiting.length > 0) this.#run();
  }

  /** Returns the bucket that an answer names, and makes it the bucket of the route. */
  #bucketOfAnswer(counted: Bucket, route: string, { path }: HttpRequest, answer: Answer): Bucket {
    const named = readBucketName(answer);
    if (named === null) return counted;
    const name = `${named} ${topLevelOf(path)}`;
    if (counted.name === name) return counted;
    const bucket = this.#buckets.get(name) ?? (counted.name === null ? counted : new Bucket(false));
    bucket.name = name;
    this.#remember(name, bucket);
    this.#remember(route, bucket);
    return bucket;
  }

  #bucketOfRoute(route: string): Bucket {
    const bucket = this.#buckets.get(route) ?? new Bucket(false);
    this.#remember(route, bucket);
    return bucket;
  }

  #remember(key: string, bucket: Bucket): void {
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > maxBuckets) {
      const [oldest = ""] = this.#buckets.keys();
      this.#buckets.delete(oldest);
    }
  }

  /** Returns true if the platform has refused the token of a call. */
  #hasRefusedToken({ request }: Call): boolean {
    return this.#refusedAuthorization !== null &&
      this.#refusedAuthorization === request.authorization;
  }
}

/** Returns the method and the path, without the ids that limits do not depend on. */
function routeOf(request: HttpRequest): string {
  const path = request.path.replace(/^(\/guilds\/\d+)|\/\d+/g, (_id, topLevel = "/*") => topLevel);
  return `${methodOf(request)} ${path}`;
}

/**
 * Returns the part of a path that has limits of its own: a guild. The platform has others, such as channels, which no request here
 * uses.
 */
function topLevelOf(path: string): string {
  const [topLevel = ""] = path.match(/^\/guilds\/\d+/) ?? [];
  return topLevel;
}
