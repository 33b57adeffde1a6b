/**
 * Responds to callbacks: the pages and redirects after a login.
 *
 * @module
 */

import { OAuthError, StoreTimeoutError } from "../../core/errors.ts";
import type { Scope } from "../../links/scopes.ts";
import type { LoginParts } from "./login_parts.ts";
import { beginLogin } from "./begin_login.ts";
import { type Callback, findPending, strayCallbackError } from "./callback.ts";
import { isBadCallback, isOtherPerson } from "../base/error_kind.ts";
import { errorResponse, tryAgain } from "../pages/error_response.ts";
import { reportLoginFailure } from "../base/events.ts";
import { canRetryCallback } from "./exchange_once.ts";
import { finishLogin } from "./finish_login.ts";
import { LoginError } from "../base/login_error.ts";
import { type ProgressRecord, storedProgress } from "../sessions/login_progress.ts";
import type { FinishedLogin } from "../base/method_options.ts";
import { pageAfterLogin } from "../site/page_after_login.ts";
import type { PendingLogin } from "../base/pending_login.ts";
import { ProgressMemory } from "./progress_memory.ts";
import { consentCookies } from "../site/prompt.ts";
import { redirect, responseHeaders, withCookies } from "../pages/responses.ts";
import type { SiteAddress } from "../site/site_address.ts";

/** The callbacks of one login. */
export class Callbacks {
  readonly #parts: LoginParts;
  /** The progress of logins without a store. */
  readonly #memory: ProgressMemory;
  /** True after the developer was told of a callback without cookies or a query. */
  #isTold = false;

  constructor(parts: LoginParts) {
    this.#parts = parts;
    this.#memory = new ProgressMemory(parts.maxStepMs);
  }

  /** See {@link Login.finish}. */
  async finish(request: Request): Promise<FinishedLogin<Scope>> {
    const parts = this.#parts;
    const { site, pending } = await findPending(parts, request);
    if (!pending) {
      this.#tellOfDroppedParts(request);
      const error = strayCallbackError(parts, request, site);
      reportLoginFailure(parts.report, error);
      throw error;
    }
    const { cookies, page, ...login } = await finishLogin(
      parts,
      { request, site, pending },
      this.#progressOf(pending),
    );
    const ownCookies = cookies.length > 0 ? cookies : consentCookies(parts, site, pending);
    const removePending = parts.pendingLogins.removeHeader(site, pending);
    return {
      ...login,
      returnTo: pageAfterLogin(parts.options, page ?? pending.returnTo),
      headers: new Headers(responseHeaders([removePending, ...ownCookies])),
    };
  }

  /** Finishes the login of a callback, and redirects to the page to return to. */
  async respond(request: Request): Promise<Response> {
    const parts = this.#parts;
    const { site, pending } = await findPending(parts, request);
    if (!pending) {
      this.#tellOfDroppedParts(request);
      return await strayCallbackResponse(parts, request, site);
    }
    const callback = { request, site, pending };
    const removePending = parts.pendingLogins.removeHeader(site, pending);
    const forceConsent = consentCookies(parts, site, pending);
    try {
      const { cookies, response, page } = await finishLogin(
        parts,
        callback,
        this.#progressOf(pending),
      );
      const added = [removePending, ...cookies.length > 0 ? cookies : forceConsent];
      if (response) return withCookies(response, added);
      const returnTo = pageAfterLogin(parts.options, page ?? pending.returnTo);
      return redirect(request, site, returnTo, added);
    } catch (error) {
      const response = await this.#failedResponse(callback, error, removePending);
      return withCookies(response, forceConsent);
    }
  }

  /** Tells the developer once that the host may drop cookies or queries: every login would end at the page of a callback from elsewhere. */
  #tellOfDroppedParts({ url, headers }: Request): void {
    const missing = new URL(url).search === ""
      ? "queries"
      : headers.get("cookie") === null
      ? "cookies"
      : null;
    if (missing === null || this.#isTold) return;
    this.#isTold = true;
    console.warn(
      `A callback came without ${missing}: if all do, the host must pass them on`,
    );
  }

  /** Returns the record of a login's progress, for callbacks that are opened again. */
  #progressOf(pending: PendingLogin): ProgressRecord {
    const { options: { store }, timeout } = this.#parts;
    return store ? storedProgress(store, pending, timeout) : this.#memory.recordOf(pending);
  }

  /** Returns the response to a callback whose login failed. */
  async #failedResponse(
    callback: Callback,
    error: unknown,
    removePending: string,
  ): Promise<Response> {
    const { options } = this.#parts;
    const { request, pending } = callback;
    const { returnTo, purpose: { kind: purpose } } = pending;
    // The code was not sent, so the login stays open for the real callback.
    if (isBadCallback(error)) return await errorResponse(options, error, request, { returnTo });
    if (error instanceof OAuthError || isOtherPerson(error)) {
      const response = purpose === "renewal"
        ? await askForConsent(this.#parts, callback)
        : await errorResponse(options, error, request, {
          returnTo,
          isConsent: purpose === "consent",
        });
      return withCookies(response, [removePending]);
    }
    const canRetry = error instanceof StoreTimeoutError ||
      await canRetryCallback(this.#progressOf(pending));
    const retry = canRetry ? tryAgain : undefined;
    return await errorResponse(options, error, request, { returnTo, retry });
  }
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
    const found = await parts.sessions.find(request, site);
    if (!found?.session || new URL(request.url).searchParams.has("guild_id")) throw error;
    return redirect(request, site, pageAfterLogin(parts.options, null), []);
  } catch (error) {
    reportLoginFailure(parts.report, error);
    const response = await errorResponse(parts.options, error, request, {});
    return withCookies(response, consentCookies(parts, site, null));
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
