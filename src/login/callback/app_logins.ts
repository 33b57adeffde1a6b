/**
 * The logins of apps and Activities: the app keeps the sealed pending login itself, and nothing is stored before a code arrives.
 *
 * @module
 */

import { StateMismatchError } from "../../core/errors.ts";
import { invalidResponseError, stateMismatchError } from "../../links/authorization_response.ts";
import { codeForm } from "../../links/parse_callback.ts";
import { codeChallenge, generateState } from "../../links/pkce.ts";
import type { Scope } from "../../links/scopes.ts";
import { reportLoginFailure } from "../base/events.ts";
import { type PendingLogin, personOf } from "../base/pending_login.ts";
import { ProgressRecord } from "../sessions/login_progress.ts";
import type { Visit } from "../sessions/session_storage.ts";
import type { CheckedLoginOptions } from "../site/checked_options.ts";
import { linkOf, planLogin } from "./begin_login.ts";
import { stateFor } from "./elsewhere.ts";
import type { Callback, LoginParts } from "./login_parts.ts";
import { newPendingLogin, openPending, sealPending } from "./pending_logins.ts";

/** The begin of an app's login. */
export interface BegunAppLogin {
  /** The link to open, and its state, if the login has a target. */
  readonly url?: string;
  readonly state?: string;
  /** Without a target, the argument of `commands.authorize()` of the Embedded App SDK. */
  readonly authorize?: {
    readonly client_id: string;
    readonly response_type: "code";
    readonly scope: readonly string[];
    readonly state: string;
    readonly code_challenge: string;
    readonly code_challenge_method: "S256";
  };
  /** The sealed pending login. */
  readonly pending: string;
}

/** The code of a consent, as an app sends it. */
export interface AppCode {
  readonly code: string;
  /** The SDK of an Activity does not return it. */
  readonly state: string | null;
  readonly pending: string;
}

/** Begins the login of an app, or a consent of its session. */
export async function beginAppLogin(
  parts: LoginParts,
  visit: Visit,
  { scope, target }: {
    readonly scope: readonly Scope[] | null;
    /** The URL at which the login ends, or `null` for an Activity. */
    readonly target: string | null;
  },
): Promise<BegunAppLogin> {
  const { options, report, appSealer, targetSealer } = parts;
  try {
    const plan = await planLogin(parts, visit, scope, null);
    const newState = target === null ? generateState() : await stateFor(targetSealer, target);
    const pending = newPendingLogin(newState, { returnTo: null, data: null, ...plan, target });
    const { state, purpose } = pending;
    const sealed = await sealPending(appSealer, sealedName(visit), pending);
    const begun: BegunAppLogin = target === null
      ? { authorize: await authorizeArgument(options, pending), pending: sealed }
      // Without the page, another app could get the code of a person who has consented before.
      : {
        url: await linkOf(options, visit.site, pending, { prompt: "consent" }),
        state,
        pending: sealed,
      };
    report?.({
      kind: "login_started",
      userId: personOf(purpose),
      purpose: purpose.kind,
      scopes: [...plan.scope],
    });
    return begun;
  } catch (error) {
    reportLoginFailure(report, error);
    throw error;
  }
}

/** Returns the argument of the SDK's `commands.authorize()`. */
async function authorizeArgument(
  { clientId }: CheckedLoginOptions,
  { scope, state, codeVerifier }: PendingLogin,
): Promise<NonNullable<BegunAppLogin["authorize"]>> {
  return {
    client_id: clientId,
    response_type: "code",
    scope,
    state,
    code_challenge: await codeChallenge(codeVerifier),
    code_challenge_method: "S256",
  };
}

/**
 * Finds the login that an app finishes. A wrong state does not use it up.
 *
 * @throws {StateMismatchError} If the pending login does not open or has another state.
 * @throws {OAuthError} If the code is not valid.
 */
export async function findAppLogin(
  { appSealer, store, report }: LoginParts,
  visit: Visit,
  { code, state, pending: sealed }: AppCode,
): Promise<Callback> {
  const pending = await openPending(appSealer, sealedName(visit), sealed);
  const error = wrongLogin(pending, state) ??
    (codeForm.test(code) ? null : invalidResponseError("The app has sent no valid code"));
  if (error || !pending) {
    reportLoginFailure(report, error, pending?.purpose);
    throw error;
  }
  return { ...visit, pending, progress: new ProgressRecord(store, pending, code) };
}

/** Returns the error for a pending login that does not open or has another state, or `null`. */
function wrongLogin(pending: PendingLogin | null, state: string | null): StateMismatchError | null {
  if (!pending) {
    return new StateMismatchError("The pending login of the app does not open", {
      reason: "no_expected_state",
      hint: "It is older than ten minutes, or of another origin. Begin again",
    });
  }
  if (state === pending.state) return null;
  if (state !== null) return stateMismatchError("different");
  // The SDK of an Activity does not return the state.
  return pending.target === null ? null : stateMismatchError("no_state");
}

/** The pending login of a page opens only for pages of its origin. */
function sealedName({ request }: Visit): string {
  return request.headers.get("origin") ?? "";
}
