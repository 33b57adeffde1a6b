/**
 * Responds to callbacks: the pages and redirects after a login.
 *
 * @module
 */

import { type GuildpassError, OAuthError, StoreTimeoutError } from "../../core/errors.ts";
import type { Scope } from "../../links/scopes.ts";
import type { Callback, LoginParts } from "./login_parts.ts";
import { beginLogin } from "./begin_login.ts";
import { isBadCallback, isOtherPerson } from "../base/error_kind.ts";
import { pageForElsewhere } from "./elsewhere.ts";
import { errorResponse, tryAgain } from "../pages/error_response.ts";
import { reportLoginFailure } from "../base/events.ts";
import { canRetryCallback } from "./exchange_once.ts";
import { finishLogin } from "./finish_login.ts";
import { LoginError, noPendingLoginError, otherLoginError } from "../base/login_error.ts";
import { ProgressRecord } from "../sessions/login_progress.ts";
import type { CreatedSession } from "../sessions/session_storage.ts";
import type { FinishedLogin } from "../base/method_options.ts";
import { pageAfterLogin } from "../site/page_after_login.ts";
import { forcedConsentCookies } from "../site/prompt.ts";
import { redirect, responseHeaders, withCookies } from "../pages/responses.ts";
import { type SiteAddress, siteAddressOf } from "../site/site_address.ts";

/** The address of the application, and the callback of a login that began in this browser; `null` if there is none. */
interface FoundCallback {
  readonly site: SiteAddress;
  readonly callback: Callback | null;
}

/** The callbacks of one login. */
export class Callbacks {
  readonly #parts: LoginParts;
  /** True after the developer was told of a callback without cookies or a query. */
  #isTold = false;

  constructor(parts: LoginParts) {
    this.#parts = parts;
  }

  /** See {@link Login.finish}. */
  async finish(request: Request): Promise<FinishedLogin<Scope>> {
    const parts = this.#parts;
    const { site, callback } = await this.#find(request);
    if (!callback) {
      const error = strayCallbackError(parts, request, site);
      reportLoginFailure(parts.report, error);
      throw error;
    }
    const { session, ...login } = await finishLogin(parts, callback);
    return {
      ...login,
      returnTo: pageAfterLogin(parts.options, session?.page ?? callback.pending.returnTo),
      headers: new Headers(responseHeaders(await cookiesAfter(parts, callback, session))),
    };
  }

  /** Finishes the login of a callback, and redirects to the page to return to. */
  async respond(request: Request): Promise<Response> {
    const parts = this.#parts;
    let found: FoundCallback;
    try {
      const elsewhere = await pageForElsewhere(parts, request);
      if (elsewhere) return elsewhere;
      found = await this.#find(request);
    } catch (error) {
      return await errorResponse(parts.options, error, request, {});
    }
    const { site, callback } = found;
    if (!callback) return await strayCallbackResponse(parts, request, site);
    try {
      const { session, response } = await finishLogin(parts, callback);
      const added = await cookiesAfter(parts, callback, session);
      if (response) return withCookies(response, added);
      const returnTo = pageAfterLogin(parts.options, session?.page ?? callback.pending.returnTo);
      return redirect(request, site, returnTo, added);
    } catch (error) {
      const response = await failedResponse(parts, callback, error);
      return withCookies(response, forcedConsentCookies(parts, site, callback.pending));
    }
  }

  async #find(request: Request): Promise<FoundCallback> {
    const { options, pendingLogins, store, report } = this.#parts;
    try {
      const site = siteAddressOf(request, options);
      const { searchParams } = new URL(request.url);
      const pending = await pendingLogins.find(request, site, searchParams.get("state"));
      if (!pending) this.#warnOfDroppedParts(request);
      if (!pending) return { site, callback: null };
      const code = searchParams.get("code") ?? "";
      const progress = new ProgressRecord(store, pending, code);
      return { site, callback: { request, site, pending, code, progress } };
    } catch (error) {
      reportLoginFailure(report, error);
      throw error;
    }
  }

  /** Tells the developer once that the host may drop cookies or queries: every login would end at the page of a callback from elsewhere. */
  #warnOfDroppedParts({ url, headers }: Request): void {
    const missing = new URL(url).search === ""
      ? "queries"
      : headers.get("cookie") === null
      ? "cookies"
      : null;
    if (missing === null || this.#isTold) return;
    this.#isTold = true;
    console.warn(`A callback arrived without ${missing}: if all do, your host removes them`);
  }
}

/**
 * Returns the `Set-Cookie` headers after a login: they remove the pending login, and set the session. They also remove old pending logins,
 * to make room.
 */
async function cookiesAfter(
  parts: LoginParts,
  { request, site, pending }: Callback,
  session: CreatedSession | null,
): Promise<readonly string[]> {
  const removePending = parts.pendingLogins.removeHeader(site, pending);
  if (!session) return [removePending, ...forcedConsentCookies(parts, site, pending)];
  const { cookies } = session;
  const room = await parts.pendingLogins.makeRoom(request, site, [removePending, ...cookies]);
  return [removePending, ...room, ...cookies];
}

/** Returns the response to a callback whose login failed. */
async function failedResponse(
  parts: LoginParts,
  callback: Callback,
  error: unknown,
): Promise<Response> {
  const { options, pendingLogins } = parts;
  const { request, site, pending, progress } = callback;
  const { returnTo, purpose: { kind: purpose } } = pending;
  // The code was not sent, so the login stays open for the real callback.
  if (isBadCallback(error)) return await errorResponse(options, error, request, { returnTo });
  if (error instanceof OAuthError || isOtherPerson(error)) {
    const response = purpose === "renewal"
      ? await askForConsent(parts, callback)
      : await errorResponse(options, error, request, {
        returnTo,
        isConsent: purpose === "consent",
      });
    return withCookies(response, [pendingLogins.removeHeader(site, pending)]);
  }
  const canRetry = error instanceof StoreTimeoutError || await canRetryCallback(progress);
  const retry = canRetry ? tryAgain : undefined;
  return await errorResponse(options, error, request, { returnTo, retry });
}

/** Returns the error for a callback without a pending login in this browser. */
function strayCallbackError(
  { pendingLogins }: LoginParts,
  request: Request,
  site: SiteAddress,
): GuildpassError {
  const { searchParams } = new URL(request.url);
  const state = searchParams.get("state");
  if (state !== null && pendingLogins.isOfOtherLogin(request, site, state)) {
    return otherLoginError();
  }
  return noPendingLoginError(state, searchParams.has("guild_id"));
}

/** Returns the response to a callback without a pending login, for example after a reload, Back, or a bookmark. */
async function strayCallbackResponse(
  parts: LoginParts,
  request: Request,
  site: SiteAddress,
): Promise<Response> {
  try {
    const error = strayCallbackError(parts, request, site);
    if (error instanceof LoginError) throw error;
    const found = await parts.sessions.find({ request, site });
    if (!found?.session || new URL(request.url).searchParams.has("guild_id")) throw error;
    return redirect(request, site, pageAfterLogin(parts.options, null), []);
  } catch (error) {
    reportLoginFailure(parts.report, error);
    const response = await errorResponse(parts.options, error, request, {});
    return withCookies(response, forcedConsentCookies(parts, site, null));
  }
}

/**
 * Begins a login with a consent page, after a session could not be renewed without one. The new login is not a renewal, so this does not
 * repeat. Another person may finish the login, so it does not ask for the scopes of the session.
 */
async function askForConsent(
  parts: LoginParts,
  { request, site, pending }: Callback,
): Promise<Response> {
  const { scope } = parts.options;
  const purpose = { kind: "login" } as const;
  return await beginLogin(parts, request, site, { ...pending, scope, purpose }, {});
}
