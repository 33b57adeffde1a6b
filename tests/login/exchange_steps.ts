/**
 * The exchange of a code with steps that a test provides.
 *
 * @module
 */

import type { TokenObj } from "../../mod.ts";
import type { PendingLogin } from "../../src/login/base/pending_login.ts";
import { exchangeOnce } from "../../src/login/callback/exchange_once.ts";
import { progressAfterError } from "../../src/login/callback/finish_login.ts";
import { type Progress, ProgressRecord } from "../../src/login/sessions/login_progress.ts";

/** The steps after a callback. */
export interface Steps<Outcome> {
  exchange(): Promise<TokenObj>;
  createSession(token: TokenObj): Promise<Outcome>;
  /** Returns the progress after the steps, which decides what a repeated request with the callback gets. */
  progressAfter(outcome: Outcome, token: TokenObj): Progress;
  restore(serialized: unknown): Outcome;
}

/** Finishes a login as `finishLogin` does, with other steps. */
export async function finishWith<Outcome>(
  store: ConstructorParameters<typeof ProgressRecord>[0],
  pending: PendingLogin,
  maxStepMs: number,
  steps: Steps<Outcome>,
  code = "c0de",
): Promise<Outcome> {
  const progress = new ProgressRecord(store, pending, code);
  const clients = { tokens: { exchange: () => steps.exchange() } };
  const parts = { clients, maxStepMs, options: { site: null } } as never;
  const callback = { site: { redirectUri: null }, pending, progress } as never;
  const exchanged = await exchangeOnce(parts, callback, code);
  if (exchanged.kind === "done") return steps.restore(exchanged.outcome);
  const { token, version } = exchanged;
  try {
    const outcome = await steps.createSession(token);
    await progress.tryToSave(steps.progressAfter(outcome, token), version);
    return outcome;
  } catch (error) {
    await progress.tryToSave(progressAfterError(error, token), version);
    throw error;
  }
}
