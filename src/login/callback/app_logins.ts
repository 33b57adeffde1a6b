/**
 * The logins of apps and Activities: the app keeps the sealed pending login itself, and nothing is stored before a code arrives.
 *
 * @module
 */

import { StateMismatchError } from "../../core/errors.ts";
import { stateMismatchError } from "../../links/authorization_response.ts";
import { codeChallenge, generateState } from "../../links/pkce.ts";
import type { Scope } from "../../links/scopes.ts";
import type { PendingLogin } from "../base/pending_login.ts";
import { ProgressRecord } from "../sessions/login_progress.ts";
import type { Visit } from "../sessions/session_storage.ts";
import type { CheckedLoginOptions } from "../site/checked_options.ts";
import { linkOf, planLogin, reportStart } from "./begin_login.ts";
import { stateFor } from "./elsewhere.ts";
import type { Callback, LoginParts } from "./login_parts.ts";
import { newPendingLogin, openPending, sealPending } from "./pending_logins.ts";

/** The argument of `commands.authorize()` of the Embedded App SDK. */
interface AuthorizeArgument {
  readonly client_id: string;
  readonly response_type: "code";
  readonly scope: readonly string[];
  readonly state: string;
  readonly code_challenge: string;
  readonly code_challenge_method: "S256";
}

/** The start of an app's login: the sealed pending login, with the link to open and its state, or with the argument for an Activity. */
type BegunAppLogin =
  & { readonly pending: string }
  & ({ readonly url: string; readonly state: string } | { readonly authorize: AuthorizeArgument });

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
  const plan = await planLogin(parts, visit, scope, null);
  const state = target === null ? generateState() : await stateFor(targetSealer, target);
  const pending = newPendingLogin(state, { returnTo: null, data: null, ...plan, target });
  const link = target === null
    ? { authorize: await authorizeArgument(options, pending) }
    : { url: await linkOf(options, visit.site, pending, {}), state };
  const sealed = await sealPending(appSealer, sealedName(visit), pending);
  reportStart(report, pending);
  return { ...link, pending: sealed };
}

async function authorizeArgument(
  { clientId }: CheckedLoginOptions,
  { scope, state, codeVerifier }: PendingLogin,
): Promise<AuthorizeArgument> {
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
 */
export async function findAppLogin(
  { appSealer, store }: LoginParts,
  visit: Visit,
  { code, state, pending: sealed }: AppCode,
): Promise<Callback> {
  const pending = await openPending(appSealer, sealedName(visit), sealed);
  if (!pending) {
    throw new StateMismatchError("The pending login has ended, or began on another origin", {
      reason: "no_expected_state",
      hint: "Start again",
    });
  }
  if (state === null && pending.target !== null) throw stateMismatchError("no_state");
  if (state !== null && state !== pending.state) throw stateMismatchError("different");
  return { ...visit, pending, code, progress: new ProgressRecord(store, pending, code) };
}

/** Only pages of the same origin can open a page's pending login. */
function sealedName({ request }: Visit): string {
  return request.headers.get("origin") ?? "";
}
