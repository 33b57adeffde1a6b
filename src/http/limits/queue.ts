/**
 * Decides when requests are sent: at once, unless a rate limit is used up.
 *
 * @module
 */

import type { CheckedOptions } from "../options.ts";
import {
  type HttpRequest,
  isTokenOfPerson,
  methodOf,
  shownPathOf,
  withoutIds,
} from "../request.ts";
import type { HttpResponse, Result } from "../response.ts";
import { maxWaitGrowthMs } from "../waits.ts";
import { Bucket } from "./bucket.ts";
import { type Call, type Limit, type NextStep, tooLongError } from "./call.ts";
import {
  knownOfToken,
  newLimits,
  type PlatformLimits,
  refusedTokenErrorOf,
  type TokenLimits,
} from "./refused_token.ts";
import { statePerPlatform } from "./per_platform.ts";

/** A call, with the limits that apply to it. Times are those of `performance.now()`. */
interface QueuedCall {
  readonly call: Call;
  /** The number of earlier calls. The call keeps its place when its request is sent again. */
  readonly place: number;
  readonly platform: PlatformLimits;
  readonly token: TokenLimits;
  readonly route: string;
  /** The bucket in which the request under way is counted; `null` if no request is under way. */
  counted: Bucket | null;
  sentAt: number;
  /** The wait before the latest request; `null` if the call has not had to wait for a limit. */
  hold: Hold | null;
  /** The lane of the latest wait; `null` before the call joins a lane. */
  lane: Lane | null;
  /** The time before which the request will not be sent, as of the last look at the call. */
  expectedAt: number;
  /** Ends the wait of the call. */
  end: ((decision: Turn | Refused) => void) | null;
}

/** The calls that wait for one bucket. */
interface Lane {
  readonly bucket: Bucket;
  /** The calls in the order of their places. */
  readonly calls: QueuedCall[];
  timer: ReturnType<typeof setTimeout> | undefined;
  /** The time at which the timer fires. */
  timerAt: number;
}

/** A call's wait for a used-up limit: when it began, and which limit it is. */
interface Hold {
  readonly since: number;
  readonly limit: "route" | "global";
}

/** The decision that the request of a call may be sent. It is counted. */
interface Turn {
  readonly kind: "turn";
}

/** The decision that the request of a call is not sent. */
interface Refused {
  readonly kind: "refused";
  readonly error: Error;
}

/** The decision that a call has to wait. */
interface Wait {
  readonly kind: "wait";
  /** The minimum wait, in milliseconds; 0 if the call waits for the response to another request, and not for a limit that is used up. */
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
export class Queue implements Limit {
  readonly #options: CheckedOptions;
  readonly #lanes = new Map<Bucket, Lane>();
  /** The platform, if a call may wait for its global limit. */
  #awaited: PlatformLimits | null = null;
  readonly #calls = new WeakMap<Call, QueuedCall>();
  #places = 0;

  constructor(options: CheckedOptions) {
    this.#options = options;
  }

  /** Waits until the limits allow the request, and counts it. */
  async wait(call: Call): Promise<void> {
    const queued = this.#calls.get(call) ?? this.#queue(call);
    if (!this.#startsAtOnce(queued)) await this.#untilTurn(queued);
    const { hold, sentAt } = queued;
    if (hold) this.#options.observer?.sentLate(call.request, hold.limit, sentAt - hold.since);
  }

  /** Updates the limits, and looks at the waiting calls. */
  learn(call: Call, result: Result, next: NextStep): void {
    const queued = this.#calls.get(call);
    const counted = queued?.counted;
    if (!queued || !counted) return;
    queued.counted = null;
    const isForAll = record(queued, counted, result, next);
    if (isForAll) this.#runAll();
    else if (this.#lanes.size > 0) this.#lookAt(counted);
  }

  /** Gives a call its place, which it keeps when its request is sent again. */
  #queue(call: Call): QueuedCall {
    const place = call.place = this.#places++;
    const queued: QueuedCall = {
      call,
      place,
      platform: statePerPlatform(this.#options, newLimits),
      token: knownOfToken(call),
      route: routeOf(call.request),
      counted: null,
      sentAt: 0,
      hold: null,
      lane: null,
      expectedAt: 0,
      end: null,
    };
    this.#calls.set(call, queued);
    return queued;
  }

  /** Starts a request at once, which is the usual case. Returns false if the call may have to wait. */
  #startsAtOnce(queued: QueuedCall): boolean {
    const bucket = bucketOf(queued);
    const mayWait = this.#awaited || this.#lanes.has(bucket);
    const now = performance.now();
    queued.hold = null;
    if (mayWait || now < queued.platform.globalUntil || !bucket.hasRoom(0, now)) return false;
    start(queued, bucket, now);
    return true;
  }

  /** Waits until a request may be sent. */
  #untilTurn(queued: QueuedCall): Promise<void> {
    const { signal } = queued.call;
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#leave(queued);
        reject(signal.reason);
      };
      queued.end = (decision) => {
        signal.removeEventListener("abort", leave);
        if (decision.kind === "turn") resolve();
        else reject(decision.error);
      };
      signal.addEventListener("abort", leave);
      // The calls ahead go first if there is room by now.
      this.#lookAgain(bucketOf(queued));
      const lane = this.#place(queued, performance.now());
      // A request that is sent again goes ahead of others, which then wait longer.
      if (lane && lane.calls.at(-1) !== queued) this.#run([lane]);
    });
  }

  /** Decides about a call that is in no lane: it gets its turn, is rejected, or joins the lane of its bucket, which is returned. */
  #place(queued: QueuedCall, now: number): Lane | null {
    const bucket = bucketOf(queued);
    const known = this.#lanes.get(bucket);
    const lane = known ?? { bucket, calls: [], timer: undefined, timerAt: Infinity };
    const ahead = callsAhead(lane, queued);
    const decision = decide(queued, bucket, ahead, now);
    if (decision.kind !== "wait") {
      queued.end?.(decision);
      return null;
    }
    const { milliseconds, limit, lookIn } = decision;
    if (milliseconds > 0) queued.hold = { since: queued.hold?.since ?? now, limit };
    if (limit === "global") this.#awaited = queued.platform;
    queued.expectedAt = now + milliseconds;
    queued.lane = lane;
    lane.calls.splice(ahead, 0, queued);
    this.#lanes.set(bucket, lane);
    if (!known) this.#lookLater(lane, now + lookIn);
    return lane;
  }

  /** Looks at the lane of a bucket again, or at all lanes if the global limit does not hold them up any more. */
  #lookAgain(bucket: Bucket): void {
    if (this.#awaited && performance.now() >= this.#awaited.globalUntil) this.#runAll();
    else this.#lookAt(bucket);
  }

  /** Looks at the first calls in the lane of a bucket: those with room get their turn. */
  #lookAt(bucket: Bucket): void {
    const lane = this.#lanes.get(bucket);
    if (!lane) return;
    const now = performance.now();
    for (let first = lane.calls[0]; first; first = lane.calls[0]) {
      if (bucketOf(first) !== bucket) return this.#runAll();
      const decision = decide(first, bucket, 0, now);
      if (decision.kind === "wait") {
        if (hasLongerWaits(lane, first, decision.milliseconds, now)) this.#run([lane]);
        else this.#lookLater(lane, now + decision.lookIn);
        return;
      }
      this.#leave(first);
      first.end?.(decision);
    }
  }

  /** Decides about all waiting calls. */
  #runAll(): void {
    this.#awaited = null;
    this.#run([...this.#lanes.values()]);
  }

  /** Decides about all calls in some lanes, in the order of their places. */
  #run(lanes: readonly Lane[]): void {
    const now = performance.now();
    for (const lane of lanes) this.#close(lane);
    const calls = lanes.flatMap((lane) => lane.calls).sort((a, b) => a.place - b.place);
    for (const queued of calls) this.#place(queued, now);
  }

  /** Removes a call from its lane. The other calls do not get more room by that. */
  #leave(queued: QueuedCall): void {
    const { lane } = queued;
    lane?.calls.splice(callsAhead(lane, queued), 1);
    if (lane?.calls.length === 0) this.#close(lane);
  }

  #close(lane: Lane): void {
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

/** Returns the number of calls in a lane with a lower place than that of a call. */
function callsAhead({ calls }: Lane, { place }: QueuedCall): number {
  // A new call has the highest place.
  if ((calls.at(-1)?.place ?? -1) < place) return calls.length;
  let low = 0;
  for (let high = calls.length; low < high;) {
    const middle = (low + high) >>> 1;
    if (Number(calls[middle]?.place) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Decides about a call with `ahead` others ahead of it in its lane. A request that gets its turn is counted. */
function decide(
  queued: QueuedCall,
  bucket: Bucket,
  ahead: number,
  now: number,
): Turn | Refused | Wait {
  const { token, platform, call } = queued;
  // The platform may have refused the token while the call waited.
  const error = refusedTokenErrorOf(call, token);
  if (error) return { kind: "refused", error };
  const globalWait = platform.globalUntil - now;
  const hasRoom = bucket.hasRoom(ahead, now);
  if (ahead === 0 && hasRoom && globalWait <= 0) {
    start(queued, bucket, now);
    return { kind: "turn" };
  }
  const milliseconds = minimumWait(queued, bucket, ahead, now);
  const isGlobal = milliseconds > 0 && milliseconds === globalWait;
  if (now + milliseconds > call.deadline.at) {
    const cause = "its rate limit is used up, and it would have to wait longer than its timeout";
    const ofPerson = !isGlobal && isTokenOfPerson(call.request);
    const details = { global: isGlobal, ofPerson };
    return { kind: "refused", error: tooLongError(call, cause, milliseconds, details) };
  }
  return {
    kind: "wait",
    milliseconds,
    limit: isGlobal ? "global" : "route",
    lookIn: hasRoom ? globalWait : bucket.nextLookIn(now),
  };
}

/** Returns the minimum wait of a call with `ahead` others ahead of it. */
function minimumWait({ platform }: QueuedCall, bucket: Bucket, ahead: number, now: number): number {
  return Math.max(bucket.minimumWait(ahead, now), platform.globalUntil - now);
}

/**
 * Returns true if the calls in a lane may have to wait longer than expected. Some may be too late by now.
 *
 * The waits of all calls follow from the same limits, so a longer wait shows at the first or the last call.
 */
function hasLongerWaits(
  { bucket, calls }: Lane,
  first: QueuedCall,
  wait: number,
  now: number,
): boolean {
  if (hasLongerWait(first, wait, now)) return true;
  const ahead = calls.length - 1;
  return calls.slice(ahead).some((last) =>
    hasLongerWait(last, minimumWait(last, bucket, ahead, now), now)
  );
}

function hasLongerWait({ call, hold, expectedAt }: QueuedCall, wait: number, now: number): boolean {
  if (now + wait > call.deadline.at) return true;
  return hold ? now + wait > expectedAt + maxWaitGrowthMs : wait > 0;
}

/** Counts a request that is about to be sent. */
function start(queued: QueuedCall, bucket: Bucket, now: number): void {
  bucket.countStart(now);
  queued.counted = bucket;
  queued.sentAt = now;
}

/**
 * Updates the limits after a result.
 *
 * @returns True if that may affect calls for other buckets.
 */
function record(
  queued: QueuedCall,
  counted: Bucket,
  result: Result,
  { waiting, waitMs }: NextStep,
): boolean {
  const { platform, sentAt } = queued;
  const now = performance.now();
  counted.countEnd(sentAt);
  if (result.kind === "failure") counted.recordAccepted(sentAt, now, null, false);
  if (result.kind !== "response") return false;
  const { stated, status, refusal } = result;
  const bucket = bucketOfResponse(queued, counted, result);
  if (waiting === "platform") platform.globalUntil = Math.max(platform.globalUntil, now + waitMs);
  else if (waiting === "route") bucket.recordRefused(sentAt, now, waitMs, stated);
  // A block by the edge says nothing about the limits of the platform behind it.
  else bucket.recordAccepted(sentAt, now, stated, status < 500 && !refusal);
  return waiting === "platform" || waiting === "token" || bucket !== counted;
}

/** Returns the bucket that counts the next request to the route of a call. */
function bucketOf({ token, route }: QueuedCall): Bucket {
  return token.buckets.get(route);
}

/** Returns the bucket that a response names, and makes it the bucket of the route. */
function bucketOfResponse(
  { token: { buckets }, route, call }: QueuedCall,
  counted: Bucket,
  response: HttpResponse,
): Bucket {
  if (response.bucket === null) return counted;
  const name = `${response.bucket} ${topLevelOf(call.request.path)}`;
  if (counted.name === name) return counted;
  const bucket = buckets.get(name, () => counted.name === null ? counted : new Bucket());
  bucket.name = name;
  buckets.set(route, bucket);
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
