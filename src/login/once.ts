/**
 * Ends each attempt once: the code of a callback is used a single time, however often the callback is opened.
 *
 * @module
 */

import { NetworkError, RateLimitError, TimeoutError } from "../errors.ts";
import { createSealer } from "../server/sealing.ts";
import type { Store } from "../server/stores/store.ts";
import type { TokenObj } from "../server/resources/token.ts";
import type { Attempt } from "./attempts.ts";
import { digestOf } from "./digest.ts";
import { restoredToken } from "../server/kept_token.ts";
import { LoginError } from "./login_error.ts";

/**
 * How far an attempt has come. What is sealed opens with the verifier of the attempt alone, which only the browser has that
 * began it.
 */
type Progress =
  /** The code is being sent. When there is no result by then, nobody knows whether the code was used. */
  | { readonly status: "exchanging"; readonly until: number; readonly firstSentAt: number }
  /** The code was sent and certainly not used, so that it may be sent again from then on. */
  | { readonly status: "postponed"; readonly until: number; readonly firstSentAt: number }
  /** There is a token. Until then, another request may be reading whose it is. */
  | { readonly status: "exchanged"; readonly sealedToken: string; readonly until: number }
  | { readonly status: "done"; readonly sealedOutcome: string }
  | { readonly status: "failed" };

/** How long all of this is remembered, in milliseconds: as long as an attempt lasts. */
const memory = 600_000;

/** How long the platform accepts a code, in milliseconds, as far as is known. */
const codeLifetime = 100_000;

/** How long the code is not sent again after a 429 that does not say, and after any 429 at the least, in milliseconds. */
const usualPause = 5000;
const shortestPause = 1000;

/** How often a second callback looks whether the first one has finished, in milliseconds. */
const pollInterval = 100;

/** The steps of ending an attempt. */
export interface Steps<Outcome> {
  /** Exchanges the code, which must happen once. */
  exchange(): Promise<TokenObj>;
  /** Does the rest, which may be tried again with the same token. */
  complete(token: TokenObj): Promise<Outcome>;
  /** The part of an outcome to keep, as a JSON value, for a callback that comes again; `null` to run `complete` again then. */
  keep(outcome: Outcome): unknown;
  /** Makes an outcome of what was kept. */
  restore(kept: unknown): Outcome;
}

/**
 * Ends an attempt, or waits for the outcome when another request is ending it.
 *
 * When the exchange fails and the code was certainly not used, the next request with this callback sends it again: after a 429
 * when the platform's wait is over, and at once when the platform was not reached. Until the wait is over, a request is answered
 * without sending anything.
 *
 * When the store fails before the code is sent, this throws what the store threw. When it fails later, the login goes on: what
 * could not be saved is only needed by a callback that comes again.
 *
 * @param patience How long one step may take, in milliseconds.
 * @throws {LoginError} When the attempt has failed before.
 * @throws {RateLimitError} When the platform has asked to wait, and the wait is not over.
 * @throws {TimeoutError} When the other request takes too long.
 */
export async function once<Outcome>(
  store: Store,
  attempt: Attempt,
  patience: number,
  steps: Steps<Outcome>,
): Promise<Outcome> {
  const key = await keyOf(attempt);
  const sealer = createSealer("codeVerifier", attempt.codeVerifier, "login attempt");
  const expiresAt = Date.now() + memory;
  const save = (progress: Progress, version: string | null) =>
    store.save(key, progress, { version, expiresAt });

  const tryToSave = async (progress: Progress, version: string | null) => {
    try {
      return await save(progress, version);
    } catch {
      return version;
    }
  };

  const complete = async (token: TokenObj, sealedToken: string, version: string | null) => {
    // The token is kept, so that opening the callback again goes on from here.
    const exchanged: Progress = { status: "exchanged", sealedToken, until: 0 };
    let outcome: Outcome;
    try {
      outcome = await steps.complete(token);
    } catch (error) {
      await tryToSave(exchanged, version);
      throw error;
    }
    const kept = steps.keep(outcome);
    const progress: Progress = kept === null
      ? exchanged
      : { status: "done", sealedOutcome: await sealer.seal("outcome", kept) };
    await tryToSave(progress, version);
    return outcome;
  };

  const exchange = async (version: string, firstSentAt: number) => {
    let token: TokenObj;
    try {
      token = await steps.exchange();
    } catch (error) {
      const pause = pauseAfter(error);
      const progress: Progress = pause === null
        ? { status: "failed" }
        : { status: "postponed", until: Date.now() + pause, firstSentAt };
      await tryToSave(progress, version);
      throw error;
    }
    const sealedToken = await sealer.seal("token", token);
    const until = Date.now() + patience;
    const next = await tryToSave({ status: "exchanged", sealedToken, until }, version);
    return await complete(token, sealedToken, next);
  };

  const deadline = Date.now() + 2 * patience;
  while (Date.now() < deadline) {
    const { progress, version: foundVersion } = await load(store, key);
    const now = Date.now();
    if (progress === null || progress.status === "postponed") {
      if (progress && progress.until > now) throw tooEarly(progress.until - now);
      const firstSentAt = progress?.firstSentAt ?? now;
      const exchanging: Progress = { status: "exchanging", until: now + patience, firstSentAt };
      const version = await save(exchanging, foundVersion);
      if (version !== null) return await exchange(version, firstSentAt);
      continue;
    }
    if (progress.status === "done") {
      return steps.restore(await sealer.open("outcome", progress.sealedOutcome));
    }
    if (progress.status === "failed") throw used();
    if (progress.until <= now) {
      // Nobody knows whether the code has been used, and sending it twice would end the token.
      if (progress.status === "exchanging") throw used();
      const { sealedToken } = progress;
      const version = await save({ ...progress, until: now + patience }, foundVersion);
      if (version !== null) {
        return await complete(
          restoredToken(await sealer.open("token", sealedToken) as TokenObj),
          sealedToken,
          version,
        );
      }
    }
    await new Promise((resolve) => setTimeout(resolve, pollInterval));
  }
  throw new TimeoutError("Another request with the same callback did not finish");
}

/**
 * Whether opening the callback of an attempt once more may still end in a login, after it has not. When the store fails, it may:
 * nothing is lost by trying.
 */
export async function mayGoOn(store: Store, attempt: Attempt): Promise<boolean> {
  try {
    const { progress } = await load(store, await keyOf(attempt));
    if (progress?.status === "postponed") {
      return progress.until < progress.firstSentAt + codeLifetime;
    }
    return progress === null || progress.status === "exchanged";
  } catch {
    return true;
  }
}

/** How far an attempt has come, and the version of that in the store; both are `null` when it has not begun to end. */
async function load(
  store: Store,
  key: string,
): Promise<{ readonly progress: Progress | null; readonly version: string | null }> {
  const found = await store.load(key);
  return { progress: found ? found.value as Progress : null, version: found?.version ?? null };
}

async function keyOf({ state }: Attempt): Promise<string> {
  return `guildpass:attempt:${await digestOf(state)}`;
}

/** How long not to send the code again, in milliseconds, when it was certainly not used; `null` when it may have been. */
function pauseAfter(error: unknown): number | null {
  if (error instanceof RateLimitError) {
    const { retryAfter } = error;
    return retryAfter === null ? usualPause : Math.max(retryAfter * 1000, shortestPause);
  }
  return error instanceof NetworkError && !error.mayHaveArrived ? 0 : null;
}

function tooEarly(milliseconds: number): RateLimitError {
  return new RateLimitError(
    "The code was not sent: the platform has asked to wait",
    { httpStatus: 429, retryAfter: milliseconds / 1000 },
    "Open the callback again after that",
  );
}

function used(): LoginError {
  return new LoginError(
    "used",
    "The callback was opened before, and did not end in a login",
    "Start a new login",
  );
}
