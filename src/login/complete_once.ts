/**
 * Ends each attempt once: the code of a callback is used a single time, however often the callback is opened.
 *
 * @module
 */

import { NetworkError, RateLimitError, TimeoutError } from "../core/errors.ts";
import { sleep } from "../core/wait.ts";
import { createSealer, type Sealer } from "../stores/sealer.ts";
import type { Store } from "../stores/store.ts";
import type { TokenObj } from "../resources/token.ts";
import type { Attempt } from "./attempts.ts";
import { digestOf } from "../stores/digest.ts";
import { fromStoredToken } from "../tokens/stored_token.ts";
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
const rememberedFor = 600_000;

/** How long the platform accepts a code, in milliseconds, as far as is known. */
const codeLifetime = 100_000;

/** How long the code is not sent again after a 429 that does not say, and after any 429 at the least, in milliseconds. */
const usualPause = 5000;
const shortestPause = 1000;

/** How often a second callback looks whether the first one has finished, in milliseconds. */
const pollInterval = 100;

/** The steps of ending an attempt. */
export interface Steps<Outcome> {
  /** Exchanges the code, which works once. */
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
 * @param stepTimeout How long one step may take, in milliseconds.
 * @throws {LoginError} When the attempt has failed before.
 * @throws {RateLimitError} When the platform has asked to wait, and the wait is not over.
 * @throws {TimeoutError} When the other request takes too long.
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
 * Whether opening the callback of an attempt once more may still end in a login, after it has not. When the store fails, it may:
 * nothing is lost by trying.
 */
export async function canRetryCallback(store: Store, attempt: Attempt): Promise<boolean> {
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

/** One request's part in ending an attempt. */
class Completion<Outcome> {
  readonly #store: Store;
  readonly #key: string;
  readonly #stepTimeout: number;
  readonly #steps: Steps<Outcome>;
  readonly #sealer: Sealer;
  readonly #expiresAt = Date.now() + rememberedFor;

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
    while (Date.now() < deadline) {
      const { progress, version } = await load(this.#store, this.#key);
      if (progress === null || progress.status === "postponed") {
        const ended = await this.#begin(progress, version);
        if (ended) return ended.outcome;
        continue;
      }
      if (progress.status === "done") {
        return this.#steps.restore(await this.#sealer.open("outcome", progress.sealedOutcome));
      }
      if (progress.status === "failed") throw used();
      if (progress.until <= Date.now()) {
        // Nobody knows whether the code has been used, and sending it twice would end the token.
        if (progress.status === "exchanging") throw used();
        const ended = await this.#goOn(progress, version);
        if (ended) return ended.outcome;
      }
      await sleep(pollInterval);
    }
    throw new TimeoutError("Another request with the same callback did not finish");
  }

  /** Sends the code; `null` when another request was faster to say that it does. */
  async #begin(
    postponed: Extract<Progress, { readonly status: "postponed" }> | null,
    version: string | null,
  ): Promise<Ended<Outcome> | null> {
    const now = Date.now();
    if (postponed && postponed.until > now) throw tooEarly(postponed.until - now);
    const firstSentAt = postponed?.firstSentAt ?? now;
    const until = now + this.#stepTimeout;
    const ownVersion = await this.#save({ status: "exchanging", until, firstSentAt }, version);
    if (ownVersion === null) return null;
    return { outcome: await this.#exchange(ownVersion, firstSentAt) };
  }

  /** Goes on with the token of a request that has not finished; `null` when another one was faster to say that it does. */
  async #goOn(
    exchanged: Extract<Progress, { readonly status: "exchanged" }>,
    version: string | null,
  ): Promise<Ended<Outcome> | null> {
    const { sealedToken } = exchanged;
    const until = Date.now() + this.#stepTimeout;
    const ownVersion = await this.#save({ ...exchanged, until }, version);
    if (ownVersion === null) return null;
    const token = fromStoredToken(await this.#sealer.open("token", sealedToken) as TokenObj);
    return { outcome: await this.#complete(token, sealedToken, ownVersion) };
  }

  async #exchange(version: string, firstSentAt: number): Promise<Outcome> {
    let token: TokenObj;
    try {
      token = await this.#steps.exchange();
    } catch (error) {
      const pause = pauseAfter(error);
      const progress: Progress = pause === null
        ? { status: "failed" }
        : { status: "postponed", until: Date.now() + pause, firstSentAt };
      await this.#tryToSave(progress, version);
      throw error;
    }
    const sealedToken = await this.#sealer.seal("token", token);
    const until = Date.now() + this.#stepTimeout;
    const next = await this.#tryToSave({ status: "exchanged", sealedToken, until }, version);
    return await this.#complete(token, sealedToken, next);
  }

  async #complete(token: TokenObj, sealedToken: string, version: string | null): Promise<Outcome> {
    // The token is kept, so that opening the callback again goes on from here.
    const exchanged: Progress = { status: "exchanged", sealedToken, until: 0 };
    let outcome: Outcome;
    try {
      outcome = await this.#steps.complete(token);
    } catch (error) {
      await this.#tryToSave(exchanged, version);
      throw error;
    }
    const kept = this.#steps.keep(outcome);
    const progress: Progress = kept === null
      ? exchanged
      : { status: "done", sealedOutcome: await this.#sealer.seal("outcome", kept) };
    await this.#tryToSave(progress, version);
    return outcome;
  }

  #save(progress: Progress, version: string | null): Promise<string | null> {
    return this.#store.save(this.#key, progress, { version, expiresAt: this.#expiresAt });
  }

  /** The same, but a store that fails does not matter: the version stays what it was then. */
  async #tryToSave(progress: Progress, version: string | null): Promise<string | null> {
    try {
      return await this.#save(progress, version);
    } catch {
      return version;
    }
  }
}

/** Apart from `null`, since an outcome may be anything. */
interface Ended<Outcome> {
  readonly outcome: Outcome;
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
