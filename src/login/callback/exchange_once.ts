/**
 * Exchanges the code of each login once, however often the callback is opened.
 *
 * @module
 */

import { usesPkce } from "../../links/pkce.ts";
import { type GuildpassError, OAuthError } from "../../core/errors.ts";
import {
  ApiError,
  NetworkError,
  RateLimitError,
  TimeoutError,
} from "../../core/response_errors.ts";
import { deadlineIn } from "../../core/wait.ts";
import { waitBeforeCode } from "../../http/next_step.ts";
import { codeLifetimeMs } from "../../http/waits.ts";
import type { TokenObj } from "../../resources/token.ts";
import { pollStore } from "../../tokens/store_loops.ts";
import { fromStoredToken } from "../../tokens/token_record.ts";
import {
  type FailureReason,
  type Progress,
  type ProgressRecord,
  usedProgress,
} from "../sessions/login_progress.ts";
import { errorKindOf } from "../base/error_kind.ts";
import { LoginError, otherSessionError, refusedNewTokenError } from "../base/login_error.ts";
import type { Callback, LoginParts } from "./login_parts.ts";
import { countFailure, enter, leave, visitorOf } from "./visitor_limit.ts";

/** The token of a login, or the outcome that an earlier request with the callback has saved. */
export type Exchanged =
  /** The token of a login whose further steps this request takes, and the version of the progress. */
  | { readonly kind: "token"; readonly token: TokenObj; readonly version: string | null }
  | { readonly kind: "done"; readonly outcome: unknown };

/**
 * Exchanges the code of a login. If another request is already doing this, waits for its result.
 *
 * If the exchange fails and the code was certainly not used, the next request with this callback sends the code again: after a wait for a
 * 429 or a block by the edge, and at once if Discord was not reached. Requests during the wait do not send the code.
 *
 * If the record can't be saved before the code is sent, this throws the store's error. A later failure of the store does not end the login:
 * only a reopened callback needs this record.
 *
 * @throws {LoginError} If the login has failed before, or too many codes of the visitor were refused; {@link NetworkError} if Discord
 * did not respond then.
 * @throws {RateLimitError} If the wait after a 429 or a block by the edge is not over.
 * @throws {TimeoutError} If the other request takes too long.
 */
export async function exchangeOnce(
  parts: LoginParts,
  callback: Callback,
  code: string,
): Promise<Exchanged> {
  const { maxStepMs } = parts;
  const { progress } = callback;
  const startedAt = Date.now();
  const visitor = await visitorOf(parts, callback.request);
  const refusal = visitor && await enter(parts, visitor);
  const entered = refusal ? null : visitor;
  try {
    // Most callbacks are opened once, so this does not read the record first.
    const begun = refusal ? null : await beginExchange(progress, maxStepMs, startedAt, null);
    const turn: Turn = begun === null
      ? await waitForTurn(progress, maxStepMs, refusal)
      : { kind: "send", firstSentAt: startedAt, version: begun };
    return turn.kind === "send" ? await sendCode(parts, callback, code, turn) : turn;
  } catch (error) {
    const isRefused = error instanceof OAuthError && error.error === "invalid_grant";
    if (entered && isRefused) await countFailure(parts.store, entered);
    throw error;
  } finally {
    if (entered) leave(entered);
  }
}

/** Exchanges the code, and saves the result. */
async function sendCode(
  { options, clients, maxStepMs }: LoginParts,
  { site, pending, progress }: Callback,
  code: string,
  turn: Sending,
): Promise<Exchanged> {
  let token: TokenObj;
  try {
    token = await clients.tokens.exchange({
      code,
      // Without PKCE, the verifier only seals the progress of the login.
      codeVerifier: usesPkce(pending.scope) ? pending.codeVerifier : null,
      // Discord issues the code of an Activity without one.
      redirectUri: pending.target === null ? null : site.redirectUri,
      scope: pending.scope.join(" "),
      // Without the option, the request has decided about it.
      isShapedByCaller: options.site === null,
    });
  } catch (error) {
    await progress.tryToSave(progressAfterFailure(error, turn.firstSentAt), turn.version);
    throw error;
  }
  const until = Date.now() + maxStepMs;
  const version = await progress.tryToSave({ status: "exchanged", token, until }, turn.version);
  return { kind: "token", token, version };
}

/**
 * Returns true if a failed login may still succeed when its callback is opened again. If the store fails, it returns true, since a retry
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

/** The task of a request with a callback: it sends the code, or continues where another request has stopped. */
type Turn = Exchanged | Sending;

interface Sending {
  readonly kind: "send";
  readonly firstSentAt: number;
  readonly version: string;
}

/**
 * Waits for the request that exchanges the code.
 *
 * @param refusal The error if this request may not send the code, or `null`.
 */
async function waitForTurn(
  record: ProgressRecord,
  maxStepMs: number,
  refusal: LoginError | null,
): Promise<Turn> {
  return await pollStore(look, deadlineIn(2 * maxStepMs), otherRequestError);

  /** Returns `null` if another request is still exchanging the code, or was faster. */
  async function look(): Promise<Turn | null> {
    const { progress, version } = await record.load();
    const now = Date.now();
    if (progress?.status === "failed") throw failedError(progress.reason);
    if (progress?.status === "done") return { kind: "done", outcome: progress.outcome };
    if (progress === null || progress.status === "postponed") {
      if (refusal) throw refusal;
      if (progress && progress.until > now) throw tooEarlyError(progress, now);
      const firstSentAt = progress?.firstSentAt ?? now;
      const begun = await beginExchange(record, maxStepMs, firstSentAt, version);
      return begun === null ? null : { kind: "send", firstSentAt, version: begun };
    }
    if (progress.until > now) return null;
    // The code may have been used, and sending it twice would end the token.
    if (progress.status === "exchanging") throw failedError("used");
    const saved = await record.save({ ...progress, until: now + maxStepMs }, version);
    if (saved === null) return null;
    return { kind: "token", token: fromStoredToken(progress.token), version: saved };
  }
}

/**
 * Saves that this request sends the code. Returns the new version, or `null` if the record's version does not match.
 *
 * If the store fails, looks for this request in the record, and saves it again: the code was not sent yet, and the record would keep every
 * other request from sending it.
 */
async function beginExchange(
  record: ProgressRecord,
  maxStepMs: number,
  firstSentAt: number,
  version: string | null,
): Promise<string | null> {
  const sender = crypto.randomUUID();
  const until = Date.now() + maxStepMs;
  const progress: Progress = { status: "exchanging", until, firstSentAt, sender };
  try {
    return await record.save(progress, version);
  } catch (error) {
    const found = await record.load().catch(() => null);
    const isOwn = found?.progress?.status === "exchanging" && found.progress.sender === sender;
    if (!isOwn) throw error;
    // With a store that breaks its contract, this fails too.
    return await record.save(progress, found.version);
  }
}

/** Returns the progress after a failed exchange. */
function progressAfterFailure(error: unknown, firstSentAt: number): Progress {
  const waitMs = waitBeforeCode(error);
  if (waitMs === null) {
    const isOutage = errorKindOf(error) === "no_response";
    return isOutage ? { status: "failed", reason: "no_response" } : usedProgress;
  }
  const blockedByEdge = error instanceof ApiError && error.blockedByEdge;
  return { status: "postponed", until: Date.now() + waitMs, firstSentAt, blockedByEdge };
}

function tooEarlyError(
  { until, blockedByEdge }: { readonly until: number; readonly blockedByEdge: boolean },
  now: number,
): RateLimitError {
  return new RateLimitError(
    blockedByEdge
      ? "The code was not sent: the edge in front of the platform blocked the last request"
      : "The code was not sent: the platform asked to wait",
    {
      httpStatus: 429,
      retryAfter: (until - now) / 1000,
      blockedByEdge,
      hint: "Open the callback again after that",
    },
  );
}

function failedError(reason: FailureReason): GuildpassError {
  switch (reason) {
    case "used":
      return new LoginError("The callback was opened before, and that login failed", {
        reason: "used",
        hint: "Start a new login",
      });
    case "no_response":
      return new NetworkError(
        "The code was not sent again: the platform did not respond when the callback was first opened",
        { isTemporary: false, hint: "The code may be used up; start a new login" },
      );
    case "refused_token":
      return refusedNewTokenError();
    case "session_ended":
      return otherSessionError();
  }
}

function otherRequestError(): TimeoutError {
  return new TimeoutError("Another request with the same callback did not finish");
}
