/**
 * Decides when the refreshes of an application are sent, so that many processes stay below the limit of the token endpoint together.
 *
 * Between two refreshes of a process is a gap. It is small while nothing is wrong, so that no user notices it. Each 429 makes it
 * longer, and each success after that shorter. A 429 and a failure of the platform pause all refreshes. Processes share the pause and
 * the gap in their store, and begin at random times after the pause.
 *
 * @module
 */

import { ApiError, NetworkError } from "../core/errors.ts";
import { settledWithin, sleep } from "../core/wait.ts";
import type { AttemptResult, Failure, HttpResponse, Rejection } from "./attempt.ts";
import type { Call } from "./gate.ts";
import { endPause, extendPause, type Pause } from "./limits/pause.ts";
import type { Limit } from "./limits/rate_limit.ts";
import { limitedRejection, notSent } from "./limits/rejections.ts";
import type { RefreshTurn } from "./request.ts";
import { loadPause, savePause } from "./shared_pause.ts";
import {
  carefulMs,
  firstOutagePauseMs,
  idleRefreshMs,
  maxClaimPollMs,
  maxOutagePauseMs,
  maxRefreshGapMs,
  maxStartMs,
  maxTurnMs,
  startGapMs,
} from "./waits.ts";

/** The pace of an application's refreshes. It is plain data. Times are those of `performance.now()`. */
export interface RefreshPace {
  /** The pause after a 429, for all token requests. */
  readonly pause: Pause;
  /** The time between two refreshes, in milliseconds. */
  gapMs: number;
  /** The earliest time of the next refresh. */
  nextAt: number;
  /** The time of the latest refresh. */
  sentAt: number;
  /** The time at which the gap has changed. */
  changedAt: number;
  /** The end of the pause after failures of the platform. */
  outageUntil: number;
  /** The duration of that pause; 0 after a success. */
  outageMs: number;
  /** The number of consecutive failures. */
  failures: number;
  /** The status of the latest 429 or failure; 0 without a response. */
  status: number;
  /** The end of the time in which the shared pause is read before each refresh. */
  carefulUntil: number;
  /** The version of the shared pause that this process has read; `undefined` if it has read none. */
  version: string | null | undefined;
}

/** Creates the pace of a process that knows nothing yet. */
export function newRefreshPace(pause: Pause): RefreshPace {
  return {
    pause,
    gapMs: 0,
    nextAt: -Infinity,
    sentAt: -Infinity,
    changedAt: -Infinity,
    outageUntil: -Infinity,
    outageMs: 0,
    failures: 0,
    status: 429,
    carefulUntil: -Infinity,
    version: undefined,
  };
}

/**
 * The factors of the gap after a 429 and after a success. A 429 of one process makes all processes slower, and a success only its own, so that
 * the steps up are larger than the steps down. `deno task --cwd scripts/lab soak:hundred` shows the effect.
 */
const slowerBy = 1.3;
const fasterBy = 0.75;

/** The number of consecutive failures that are an outage. A single one may be bad luck, and the next refresh is sent at once. */
const minOutageFailures = 3;

/** The fields of a failure without a response. */
const noResponse = { status: 0, retryAfter: null };

/** Sends a refresh when it is its turn, or rejects it. */
export async function attemptInTurn(
  pace: RefreshPace,
  key: string,
  call: Call,
  attempt: () => Promise<AttemptResult>,
): Promise<AttemptResult> {
  const { turn } = call.request;
  const rejection = await untilTurn(pace, key, call);
  if (rejection) return rejection;
  const before = { ...pace };
  const result = await attempt();
  if (result.kind === "rejection") {
    // The turn is free for another refresh.
    if (pace.nextAt === before.nextAt) pace.nextAt = before.sentAt;
  } else if (learn(pace, before, call, result) && turn) {
    // A result that arrives after the time limit would be lost, and a 429 would look like a refresh without a known outcome.
    await settledWithin(share(pace, key, turn), (call.deadline - performance.now()) / 2);
  }
  return result;
}

/** Changes the pace after a result. Returns true if that is news to the other processes. */
function learn(
  pace: RefreshPace,
  { gapMs, outageMs, sentAt }: RefreshPace,
  call: Call,
  result: HttpResponse | Failure,
): boolean {
  if (isFailure(result, call)) return pauseAfterFailure(pace, result, outageMs);
  if (result.kind === "failure") return false;
  if (result.limit) return !result.limit.isBlock && pauseAfterLimit(pace, result.limit, gapMs);
  recordSuccess(pace, sentAt);
  return false;
}

/** Waits until a refresh may be sent, and counts it. Returns a rejection if that takes too long. */
async function untilTurn(pace: RefreshPace, key: string, call: Call): Promise<Rejection | null> {
  const { turn } = call.request;
  const startedAt = performance.now();
  const patienceMs = turn?.isUrgent === false
    ? 0
    : Math.min(maxTurnMs, (call.deadline - startedAt) / 2);
  while (true) {
    const now = performance.now();
    const pausedUntil = Math.max(pace.pause.until ?? -Infinity, pace.outageUntil);
    const wait = Math.max(pausedUntil, pace.nextAt) - now;
    const waited = now - startedAt;
    // Without a known limit, the gap delays a refresh, but never rejects it.
    const canLast = now < pausedUntil || now < pace.carefulUntil;
    const isOver = !canLast && waited >= Math.min(patienceMs, maxStartMs);
    if (wait <= 0 || (isOver && patienceMs > 0)) {
      if (!await mustWait(pace, key, turn, now)) return null;
    } else if (patienceMs === 0) {
      return notSent();
    } else {
      const isTooLong = canLast && waited + wait > patienceMs;
      // Rounded up, since timers cut off fractions of a millisecond and would fire too early.
      const pollMs = Math.ceil(Math.min(wait, maxClaimPollMs));
      const isAborted = () => true;
      if (isTooLong || await sleep(pollMs, call.signal).catch(isAborted)) {
        return heldRejection(pace, call, wait);
      }
    }
  }
}

/** Counts a refresh that is about to be sent. Returns true if it must wait after all, as the shared pause says. */
async function mustWait(
  pace: RefreshPace,
  key: string,
  turn: RefreshTurn | null | undefined,
  now: number,
): Promise<boolean> {
  const mustRead = turn && (now < pace.carefulUntil || pace.version === undefined);
  const { nextAt } = pace;
  if (now - pace.sentAt > idleRefreshMs) pace.gapMs = Math.max(pace.gapMs, startGapMs);
  pace.sentAt = now;
  pace.nextAt = now + pace.gapMs;
  return mustRead ? await readShared(pace, key, turn, nextAt) : false;
}

/** Returns true for a failure of the platform: a 5xx, or no response. A request that its caller has aborted is not one. */
function isFailure(result: HttpResponse | Failure, { signal, deadline }: Call): boolean {
  if (result.kind === "response") return result.status >= 500;
  return !signal.aborted || performance.now() >= deadline;
}

/** Returns true if the platform's failure is news to the other processes. */
function pauseAfterFailure(
  pace: RefreshPace,
  result: HttpResponse | Failure,
  outageMs: number,
): boolean {
  const { status, retryAfter } = result.kind === "response" ? result : noResponse;
  const next = retryAfter === null ? Math.max(2 * outageMs, firstOutagePauseMs) : retryAfter * 1000;
  const wait = Math.min(next, maxOutagePauseMs);
  const now = performance.now();
  pace.failures += 1;
  if (pace.failures < minOutageFailures) return false;
  const isNews = now >= pace.outageUntil;
  pace.status = status;
  pace.outageMs = Math.max(pace.outageMs, wait);
  pace.outageUntil = Math.max(pace.outageUntil, now + wait);
  slowDown(pace, wait / 8, pace.outageUntil);
  return isNews;
}

/** Returns true if a 429 is news to the other processes. */
function pauseAfterLimit(pace: RefreshPace, { seconds }: Limit, gapMs: number): boolean {
  const { pause } = pace;
  const wasPaused = pause.until !== null && performance.now() < pause.until;
  const knownGapMs = pace.gapMs;
  const pausedUntil = extendPause(pause, 1000 * seconds);
  pace.status = 429;
  slowDown(pace, slowerBy * Math.max(gapMs, startGapMs), pausedUntil);
  return !wasPaused || pace.gapMs > knownGapMs;
}

/** Makes the gap longer, and begins at a random time after a pause. */
function slowDown(pace: RefreshPace, gapMs: number, pausedUntil: number): void {
  const now = performance.now();
  pace.gapMs = Math.max(pace.gapMs, Math.min(gapMs, maxRefreshGapMs));
  pace.changedAt = now;
  pace.carefulUntil = now + carefulMs;
  pace.nextAt = Math.max(pace.nextAt, pausedUntil + Math.random() * pace.gapMs);
}

/** Makes the gap shorter after a success. */
function recordSuccess(pace: RefreshPace, sentAt: number): void {
  // A response to an earlier request does not end a pause.
  if (sentAt < pace.changedAt) return;
  const now = performance.now();
  const isCareful = now < pace.carefulUntil;
  if (pace.pause.until !== null && sentAt >= pace.pause.until) endPause(pace.pause);
  pace.outageMs = 0;
  pace.failures = 0;
  if (isCareful && now - pace.changedAt < Math.max(pace.gapMs, 1000)) return;
  pace.gapMs = isCareful ? pace.gapMs * fasterBy : pace.gapMs < 10 ? 0 : pace.gapMs / 2;
  pace.changedAt = now;
  pace.nextAt = Math.min(pace.nextAt, pace.sentAt + pace.gapMs);
}

/** Reads the shared pause. Returns true if the refresh must wait. */
async function readShared(
  pace: RefreshPace,
  key: string,
  { store }: RefreshTurn,
  nextAt: number,
): Promise<boolean> {
  const { pause, version } = await loadPause(store, key);
  const isKnown = version === pace.version;
  // A store that fails once does not make a known pause new.
  pace.version = version ?? pace.version ?? null;
  if (!pause || isKnown) return false;
  const now = performance.now();
  const until = now + pause.leftMs;
  if (pause.leftMs > 0 && pause.status === 429) {
    extendPause(pace.pause, pause.leftMs);
  } else if (pause.leftMs > 0) {
    pace.outageUntil = Math.max(pace.outageUntil, until);
    pace.outageMs = Math.max(pace.outageMs, pause.leftMs);
    pace.failures = minOutageFailures;
  }
  pace.status = pause.status;
  const ownNextAt = pace.nextAt;
  pace.nextAt = nextAt;
  slowDown(pace, pause.gapMs, until);
  if (now < pace.nextAt) return true;
  pace.nextAt = ownNextAt;
  return false;
}

/** Tells the other processes about a pause, unless they know it. */
async function share(pace: RefreshPace, key: string, { store }: RefreshTurn): Promise<void> {
  const known = await loadPause(store, key);
  const leftMs = Math.max(pace.pause.until ?? -Infinity, pace.outageUntil) - performance.now();
  const { gapMs, status } = pace;
  const { pause, version } = known;
  if (pause && pause.leftMs > leftMs - 500 && pause.gapMs >= gapMs) return;
  await savePause(store, key, { leftMs, gapMs, status }, version);
}

/** Rejects a refresh that would have to wait for too long. */
function heldRejection({ pause, status }: RefreshPace, call: Call, wait: number): Rejection {
  const retryAfter = Math.ceil(wait) / 1000;
  if (status === 429) {
    return limitedRejection(call, Math.max(wait, pause.statedUntil - performance.now()));
  }
  const message = `${call.requestLine} was not sent: the platform has failed the latest refreshes`;
  // 503 says that the refresh token is not used up. After other statuses, the outcome of a refresh is not known.
  const error = status === 0
    ? new NetworkError(message, { mayHaveArrived: false, retryAfter })
    : new ApiError(`${message} (${status})`, { httpStatus: 503, retryAfter });
  return { kind: "rejection", error };
}
