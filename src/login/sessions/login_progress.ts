/**
 * The progress of a pending login, and its record in the application's store.
 *
 * @module
 */

import { clockDifferenceMs, pendingLifetimeMs } from "../../http/waits.ts";
import type { TokenObj } from "../../resources/token.ts";
import { digestOf } from "../../stores/digest.ts";
import { format, ofThisFormat, recordKeys } from "../../stores/names.ts";
import { createSealer } from "../../stores/sealed.ts";
import type { Store } from "../../stores/store.ts";
import { withTimeLimit } from "../../stores/with_time_limit.ts";
import type { PendingLogin } from "../base/pending_login.ts";
import type { ListedProgress } from "./person_index.ts";
import { untilSaved } from "../../tokens/store_loops.ts";

/** The progress of a login. All times are in milliseconds since the epoch. */
export type Progress =
  | UnsealedProgress
  /** The code was exchanged for a token. Before `until`, another request may be finishing the login with this token. */
  | { readonly status: "exchanged"; readonly token: TokenObj; readonly until: number }
  /** The login is complete. The outcome is a JSON value. */
  | { readonly status: "done"; readonly outcome: unknown };

/** The progress without secrets. */
type UnsealedProgress =
  /** A request is sending the code. After `until`, the code may or may not have been used. `claim` is a random id of the request. */
  | {
    readonly status: "exchanging";
    readonly until: number;
    readonly firstSentAt: number;
    readonly claim: string;
  }
  /** The code was sent and certainly not used. After `until`, it may be sent again. */
  | {
    readonly status: "postponed";
    readonly until: number;
    readonly firstSentAt: number;
    readonly blockedByEdge: boolean;
  }
  | { readonly status: "failed"; readonly reason: FailureReason };

/** The reason of a failed login: the code may have been used, the platform refused the token, or the session of the consent or renewal has ended. */
export type FailureReason = "used" | "refused_token" | "session_ended";

/** The progress in a store. The sealed parts are encrypted with the verifier in the cookie of the login. */
type SealedProgress =
  | UnsealedProgress
  | { readonly status: "exchanged"; readonly sealedToken: string; readonly until: number }
  | { readonly status: "done"; readonly sealedOutcome: string };

/**
 * The lifetime of a record. A record must outlive its login, or another process would send the code again. The clocks of the saving and the
 * loading process may be behind the clock of the store.
 */
const keepForMs = pendingLifetimeMs + 2 * clockDifferenceMs;

/** The progress of a used code without further details. */
export const usedProgress: Progress = { status: "failed", reason: "used" };

/** The progress of a login and its version. Both are `null` before the first request with the callback. */
export interface FoundProgress {
  readonly progress: Progress | null;
  readonly version: string | null;
}

/** Loads and saves the progress of one login. */
export interface ProgressRecord {
  load(): Promise<FoundProgress>;
  /** Saves the progress if the record still has the given version. Returns the new version, or `null` if the version does not match. */
  save(progress: Progress, version: string | null): Promise<string | null>;
}

/**
 * Returns the record of a login in the application's store.
 *
 * @param timeoutMs The time limit of each store operation.
 */
export function storedProgress(
  store: Store,
  { state, codeVerifier }: PendingLogin,
  timeoutMs: number,
): ProgressRecord {
  const limited = withTimeLimit(store, timeoutMs);
  const sealer = createSealer("codeVerifier", codeVerifier, "login attempt");
  let key: string | undefined;
  const keyOfRecord = async () => key ??= recordKeys.progress + await digestOf(state);

  async function seal(progress: Progress): Promise<SealedProgress> {
    if (progress.status === "exchanged") {
      const { status, token, until } = progress;
      return { status, sealedToken: await sealer.seal("token", token), until };
    }
    if (progress.status !== "done") return progress;
    return { status: "done", sealedOutcome: await sealer.seal("outcome", progress.outcome) };
  }

  async function open(sealed: SealedProgress): Promise<Progress> {
    if (sealed.status !== "exchanged" && sealed.status !== "done") return sealed;
    const content = sealed.status === "exchanged"
      ? await sealer.open("token", sealed.sealedToken)
      : await sealer.open("outcome", sealed.sealedOutcome);
    // The record was changed, or replaced with the record of another login.
    if (content === null) return usedProgress;
    return sealed.status === "exchanged"
      ? { status: "exchanged", token: content as TokenObj, until: sealed.until }
      : { status: "done", outcome: content };
  }

  return {
    async load() {
      const found = await limited.load(await keyOfRecord());
      if (!found) return { progress: null, version: null };
      const sealed = ofThisFormat<SealedProgress>(found.value);
      // A record from another version of this library may mean that the code was sent.
      return { progress: sealed ? await open(sealed) : usedProgress, version: found.version };
    },
    async save(progress, version) {
      const value = { format, ...await seal(progress) };
      const expiresAt = Date.now() + keepForMs;
      return await limited.save(await keyOfRecord(), value, { version, expiresAt });
    },
  };
}

/** Replaces a progress record with the information that the code was used. */
export async function clearProgress(
  store: Store,
  { digest, at }: ListedProgress,
): Promise<void> {
  if (!isKept(at)) return;
  const key = recordKeys.progress + digest;
  await untilSaved("The progress of the login was not cleared", async () => {
    const found = await store.load(key);
    if (!found || Object(found.value).status === "failed") return true;
    const options = { version: found.version, expiresAt: Date.now() + keepForMs };
    const value = { format, ...usedProgress };
    return await store.save(key, value, options) === null ? null : true;
  });
}

/** Adds a progress record to a list of them, without the ones that have expired. */
export function withProgress(
  listed: readonly ListedProgress[],
  added: ListedProgress,
): readonly ListedProgress[] {
  const others = listed.filter(({ digest, at }) => digest !== added.digest && isKept(at));
  return [...others, added];
}

/** Returns true if a store may still have the progress record of a callback that arrived at a time. */
function isKept(arrivedAt: number): boolean {
  return Date.now() <= arrivedAt + keepForMs + clockDifferenceMs;
}
