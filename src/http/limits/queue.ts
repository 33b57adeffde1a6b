/**
 * Decides when requests are sent: at once, unless a rate limit is used up.
 *
 * @module
 */

import { type HttpRequest, isTokenOfPerson, shownPathOf, withoutIds } from "../request.ts";
import type { HttpResponse, Result } from "../response.ts";
import { Bucket } from "./bucket.ts";
import {
  type Call,
  type Hold,
  type Limit,
  type NextStep,
  type QueuedCall,
  tooLongError,
} from "./call.ts";
import { refusedTokenErrorOf, tokenOf } from "./refused_token.ts";

/** The decision about a call: its request may be sent and is counted, it is refused, or it has to wait. */
type Decision =
  | { readonly kind: "turn" }
  | { readonly kind: "refused"; readonly error: Error }
  | Wait;

interface Wait {
  readonly kind: "wait";
  /** The wait for a used-up limit; `null` if the call waits for the response to another request. */
  readonly hold: Hold | null;
  /** The milliseconds until there may be room. */
  readonly lookIn: number;
}

/** The queue for the requests of one client. Clients share the state of the limits, but not timers and promises. */
export class Queue implements Limit {
  /** The waiting calls, in the order of their places. */
  readonly #waiting: QueuedCall[] = [];
  /** The timer of the next look at the waiting calls. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #places = 0;

  /** Waits until the limits allow the request, and counts it. */
  async wait(call: Call): Promise<void> {
    const queued = call.queued ?? this.#queue(call);
    if (!this.#startsAtOnce(queued)) await this.#untilTurn(queued);
    const { hold, sentAt } = queued;
    if (hold) call.options.observer?.sentLate(call.request, hold.limit, sentAt - hold.since);
  }

  /** Updates the limits, and looks at the waiting calls. */
  learn(call: Call, result: Result, next: NextStep): void {
    const { queued } = call;
    if (!queued?.counted) return;
    record(queued, queued.counted, result, next);
    queued.counted = null;
    this.#lookAtAll();
  }

  /** Gives a call its place, which it keeps when its request is sent again. */
  #queue(call: Call): QueuedCall {
    return call.queued = {
      call,
      place: this.#places++,
      token: tokenOf(call),
      route: routeOf(call.request),
      counted: null,
      sentAt: 0,
      hold: null,
      end: null,
    };
  }

  /** Starts a request at once, which is the usual case. Returns false if the call may have to wait. */
  #startsAtOnce(queued: QueuedCall): boolean {
    const bucket = bucketOf(queued);
    const now = performance.now();
    queued.hold = null;
    if (
      this.#waiting.length > 0 || now < queued.call.platform.globalUntil || !bucket.hasRoom(0, now)
    ) {
      return false;
    }
    start(queued, bucket, now);
    return true;
  }

  /** Waits until a request may be sent. */
  #untilTurn(queued: QueuedCall): Promise<void> {
    const { signal } = queued.call;
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(queued), 1);
        if (this.#waiting.length === 0) clearTimeout(this.#timer);
        reject(signal.reason);
      };
      queued.end = (error) => {
        signal.removeEventListener("abort", leave);
        if (error) reject(error);
        else resolve();
      };
      signal.addEventListener("abort", leave);
      // A request that is sent again goes ahead of later calls.
      const ahead = this.#waiting.findLastIndex(({ place }) => place < queued.place) + 1;
      this.#waiting.splice(ahead, 0, queued);
      this.#lookAtAll();
    });
  }

  /** Decides about all waiting calls, in the order of their places. */
  #lookAtAll(): void {
    clearTimeout(this.#timer);
    const now = performance.now();
    const aheadIn = new Map<Bucket, number>();
    let lookIn = Infinity;
    for (const queued of this.#waiting.splice(0)) {
      const bucket = bucketOf(queued);
      const ahead = aheadIn.get(bucket) ?? 0;
      const decision = decide(queued, bucket, ahead, now);
      if (decision.kind !== "wait") {
        queued.end?.(decision.kind === "refused" ? decision.error : null);
        continue;
      }
      const { hold } = decision;
      if (hold) queued.hold = { ...hold, since: queued.hold?.since ?? now };
      this.#waiting.push(queued);
      aheadIn.set(bucket, ahead + 1);
      lookIn = Math.min(lookIn, decision.lookIn);
    }
    if (this.#waiting.length === 0) return;
    // Rounded up, since timers cut off fractions of a millisecond and would fire too early.
    this.#timer = setTimeout(() => this.#lookAtAll(), Math.ceil(lookIn));
  }
}

/** Decides whether a call may be sent, with `ahead` calls before it in its bucket. If so, the request is counted. */
function decide(queued: QueuedCall, bucket: Bucket, ahead: number, now: number): Decision {
  const { call, token } = queued;
  // Discord may have refused the token while the call waited.
  const error = refusedTokenErrorOf(call, token);
  if (error) return { kind: "refused", error };
  const globalWait = call.platform.globalUntil - now;
  const hasRoom = bucket.hasRoom(ahead, now);
  if (ahead === 0 && hasRoom && globalWait <= 0) {
    start(queued, bucket, now);
    return { kind: "turn" };
  }
  const milliseconds = Math.max(bucket.minimumWait(ahead, now), globalWait);
  const isGlobal = milliseconds > 0 && milliseconds === globalWait;
  if (now + milliseconds > call.deadline.at) {
    const cause = "its rate limit is used up, and the wait would exceed its timeout";
    const ofPerson = !isGlobal && isTokenOfPerson(call.request);
    const details = { global: isGlobal, ofPerson };
    return { kind: "refused", error: tooLongError(call, cause, milliseconds, details) };
  }
  return {
    kind: "wait",
    hold: milliseconds > 0 ? { since: now, limit: isGlobal ? "global" : "route" } : null,
    lookIn: hasRoom ? globalWait : bucket.nextLookIn(now),
  };
}

/** Counts a request that is about to be sent. */
function start(queued: QueuedCall, bucket: Bucket, now: number): void {
  bucket.countStart(now);
  queued.counted = bucket;
  queued.sentAt = now;
}

/** Updates the limits after a result. */
function record(
  queued: QueuedCall,
  counted: Bucket,
  result: Result,
  { waiting, waitMs }: NextStep,
): void {
  const { call: { platform }, sentAt } = queued;
  const now = performance.now();
  counted.countEnd(sentAt);
  if (result.kind === "failure") counted.recordAccepted(sentAt, now, null, false);
  if (result.kind !== "response") return;
  const { stated, status, refusal } = result;
  const bucket = bucketOfResponse(queued, counted, result);
  if (waiting === "platform") platform.globalUntil = Math.max(platform.globalUntil, now + waitMs);
  else if (waiting === "route") bucket.recordRefused(sentAt, now, waitMs, stated);
  // A block by the edge says nothing about the limits of Discord behind it.
  else bucket.recordAccepted(sentAt, now, stated, status < 500 && !refusal);
}

/** Returns the bucket that counts the next request to the route of a call. */
function bucketOf({ token, route }: QueuedCall): Bucket {
  return token.buckets.get(route, newBucket);
}

function newBucket(): Bucket {
  return new Bucket();
}

/** Returns the bucket that a response names, and makes it the bucket of the route. */
function bucketOfResponse(
  { call: { request }, token, route }: QueuedCall,
  counted: Bucket,
  response: HttpResponse,
): Bucket {
  if (response.bucket === null) return counted;
  const name = `${response.bucket} ${topLevelOf(request.path)}`;
  if (counted.name === name) return counted;
  const bucket = token.buckets.get(name, () => counted.name === null ? counted : new Bucket());
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
  return `${request.method} ${topLevel}${withoutIds(rest)}`;
}

/** Returns the top-level resource in a path, which has limits of its own: a guild, a channel or a webhook. */
function topLevelOf(path: string): string {
  const [topLevel = ""] = path.match(/^\/(guilds|channels|webhooks)\/\d+/) ?? [];
  return topLevel;
}
