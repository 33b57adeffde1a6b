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
import { Line, type LineMember } from "./line.ts";
import { type HttpRequest, methodOf, shownPathOf, withoutIds } from "./request.ts";
import { maxRetries } from "./retry.ts";
import { Digests } from "./keyed_digest.ts";
import { maxWaitGrowthMs, queuePollMs, refusalLifetimeMs } from "./waits.ts";

/** A call, with the limits that apply to it. */
interface QueuedCall {
  readonly call: Call;
  /** The number of earlier calls. The call keeps its place when its request is sent again. */
  readonly place: number;
  readonly route: string;
  readonly token: TokenLimits;
  readonly global: Bucket;
}

/** A call that waits for its turn. */
interface WaitingCall extends LineMember<WaitingCall> {
  readonly queued: QueuedCall;
  /** Gives the call its turn, or rejects its request. */
  readonly resolve: (decision: Turn | Rejection) => void;
  /** `null` before the call joins a lane, and after it has left. */
  lane: Lane | null;
  /** `null` if the call has not had to wait for a limit. */
  hold: Hold | null;
  /** The time before which the request will not be sent, as of the last look at the call. */
  expectedAt: number;
}

/** The calls that wait for one bucket. */
interface Lane {
  readonly bucket: Bucket;
  readonly line: Line<WaitingCall>;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** The time at which the timer fires, as of `performance.now()`. */
  timerAt: number;
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

/** The decision that a call has to wait. */
interface Wait {
  readonly kind: "wait";
  /** The minimum wait, in milliseconds; 0 if the call waits for the outcome of another request, and not for a limit that is used up. */
  readonly milliseconds: number;
  readonly limit: "route" | "global";
  /** The milliseconds until there may be room. */
  readonly lookIn: number;
}

/**
 * The queue for the requests of one client. It shares the state of the limits with other clients, but not timers and promises.
 *
 * The calls wait in a lane for each bucket. After a response, only the first calls of its lane can have room, so the queue does not look
 * at the others, unless their waits have become longer or other lanes are affected too.
 */
export class Queue implements Gate {
  readonly #options: CheckedOptions;
  readonly #lanes = new Map<Bucket, Lane>();
  /** The global limit, if a call may wait for it. */
  #awaitedGlobal: Bucket | null = null;
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
  async attempt(call: Call, attempt: () => Promise<AttemptResult>): Promise<AttemptResult> {
    const queued = this.#queue(call);
    const { request } = call;
    let refused: HttpResponse | null = null;
    let retries = 0;
    while (true) {
      const turn = this.#startAtOnce(queued) ?? await this.#waitForTurn(queued);
      if (turn.kind === "rejection") return refused ?? turn;
      const { hold, sentAt } = turn;
      if (hold) this.#options.observer?.sentLate(request, hold.limit, sentAt - hold.since);
      const result = await attempt();
      const tooMany = readLimit(result, request);
      const isForAll = record(queued, turn, result, tooMany);
      if (isForAll) this.#runAll();
      else this.#lookAt(turn.bucket);
      // If the 429 states no wait, a retry would only count toward an IP ban.
      if (result.kind !== "response" || !tooMany?.isStated) return result;
      if (methodOf(request) !== "GET") return result;
      if (!tooMany.isShared) retries += 1;
      if (retries > maxRetries) return result;
      refused = result;
    }
  }

  /** Gives a call its place, which all its attempts keep. */
  #queue(call: Call): QueuedCall {
    const { request } = call;
    const place = call.place ??= this.#calls++;
    const { global, tokens } = limits.for(this.#options);
    const token = tokens.get(this.#digests.of(request.authorization ?? ""));
    return { call, place, route: routeOf(request), token, global };
  }

  /** Starts a request at once, which is the usual case; `null` if the call may have to wait. */
  #startAtOnce(queued: QueuedCall): Turn | null {
    const { token, global } = queued;
    if (this.#awaitedGlobal || token.refusedUntil !== null) return null;
    const now = performance.now();
    const bucket = bucketOf(queued);
    if (this.#lanes.has(bucket) || !bucket.hasRoom(0, now) || !global.hasRoom(0, now)) return null;
    return start(queued, bucket, now, null);
  }

  /** Waits until a request may be sent. */
  #waitForTurn(queued: QueuedCall): Promise<Turn | Rejection> {
    const { signal } = queued.call;
    return new Promise((resolve) => {
      const leave = () => this.#leave(waiting);
      const waiting: WaitingCall = {
        queued,
        place: queued.place,
        ahead: null,
        behind: null,
        lane: null,
        hold: null,
        expectedAt: 0,
        resolve: (decision) => {
          signal.removeEventListener("abort", leave);
          resolve(decision);
        },
      };
      signal.addEventListener("abort", leave);
      // The calls ahead go first if there is room by now.
      this.#lookAgain(bucketOf(queued));
      this.#place(waiting, performance.now());
      // A request that is sent again goes ahead of others, which then wait longer.
      if (waiting.lane && waiting.behind) this.#run([waiting.lane]);
    });
  }

  /** Decides about a call that is in no lane: it gets its turn, is rejected, or joins the lane of its bucket. */
  #place(waiting: WaitingCall, now: number): void {
    const { queued, hold } = waiting;
    const bucket = bucketOf(queued);
    const known = this.#lanes.get(bucket);
    const decision = decide(queued, hold, bucket, known?.line.countAhead(waiting.place) ?? 0, now);
    if (decision.kind !== "wait") return waiting.resolve(decision);
    const { milliseconds, limit, lookIn } = decision;
    if (milliseconds > 0) waiting.hold = { since: hold?.since ?? now, limit };
    if (limit === "global") this.#awaitedGlobal = queued.global;
    waiting.expectedAt = now + milliseconds;
    const lane = known ?? { bucket, line: new Line(), timer: undefined, timerAt: Infinity };
    this.#lanes.set(bucket, lane);
    waiting.lane = lane;
    lane.line.join(waiting);
    if (!known) this.#lookLater(lane, now + lookIn);
  }

  /** Looks at the lane of a bucket again, or at all lanes if the global limit does not hold them up any more. */
  #lookAgain(bucket: Bucket): void {
    if (this.#awaitedGlobal?.hasRoom(0, performance.now())) this.#runAll();
    else this.#lookAt(bucket);
  }

  /** Looks at the first calls in the lane of a bucket: those with room get their turn. */
  #lookAt(bucket: Bucket): void {
    const lane = this.#lanes.get(bucket);
    if (!lane) return;
    const now = performance.now();
    for (const waiting of lane.line) {
      const { queued, hold } = waiting;
      if (bucketOf(queued) !== bucket) return this.#runAll();
      const decision = decide(queued, hold, bucket, 0, now);
      if (decision.kind === "wait") {
        if (hasLongerWaits(lane, waiting, decision, now)) this.#run([lane]);
        else this.#lookLater(lane, now + decision.lookIn);
        return;
      }
      this.#leave(waiting);
      waiting.resolve(decision);
    }
  }

  /** Decides about all waiting calls. */
  #runAll(): void {
    this.#awaitedGlobal = null;
    this.#run([...this.#lanes.values()]);
  }

  /** Decides about all calls in some lanes, in the order of their places. */
  #run(lanes: readonly Lane[]): void {
    const now = performance.now();
    const calls = lanes.flatMap(({ line }) => [...line]).sort((a, b) => a.place - b.place);
    for (const waiting of calls) this.#leave(waiting);
    for (const waiting of calls) this.#place(waiting, now);
  }

  /** Removes a call from its lane. The other calls do not get more room by that. */
  #leave(waiting: WaitingCall): void {
    const { lane } = waiting;
    waiting.lane = null;
    lane?.line.leave(waiting);
    if (lane?.line.length !== 0) return;
    clearTimeout(lane.timer);
    this.#lanes.delete(lane.bucket);
  }

  /** Sets the timer of a lane, unless it fires sooner. */
  #lookLater(lane: Lane, at: number): void {
    if (lane.timerAt <= at) return;
    clearTimeout(lane.timer);
    lane.timerAt = at;
    const look = () => {
      lane.timerAt = Infinity;
      this.#lookAgain(lane.bucket);
    };
    // Rounded up, since timers cut off fractions of a millisecond and would fire too early.
    lane.timer = setTimeout(look, Math.ceil(at - performance.now()));
  }
}

/**
 * Decides about a call with `ahead` others ahead of it in its lane. Counts its request if the call gets its turn.
 *
 * @param hold The call's wait so far.
 */
function decide(
  queued: QueuedCall,
  hold: Hold | null,
  bucket: Bucket,
  ahead: number,
  now: number,
): Turn | Rejection | Wait {
  const { token, global, call: { request, requestLine, deadline } } = queued;
  if (token.refusedUntil !== null && now < token.refusedUntil) {
    const error = refusedTokenError(requestLine, request, token.refusedUntil - now);
    return { kind: "rejection", error };
  }
  if (isHeld(token.trial, now)) {
    return { kind: "wait", milliseconds: 0, limit: "route", lookIn: queuePollMs };
  }
  const hasRoom = bucket.hasRoom(ahead, now);
  if (ahead === 0 && hasRoom && global.hasRoom(0, now)) return start(queued, bucket, now, hold);
  const { milliseconds, limit } = minimumWait(queued, bucket, ahead, now);
  if (now + milliseconds > deadline) {
    const error = tooLateError(requestLine, request, milliseconds, limit === "global");
    return { kind: "rejection", error };
  }
  return {
    kind: "wait",
    milliseconds,
    limit,
    lookIn: (hasRoom ? global : bucket).nextLookIn(now),
  };
}

/** Returns the minimum wait of a call with `ahead` others ahead of it, and the limit that causes the wait. */
function minimumWait({ global }: QueuedCall, bucket: Bucket, ahead: number, now: number) {
  const globalWait = global.minimumWait(0, now);
  const milliseconds = Math.max(bucket.minimumWait(ahead, now), globalWait);
  return {
    milliseconds,
    limit: milliseconds > 0 && milliseconds === globalWait ? "global" : "route",
  } as const;
}

/**
 * Returns true if the calls in a lane may have to wait longer than expected. Some may be too late by now.
 *
 * The waits of all calls follow from the same limits, so a longer wait shows at the first or the last call.
 */
function hasLongerWaits(
  { bucket, line }: Lane,
  first: WaitingCall,
  { milliseconds }: Wait,
  now: number,
): boolean {
  if (hasLongerWait(first, milliseconds, now)) return true;
  const { last } = line;
  return last !== null &&
    hasLongerWait(last, minimumWait(last.queued, bucket, line.length - 1, now).milliseconds, now);
}

function hasLongerWait(
  { queued, hold, expectedAt }: WaitingCall,
  wait: number,
  now: number,
): boolean {
  if (now + wait > queued.call.deadline) return true;
  return hold ? now + wait > expectedAt + maxWaitGrowthMs : wait > 0;
}

/** Returns the rate limit of a 429, or `null`. Also returns `null` for a 429 with which the edge blocks the client. */
function readLimit(result: AttemptResult, request: HttpRequest): TooManyRequests | null {
  if (result.kind !== "response" || waitAfterBlock(result) > 0) return null;
  return readTooManyRequests(result, request);
}

/** Counts a request that is about to be sent. */
function start(
  { call, token, global }: QueuedCall,
  bucket: Bucket,
  now: number,
  hold: Hold | null,
): Turn {
  bucket.countStart(now);
  global.countStart(now);
  const isTrial = token.refusedUntil !== null;
  if (isTrial) token.trial.heldUntil = call.deadline;
  return { kind: "turn", bucket, sentAt: now, isTrial, hold };
}

/**
 * Updates the limits after an attempt, and whether the token is refused.
 *
 * @returns True if that may affect calls for other buckets.
 */
function record(
  queued: QueuedCall,
  { bucket: counted, sentAt, isTrial }: Turn,
  result: AttemptResult,
  tooMany: TooManyRequests | null,
): boolean {
  const { call: { request }, token, global } = queued;
  const now = performance.now();
  counted.countEnd(sentAt);
  global.countEnd(sentAt);
  if (isTrial) release(token.trial);
  const { refusedUntil } = token;
  const isRefused = result.kind === "response" && result.status === 401 &&
    !request.has401ForOtherReasons;
  if (isRefused && request.authorization) token.refusedUntil = now + refusalLifetimeMs;
  else if (isSuccess(result)) token.refusedUntil = null;
  const tokenHasChanged = isTrial || token.refusedUntil !== refusedUntil;

  if (result.kind === "rejection") return tokenHasChanged;
  if (result.kind === "failure") {
    counted.recordAccepted(sentAt, now, null, false);
    return tokenHasChanged;
  }
  const bucket = bucketOfResponse(queued, counted, result);
  if (tooMany?.isGlobal) {
    global.recordRefused(sentAt, now, tooMany.wait, null);
    return true;
  }
  global.recordAccepted(sentAt, now, null, true);
  const stated = readStatedLimit(result);
  if (tooMany) bucket.recordRefused(sentAt, now, tooMany.wait, stated);
  else {
    // A block by the edge says nothing about the limits of the platform behind it.
    const showsLimit = result.status < 500 && waitAfterBlock(result) === 0;
    bucket.recordAccepted(sentAt, now, stated, showsLimit);
  }
  return tokenHasChanged || bucket !== counted;
}

/** Returns the bucket that counts the next request to the route of a call. */
function bucketOf({ token, route }: QueuedCall): Bucket {
  return token.buckets.get(route);
}

/** Returns the bucket that a response names, and makes it the bucket of the route. */
function bucketOfResponse(
  { token, route, call }: QueuedCall,
  counted: Bucket,
  response: HttpResponse,
) {
  const named = readBucketName(response);
  if (named === null) return counted;
  const name = `${named} ${topLevelOf(call.request.path)}`;
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
