/**
 * Exchanges the code of each login once, however often the callback is opened.
 *
 * @module
 */

import { ApiError, RateLimitError, TimeoutError } from "../../core/errors.ts";
import { waitAfterError } from "../../http/next_step.ts";
import { codeLifetimeMs } from "../../http/waits.ts";
import type { TokenObj } from "../../resources/token.ts";
import { pollStore } from "../../tokens/store_loops.ts";
import { fromStoredToken } from "../../tokens/stored_token.ts";
import {
  type FailureReason,
  type Progress,
  type ProgressRecord,
  usedProgress,
} from "../sessions/login_progress.ts";
import { LoginError, otherSessionError, refusedNewTokenError } from "../base/login_error.ts";

/** The result of a repeated request with a completed callback: the same outcome, another run of `createSession`, or the error `"used"`. */
export type Afterwards =
  | { readonly kind: "same"; readonly outcome: unknown }
  | { readonly kind: "again" }
  | { readonly kind: "used" };

/** The steps after the callback. */
export interface Steps<Outcome> {
  /** Exchanges the code, which works once. */
  exchange(): Promise<TokenObj>;
  /** Creates the session. May run several times with the same token. */
  createSession(token: TokenObj): Promise<Outcome>;
  /** Decides what a repeated request with this callback gets: the same outcome, another run of `createSession`, or the error `"used"`. */
  afterwards(outcome: Outcome): Afterwards;
  /** Restores an outcome from the JSON value that `afterwards` returned. */
  restore(serialized: unknown): Outcome;
}

/**
 * Exchanges the code of a login, and creates the session. If another request is already doing this, waits for its result.
 *
 * If the exchange fails and the code was certainly not used, the next request with this callback sends the code again: after a wait for a
 * 429 or a block by the edge, and at once if the platform was not reached. Requests during the wait do not send the code.
 *
 * If a step ends in a {@link LoginError} with the reason `"refused_token"` or `"other_person"`, later requests fail at once.
 *
 * If the record can't be saved before the code is sent, this throws the store's error. A later failure of the store does not end the login:
 * only a reopened callback needs this record.
 *
 * @param maxStepMs The maximum time of one step, in milliseconds.
 * @throws {LoginError} If the login has failed before.
 * @throws {RateLimitError} If the wait after a 429 or a block by the edge is not over.
 * @throws {TimeoutError} If the other request takes too long.
 */
export function exchangeOnce<Outcome>(
  record: ProgressRecord,
  maxStepMs: number,
  steps: Steps<Outcome>,
): Promise<Outcome> {
  return new Exchange(record, maxStepMs, steps).run();
}

/**
 * Returns true if a failed login may still succeed when its callback is opened again. Also returns true if the store fails, since a retry
 * does no harm.
 */
export async function canRetryCallback(record: ProgressRecord): Promise<boolean> {
  try {
    const { progress } = await record.load();
    if (progress?.status === "postponed") {
      return progress.until < progress.firstSentAt + codeLifetimeMs;
    }
    return progress === null || progress.status === "exchanged";
  } catch {
    return true;
  }
}

/** The progress of a request that sends the code. */
type Exchanging = Extract<Progress, { readonly status: "exchanging" }>;

/** Exchanges the code of a login for one request with its callback, or waits for the request that already does this. */
class Exchange<Outcome> {
  readonly #record: ProgressRecord;
  readonly #maxStepMs: number;
  readonly #steps: Steps<Outcome>;

  constructor(record: ProgressRecord, maxStepMs: number, steps: Steps<Outcome>) {
    this.#record = record;
    this.#maxStepMs = maxStepMs;
    this.#steps = steps;
  }

  async run(): Promise<Outcome> {
    const startedAt = Date.now();
    // Most callbacks are opened once, so the first claim does not read the record.
    const version = await this.#claim(startedAt, null);
    return version === null ? await this.#join() : await this.#sendCode(startedAt, version);
  }

  /** Waits for the request that exchanges the code, and continues where it has stopped. */
  async #join(): Promise<Outcome> {
    const look = () => this.#tryToJoin();
    return (await pollStore(look, 2 * this.#maxStepMs, otherRequestError)).outcome;
  }

  /** Returns `null` if another request is still exchanging the code, or was faster. */
  async #tryToJoin(): Promise<{ readonly outcome: Outcome } | null> {
    const { progress, version } = await this.#record.load();
    const now = Date.now();
    if (progress?.status === "failed") throw failedError(progress.reason);
    if (progress?.status === "done") return { outcome: this.#steps.restore(progress.outcome) };
    if (progress === null || progress.status === "postponed") {
      if (progress && progress.until > now) throw tooEarlyError(progress, now);
      const firstSentAt = progress?.firstSentAt ?? now;
      const claimed = await this.#claim(firstSentAt, version);
      return claimed === null ? null : { outcome: await this.#sendCode(firstSentAt, claimed) };
    }
    if (progress.until > now) return null;
    // The code may have been used, and sending it twice would end the token.
    if (progress.status === "exchanging") throw failedError("used");
    const until = now + this.#maxStepMs;
    const claimed = await this.#record.save({ ...progress, until }, version);
    if (claimed === null) return null;
    return { outcome: await this.#createSession(fromStoredToken(progress.token), claimed) };
  }

  /** Claims the exchange of the code for this request. Returns `null` if the record's version does not match. */
  async #claim(firstSentAt: number, version: string | null): Promise<string | null> {
    const progress: Exchanging = {
      status: "exchanging",
      until: Date.now() + this.#maxStepMs,
      firstSentAt,
      claim: crypto.randomUUID(),
    };
    try {
      return await this.#record.save(progress, version);
    } catch (error) {
      return await this.#claimAgain(progress, error);
    }
  }

  /**
   * Looks for this request's own claim in the record after the store has failed, and saves the claim again: the code was not sent yet, and
   * the claim would keep every other request from sending it.
   */
  async #claimAgain(progress: Exchanging, error: unknown): Promise<string | null> {
    const found = await this.#record.load().catch(() => null);
    const isOwn = found?.progress?.status === "exchanging" &&
      found.progress.claim === progress.claim;
    if (!isOwn) throw error;
    // With a store that breaks its contract, this fails too.
    return await this.#record.save(progress, found.version);
  }

  async #sendCode(firstSentAt: number, version: string): Promise<Outcome> {
    let token: TokenObj;
    try {
      token = await this.#steps.exchange();
    } catch (error) {
      await this.#tryToSave(progressAfterFailure(error, firstSentAt), version);
      throw error;
    }
    const until = Date.now() + this.#maxStepMs;
    const next = await this.#tryToSave({ status: "exchanged", token, until }, version);
    return await this.#createSession(token, next);
  }

  async #createSession(token: TokenObj, version: string | null): Promise<Outcome> {
    // The token stays in the record, so that opening the callback again continues here.
    const exchanged: Progress = { status: "exchanged", token, until: 0 };
    let outcome: Outcome;
    try {
      outcome = await this.#steps.createSession(token);
    } catch (error) {
      const reason = finalReason(error);
      await this.#tryToSave(reason === null ? exchanged : { status: "failed", reason }, version);
      throw error;
    }
    await this.#tryToSave(progressAfter(this.#steps.afterwards(outcome), exchanged), version);
    return outcome;
  }

  /** Saves the progress, and returns the new version. If the store fails, returns the given version. */
  async #tryToSave(progress: Progress, version: string | null): Promise<string | null> {
    try {
      return await this.#record.save(progress, version);
    } catch {
      return version;
    }
  }
}

/** Returns the progress after a failed exchange. */
function progressAfterFailure(error: unknown, firstSentAt: number): Progress {
  const pause = waitAfterError(error, "code");
  if (pause === null) return usedProgress;
  const blockedByEdge = error instanceof ApiError && error.blockedByEdge;
  return { status: "postponed", until: Date.now() + pause, firstSentAt, blockedByEdge };
}

function progressAfter(afterwards: Afterwards, exchanged: Progress): Progress {
  if (afterwards.kind === "same") return { status: "done", outcome: afterwards.outcome };
  return afterwards.kind === "again" ? exchanged : usedProgress;
}

/** Returns the reason of a final failure, or `null` if another request with this callback may succeed. */
function finalReason(error: unknown): FailureReason | null {
  if (error instanceof LoginError && error.reason === "refused_token") return "refused_token";
  return error instanceof LoginError && error.reason === "other_person" ? "session_ended" : null;
}

function tooEarlyError(
  { until, blockedByEdge }: { readonly until: number; readonly blockedByEdge: boolean },
  now: number,
): RateLimitError {
  return new RateLimitError(
    blockedByEdge
      ? "The code was not sent: the edge in front of the platform has blocked the last request"
      : "The code was not sent: the platform has asked to wait",
    {
      httpStatus: 429,
      retryAfter: (until - now) / 1000,
      blockedByEdge,
      hint: "Open the callback again after that",
    },
  );
}

function failedError(reason: FailureReason): LoginError {
  if (reason === "session_ended") return otherSessionError();
  return reason === "used" ? usedError() : refusedNewTokenError();
}

function otherRequestError(): TimeoutError {
  return new TimeoutError("Another request with the same callback did not finish");
}

function usedError(): LoginError {
  return new LoginError("The callback was opened before, and did not end in a login", {
    reason: "used",
    hint: "Start a new login",
  });
}
