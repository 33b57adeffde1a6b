/**
 * Decides when requests are sent: at once unless a rate limit is used up, and not while their token is remembered as refused.
 *
 * @module
 */

import { type AttemptResult, type HttpResponse, isSuccess, type Rejection } from "./attempt.ts";
import { Bucket } from "./bucket.ts";
import { isHeld, release } from "./claim.ts";
import { waitAfterBlock } from "./edge.ts";
import type { Call, Gate } from "./gate.ts";
import { limits, type TokenLimits } from "./limits.ts";
import type { CheckedOptions } from "./options.ts";
import { refusedTokenError, tooLateError } from "./queue_errors.ts";
import {
  readBucketName,
  readStatedLimit,
  readTooManyRequests,
  type TooManyRequests,
} from "./rate_limit.ts";
import { type HttpRequest, methodOf, shownPathOf, withoutIds } from "./request.ts";
import { maxRetries } from "./retry.ts";
import { Digests } from "./sha256.ts";
import { queuePollMs, refusalLifetimeMs } from "./waits.ts";

/** A call with its place in the queue. The call keeps its place when its request is sent again. */
interface QueuedCall extends Call {
  /** The number of earlier calls. */
  readonly number: number;
  readonly route: string;
  readonly token: TokenLimits;
  readonly global: Bucket;
}

/** A call that waits for its turn. */
interface WaitingCall {
  readonly call: QueuedCall;
  /** Gives the call its turn, or rejects its request. */
  readonly decide: (decision: Turn | Rejection) => void;
  /** `null` if the call has not had to wait for a limit. */
  hold: Hold | null;
}

/** A call's wait for a used-up limit: when it began, and which limit it is. */
interface Hold {
  /** As of `performance.now()`. */
  readonly since: number;
  readonly limit: "route" | "global";
}

/** The permission to send a request. */
interface Turn {
  readonly kind: "turn";
  /** The bucket in which the request is counted. */
  readonly bucket: Bucket;
  readonly sentAt: number;
  /** True if the request tries whether a refused token works again. */
  readonly isTrial: boolean;
  /** The wait before the request; `null` if the call did not wait for a limit. */
  readonly hold: Hold | null;
}

/** The queue for the requests of one client. It shares the state of the limits with other clients, but not timers and promises. */
export class Queue implements Gate {
  readonly #options: CheckedOptions;
  /** The waiting calls, in their order. */
  #waiting: WaitingCall[] = [];
  /** Runs the queue when there may be room. Not set while no call waits. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** True if the queue will run in a microtask. */
  #isRunPlanned = false;
  readonly #queued = new WeakMap<Call, QueuedCall>();
  readonly #digests: Digests;
  #calls = 0;

  constructor(options: CheckedOptions, digests: Digests = new Digests()) {
    this.#options = options;
    this.#digests = digests;
  }

  /**
   * Makes an attempt as soon as the limits allow it. Retries a `GET` after a 429 while there is time. If the call ends while it
   * waits for its turn, the promise stays pending, since no caller waits for the result any more.
   */
  async attempt(given: Call, attempt: () => Promise<AttemptResult>): Promise<AttemptResult> {
    const call = this.#queued.get(given) ?? this.#queue(given);
    let refused: HttpResponse | null = null;
    let retries = 0;
    while (true) {
      const turn = await this.#waitForTurn(call);
      if (turn.kind === "rejection") return refused ?? turn;
      const { hold, sentAt } = turn;
      if (hold) this.#options.observer?.sentLate(call.request, hold.limit, sentAt - hold.since);
      const result = await attempt();
      const tooMany = readLimit(result, call.request);
      record(call, turn, result, tooMany);
      if (this.#waiting.length > 0) this.#run();
      // If the 429 states no wait, a retry would only count toward an IP ban.
      if (result.kind !== "response" || !tooMany?.isStated) return result;
      if (methodOf(call.request) !== "GET") return result;
      if (!tooMany.isShared) retries += 1;
      if (retries > maxRetries) return result;
      refused = result;
    }
  }

  /** Gives a call its place, which all its attempts keep. */
  #queue(given: Call): QueuedCall {
    const { request } = given;
    const { global, tokens } = limits.for(this.#options);
    const token = tokens.get(this.#digests.of(request.authorization ?? ""));
    const call = { ...given, number: this.#calls++, route: routeOf(request), token, global };
    this.#queued.set(given, call);
    return call;
  }

  /** Waits until a request may be sent. */
  #waitForTurn(call: QueuedCall): Turn | Promise<Turn | Rejection> {
    // The usual case: no call waits, and no limit is used up.
    if (this.#waiting.length === 0 && call.token.refusedUntil === null) {
      const now = performance.now();
      const bucket = bucketOf(call);
      if (bucket.hasRoom(0, now) && call.global.hasRoom(0, now)) {
        return start(call, bucket, now, null);
      }
    }
    return new Promise((resolve) => {
      const leave = () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        this.#run();
      };
      const waiting: WaitingCall = {
        call,
        hold: null,
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

  /** Goes through all waiting calls in their order: each gets its turn, keeps waiting, or is rejected. */
  #run(): void {
    clearTimeout(this.#timer);
    this.#isRunPlanned = false;
    const now = performance.now();
    const ahead = new Map<Bucket, number>();
    let aheadOfAll = 0;
    let pause = Infinity;
    this.#waiting = this.#waiting.filter((waiting) => {
      const { call, decide, hold } = waiting;
      const { request, requestLine, deadline, token, global } = call;
      if (token.refusedUntil !== null && now < token.refusedUntil) {
        const error = refusedTokenError(requestLine, request, token.refusedUntil - now);
        decide({ kind: "rejection", error });
        return false;
      }
      if (isHeld(token.trial, now)) {
        pause = Math.min(pause, queuePollMs);
        return true;
      }
      const bucket = bucketOf(call);
      const before = ahead.get(bucket) ?? 0;
      const hasRoom = bucket.hasRoom(before, now);
      if (hasRoom && global.hasRoom(aheadOfAll, now)) {
        decide(start(call, bucket, now, hold));
        return false;
      }
      const waitForAll = global.minimumWait(aheadOfAll, now);
      const wait = Math.max(bucket.minimumWait(before, now), waitForAll);
      if (now + wait > deadline) {
        const error = tooLateError(requestLine, request, wait, wait === waitForAll);
        decide({ kind: "rejection", error });
        return false;
      }
      // Without a minimum wait, the call waits for the outcome of another request, and not for a limit that is used up.
      if (wait > 0) {
        waiting.hold = {
          since: hold?.since ?? now,
          limit: wait === waitForAll ? "global" : "route",
        };
      }
      ahead.set(bucket, before + 1);
      if (hasRoom) aheadOfAll += 1;
      pause = Math.min(pause, (hasRoom ? global : bucket).nextLookIn(now));
      return true;
    });
    if (this.#waiting.length > 0) {
      // Rounded up, since timers cut off fractions of a millisecond and would fire too early.
      this.#timer = setTimeout(() => this.#run(), Math.ceil(pause));
    }
  }
}

/** Returns the rate limit of a 429, or `null`. Also returns `null` for a 429 with which the edge blocks the client. */
function readLimit(result: AttemptResult, request: HttpRequest): TooManyRequests | null {
  if (result.kind !== "response" || waitAfterBlock(result) > 0) return null;
  return readTooManyRequests(result, request);
}

/** Counts a request that is about to be sent. */
function start(
  { token, global, deadline }: QueuedCall,
  bucket: Bucket,
  now: number,
  hold: Hold | null,
): Turn {
  bucket.countStart(now);
  global.countStart(now);
  const isTrial = token.refusedUntil !== null;
  if (isTrial) token.trial.heldUntil = deadline;
  return { kind: "turn", bucket, sentAt: now, isTrial, hold };
}

/** Updates the limits after an attempt, and whether the token is refused. */
function record(
  call: QueuedCall,
  { bucket: counted, sentAt, isTrial }: Turn,
  result: AttemptResult,
  tooMany: TooManyRequests | null,
): void {
  const { token, global } = call;
  const now = performance.now();
  counted.countEnd(sentAt);
  global.countEnd(sentAt);
  if (isTrial) release(token.trial);
  const isRefused = result.kind === "response" && result.status === 401 &&
    !call.request.has401ForOtherReasons;
  if (isRefused && call.request.authorization) token.refusedUntil = now + refusalLifetimeMs;
  else if (isSuccess(result)) token.refusedUntil = null;

  if (result.kind === "rejection") return;
  if (result.kind === "failure") return counted.recordAccepted(sentAt, now, null, false);
  const bucket = bucketOfResponse(call, counted, result);
  const stated = readStatedLimit(result);
  if (tooMany?.isGlobal) return global.recordRefused(sentAt, now, tooMany.wait, null);
  global.recordAccepted(sentAt, now, null, true);
  if (tooMany) return bucket.recordRefused(sentAt, now, tooMany.wait, stated);
  // A block by the edge says nothing about the limits of the platform behind it.
  const showsLimit = result.status < 500 && waitAfterBlock(result) === 0;
  bucket.recordAccepted(sentAt, now, stated, showsLimit);
}

/** Returns the bucket that counts the next request to the route of a call. */
function bucketOf({ token, route }: QueuedCall): Bucket {
  return token.buckets.get(route);
}

/** Returns the bucket that a response names, and makes it the bucket of the route. */
function bucketOfResponse(
  { token, route, request }: QueuedCall,
  counted: Bucket,
  response: HttpResponse,
) {
  const named = readBucketName(response);
  if (named === null) return counted;
  const name = `${named} ${topLevelOf(request.path)}`;
  if (counted.name === name) return counted;
  const bucket = token.buckets.get(name, () => counted.name === null ? counted : new Bucket(false));
  bucket.name = name;
  token.buckets.set(route, bucket);
  return bucket;
}

/**
 * Returns the method and the path, without the ids that limits do not depend on. The rest of the path is that of the template, so
 * that no token in a path is kept.
 */
function routeOf(request: HttpRequest): string {
  const topLevel = topLevelOf(request.path);
  const shown = shownPathOf(request);
  const rest = topLevel === "" ? shown : shown.replace(/^\/\w+\/[^/]+/, "");
  return `${methodOf(request)} ${topLevel}${withoutIds(rest)}`;
}

/** Returns the top-level resource in a path, which has limits of its own: a guild, a channel or a webhook. */
function topLevelOf(path: string): string {
  const [topLevel = ""] = path.match(/^\/(guilds|channels|webhooks)\/\d+/) ?? [];
  return topLevel;
}
