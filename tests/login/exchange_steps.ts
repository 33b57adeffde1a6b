/**
 * The exchange of a code with steps that a test provides.
 *
 * @module
 */

import type { TokenObj } from "../../mod.ts";
import {
  type Afterwards,
  exchangeOnce,
  saveFailure,
  saveOutcome,
} from "../../src/login/callback/exchange_once.ts";
import type { ProgressRecord } from "../../src/login/sessions/login_progress.ts";
import { createPendingLogin } from "./create_pending_login.ts";

/** The steps after a callback. */
export interface Steps<Outcome> {
  exchange(): Promise<TokenObj>;
  createSession(token: TokenObj): Promise<Outcome>;
  /** Returns what a repeated request with the callback gets. */
  afterwards(outcome: Outcome): Afterwards;
  restore(serialized: unknown): Outcome;
}

/** Finishes a login as `finishLogin` does, with other steps. */
export async function finishWith<Outcome>(
  record: ProgressRecord,
  maxStepMs: number,
  steps: Steps<Outcome>,
): Promise<Outcome> {
  const clients = { tokenClient: () => ({ accessToken: () => steps.exchange() }) };
  const parts = { clients, maxStepMs, options: { redirectUri: null } } as never;
  const callback = { site: { redirectUri: null }, pending: createPendingLogin() } as never;
  const exchanged = await exchangeOnce(parts, callback, "c0de", record);
  if (exchanged.kind === "done") return steps.restore(exchanged.outcome);
  try {
    const outcome = await steps.createSession(exchanged.token);
    await saveOutcome(record, exchanged, steps.afterwards(outcome));
    return outcome;
  } catch (error) {
    await saveFailure(record, exchanged, error);
    throw error;
  }
}
