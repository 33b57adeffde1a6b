/**
 * Completes each login attempt once: its code is sent a single time, however often the callback is opened.
 *
 * @module
 */

import { ApiError, NetworkError, RateLimitError, TimeoutError } from "../core/errors.ts";
import { sleep } from "../core/wait.ts";
import { blockPause } from "../http/edge.ts";
import type { TokenObj } from "../resources/token.ts";
import { digestOf } from "../stores/digest.ts";
import { createSealer, type Sealer } from "../stores/sealer.ts";
import type { Store } from "../stores/store.ts";
import { fromStoredToken } from "../tokens/stored_token.ts";
import type { Attempt } from "./attempts.ts";
import { format, ofThisFormat } from "./format.ts";
import { LoginError, refusedNewTokenError } from "./login_error.ts";

/**
 * The progress of an attempt, as the store has it. Tokens and outcomes are sealed with the verifier of the attempt, which only the
 * browser that began it has. All times are in milliseconds since the epoch.
 */
type Progress =
  /** A request is sending the code. After `until`, nobody knows whether the code was used. */
  | { readonly status: "exchanging"; readonly until: number; readonly firstSentAt: number }
  /** The code was sent and certainly not used. After `until`, it may be sent again. */
  | {
    readonly status: "postponed";
    readonly until: number;
    readonly firstSentAt: number;
    readonly blockedByEdge: boolean;
  }
  /** There is a token. Before `until`, another request may be completing the login with it. */
  | { readonly status: "exchanged"; readonly sealedToken: string; readonly until: number }
  /** The login is complete. */
  | { readonly status: "done"; readonly sealedOutcome: string }
  /** The code is lost, or its token is refused. */
  | { readonly status: "failed"; readonly reason: "used" | "refused_token" };

/** The time for which the progress is kept, in milliseconds: the lifetime of an attempt. */
const progressLifetime = 600_000;

/** The time for which the platform is known to accept a code, in milliseconds. */
const codeLifetime = 100_000;

/** The wait after a 429 without a time, in milliseconds. */
const defaultPause = 5000;

/** The shortest wait after a 429 or a block, in milliseconds. */
const minPause = 1000;

/** The longest wait, in milliseconds. After a longer one, the code would not work any more. */
const maxPause = codeLifetime;

/** The first pause between two looks at the progress of another request, in milliseconds. Each further one is twice as long. */
const firstPollPause = 100;

/** The longest pause between two looks, in milliseconds. */
const maxPollPause = 1600;

/** The steps that complete an attempt. */
export interface Steps<Outcome> {
  /** Exchanges the code, which works once. */
  exchange(): Promise<TokenObj>;
  /** Does the rest, which may be repeated with the same token. */
  complete(token: TokenObj): Promise<Outcome>;
  /** Returns the outcome as a JSON value for later callbacks, or `null` to run `complete` again for each of them. */
  serialize(outcome: Outcome): unknown;
  /** Restores an outcome from the value of `serialize`. */
  restore(serialized: unknown): Outcome;
}

/**
 * Completes an attempt. If another request is completing it, waits for that result.
 *
 * If the exchange fails and the code was certainly not used, the next request with this callback sends it again: after a wait for a
 * 429 or a block by the edge, and at once if the platform was not reached. Requests before the end of that wait send nothing.
 *
 * If a step ends in a {@link LoginError} with the reason `"refused_token"`, the attempt ends, and no request is sent for it again.
 *
 * If the store fails before the code is sent, this throws the store's error. If it fails later, the login goes on, because only
 * a callback that is opened again needs what was not saved.
 *
 * @param stepTimeout The longest time that one step may take, in milliseconds.
 * @throws {LoginError} If the attempt has failed before.
 * @throws {RateLimitError} If the platform has demanded a wait, and it is not over.
 * @throws {TimeoutError} If the other request takes too long.
 */
export async function completeOnce<Outcome>(
  store: Store,
  attempt: Attempt,
  stepTimeout: number,
  steps: Steps<Outcome>,
): Promise<Outcome> {
  return await new Completion(store, attempt, await keyOf(attempt), stepTimeout, steps).run();
}

/**
 * Returns true if the callback of a failed attempt may still lead to a login when it is opened again. This is also true if the store
 * fails, since trying loses nothing.
 */
export async function canRetryCallback(store: Store, attempt: Attempt): Promise<boolean> {
  try {
    const { progress } = await loadProgress(store, await keyOf(attempt));
    if (progress?.status === "postponed") {
      return progress.until < progress.firstSentAt + codeLifetime;
    }
    return progress === null || progress.status === "exchanged";
  } catch {
    return true;
  }
}

/** The work of one request on an attempt. */
class Completion<Outcome> {
  readonly #store: Store;
  readonly #key: string;
  readonly #stepTimeout: number;
  readonly #steps: Steps<Outcome>;
  readonly #sealer: Sealer;
  readonly #expiresAt = Date.now() + progressLifetime;

  constructor(
    store: Store,
    { codeVerifier }: Attempt,
    key: string,
    stepTimeout: number,
    steps: Steps<Outcome>,
  ) {
    this.#store = store;
    this.#key = key;
    this.#stepTimeout = stepTimeout;
    this.#steps = steps;
    this.#sealer = createSealer("codeVerifier", codeVerifier, "login attempt");
  }

  async run(): Promise<Outcome> {
    const deadline = Date.now() + 2 * this.#stepTimeout;
    let pause = firstPollPause;
    while (Date.now() < deadline) {
      const { progress, version } = await loadProgress(this.#store, this.#key);
      const now = Date.now();
      const until = now + this.#stepTimeout;
      if (progress?.status === "failed") throw failedError(progress.reason);
      if (progress?.status === "done") {
        return this.#steps.restore(await this.#sealer.open("outcome", progress.sealedOutcome));
      }
      if (progress === null || progress.status === "postponed") {
        if (progress && progress.until > now) throw tooEarlyError(progress, now);
        const firstSentAt = progress?.firstSentAt ?? now;
        const claimed = await this.#save({ status: "exchanging", until, firstSentAt }, version);
        if (claimed !== null) return await this.#exchange(firstSentAt, claimed);
      } else if (progress.until <= now) {
        // The code may have been used, and sending it twice would end the token.
        if (progress.status === "exchanging") throw failedError("used");
        const claimed = await this.#save({ ...progress, until }, version);
        if (claimed !== null) return await this.#resume(progress.sealedToken, claimed);
      }
      await sleep(pause);
      pause = Math.min(2 * pause, maxPollPause);
    }
    throw new TimeoutError("Another request with the same callback did not finish");
  }

  async #exchange(firstSentAt: number, version: string): Promise<Outcome> {
    let token: TokenObj;
    try {
      token = await this.#steps.exchange();
    } catch (error) {
      const pause = pauseBeforeRetry(error);
      const blockedByEdge = isEdgeBlock(error);
      const progress: Progress = pause === null
        ? { status: "failed", reason: "used" }
        : { status: "postponed", until: Date.now() + pause, firstSentAt, blockedByEdge };
      await this.#tryToSave(progress, version);
      throw error;
    }
    const sealedToken = await this.#sealer.seal("token", token);
    const until = Date.now() + this.#stepTimeout;
    const next = await this.#tryToSave({ status: "exchanged", sealedToken, until }, version);
    return await this.#complete(token, sealedToken, next);
  }

  /** Completes the login with the token of a request that did not finish. */
  async #resume(sealedToken: string, version: string): Promise<Outcome> {
    const token = fromStoredToken(await this.#sealer.open("token", sealedToken) as TokenObj);
    return await this.#complete(token, sealedToken, version);
  }

  async #complete(token: TokenObj, sealedToken: string, version: string | null): Promise<Outcome> {
    // The token stays in the store, so that opening the callback again continues here.
    const exchanged: Progress = { status: "exchanged", sealedToken, until: 0 };
    let outcome: Outcome;
    try {
      outcome = await this.#steps.complete(token);
    } catch (error) {
      const progress: Progress = isRefusedToken(error)
        ? { status: "failed", reason: "refused_token" }
        : exchanged;
      await this.#tryToSave(progress, version);
      throw error;
    }
    const serialized = this.#steps.serialize(outcome);
    const progress: Progress = serialized === null
      ? exchanged
      : { status: "done", sealedOutcome: await this.#sealer.seal("outcome", serialized) };
    await this.#tryToSave(progress, version);
    return outcome;
  }

  #save(progress: Progress, version: string | null): Promise<string | null> {
    const value = { format, ...progress };
    return this.#store.save(this.#key, value, { version, expiresAt: this.#expiresAt });
  }

  /** Saves the progress, and returns the given version if the store fails. */
  async #tryToSave(progress: Progress, version: string | null): Promise<string | null> {
    try {
      return await this.#save(progress, version);
    } catch {
      return version;
    }
  }
}

/** Returns the progress of an attempt and its version in the store. Both are `null` if nobody has begun to complete it. */
async function loadProgress(
  store: Store,
  key: string,
): Promise<{ readonly progress: Progress | null; readonly version: string | null }> {
  const found = await store.load(key);
  if (!found) return { progress: null, version: null };
  // What another version of this code has written may mean that the code was sent.
  const unknown: Progress = { status: "failed", reason: "used" };
  return { progress: ofThisFormat<Progress>(found.value) ?? unknown, version: found.version };
}

async function keyOf({ state }: Attempt): Promise<string> {
  return `guildpass:attempt:${await digestOf(state)}`;
}

/** Returns the wait before the code may be sent again, in milliseconds, or `null` if it may have been used. */
function pauseBeforeRetry(error: unknown): number | null {
  if (error instanceof RateLimitError && error.retryAfter !== null) {
    return Math.min(Math.max(error.retryAfter * 1000, minPause), maxPause);
  }
  if (error instanceof RateLimitError) return defaultPause;
  if (isEdgeBlock(error)) return blockPause * 1000;
  return error instanceof NetworkError && !error.mayHaveArrived ? 0 : null;
}

function isEdgeBlock(error: unknown): boolean {
  return error instanceof ApiError && error.blockedByEdge;
}

function isRefusedToken(error: unknown): boolean {
  return error instanceof LoginError && error.reason === "refused_token";
}

function tooEarlyError(
  { until, blockedByEdge }: { readonly until: number; readonly blockedByEdge: boolean },
  now: number,
): RateLimitError {
  return new RateLimitError(
    blockedByEdge
      ? "The code was not sent: the edge in front of the platform has blocked the last request"
      : "The code was not sent: the platform has asked to wait",
    { httpStatus: 429, retryAfter: (until - now) / 1000, blockedByEdge },
    "Open the callback again after that",
  );
}

function failedError(reason: "used" | "refused_token"): LoginError {
  return reason === "used" ? usedError() : refusedNewTokenError();
}

function usedError(): LoginError {
  return new LoginError(
    "used",
    "The callback was opened before, and did not end in a login",
    "Start a new login",
  );
}
