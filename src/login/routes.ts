/**
 * The routes of `handle`: the login, the callback, the logout and the public session, with the pages for their errors.
 *
 * @module
 */

import { OAuthError, StoreTimeoutError } from "../core/errors.ts";
import type { LoginParts } from "./assembly.ts";
import { beginLogin } from "./begin_login.ts";
import { type Callback, findPending, strayCallbackError } from "./callback.ts";
import { consentCookies } from "./prompt.ts";
import { reportLoginFailure } from "./events.ts";
import { canRetryCallback } from "./exchange_once.ts";
import { finishLogin } from "./finish_login.ts";
import { isFromFrontend, preflightResponse, withCorsHeaders } from "./frontends.ts";
import { LoginError } from "./login_error.ts";
import { type Action, pageResponse } from "./message_page.ts";
import {
  isBadCallback,
  isOtherPerson,
  isWorthLogging,
  logoutQuestion,
  messageAbout,
  type PageLinks,
  wrongAddress,
} from "./messages.ts";
import type { StartOptions } from "./method_options.ts";
import type { CheckedLoginOptions } from "./options.ts";
import { pageAfterLogin } from "./page_after_login.ts";
import { publicSessionResponse } from "./public_session.ts";
import { isPageRequest } from "./request_kind.ts";
import { pageAdvice, redirect, withCookies } from "./responses.ts";
import { assertRequest, isThisMachine, type SiteAddress } from "./site_address.ts";

/** The steps that a subclass of `Login` can override. */
export interface OverridableSteps {
  start(options: StartOptions<never>): Promise<Response>;
  end(): Promise<Response>;
}

/** The route of a request. */
interface Route {
  readonly method: "GET" | "POST";
  readonly run: () => Promise<Response>;
  /** The button that repeats the request after an error. */
  readonly retry?: Action;
}

/** Returns the response to a request, or `null` if the path does not belong to the login. */
export async function handleRequest(
  parts: LoginParts,
  request: Request,
  steps: OverridableSteps,
): Promise<Response | null> {
  assertRequest(request);
  // Deno and Bun also pass on requests with an invalid `Host` header.
  if (!URL.canParse(request.url)) return pageResponse(wrongAddress, request);
  const route = routeOf(parts, request, steps);
  if (!route) return null;
  const { frontends, redirectUri } = parts.options;
  const ownOrigin = new URL(redirectUri ?? request.url).origin;
  const frontend = isFromFrontend(request, ownOrigin, frontends)
    ? request.headers.get("origin")
    : null;
  const response = frontend !== null && request.method === "OPTIONS"
    ? preflightResponse(request, route.method)
    : await responseOf(parts.options, request, route);
  return frontends.length > 0 ? withCorsHeaders(response, frontend) : response;
}

function routeOf(parts: LoginParts, request: Request, steps: OverridableSteps): Route | null {
  const { pathname, searchParams } = new URL(request.url);
  const { loginPath, callbackPath, logoutPath, sessionPath } = parts.options;
  switch (pathname) {
    case loginPath:
      return { method: "GET", run: () => steps.start(optionsOfLink(searchParams)) };
    case callbackPath:
      return { method: "GET", run: () => callbackResponse(parts, request) };
    case logoutPath: {
      const retry = { label: "Log out", href: logoutPath, isPost: true };
      return { method: "POST", run: () => steps.end(), retry };
    }
    case sessionPath: {
      const report = (error: unknown) => reportError(parts.options, error, request);
      return { method: "GET", run: () => publicSessionResponse(parts, request, report) };
    }
    default:
      return null;
  }
}

/**
 * Returns the options of a link to `loginPath`. Any visitor can write such a link, so it can't skip the consent page, and it selects a guild
 * on that page without adding a bot. Without a page, the login names its own path, which is not a page to return to.
 */
function optionsOfLink(query: URLSearchParams): StartOptions<never> {
  const guildId = query.get("guild_id") ?? "";
  return {
    returnTo: query.get("returnTo"),
    prompt: query.get("prompt") === "consent" ? "consent" : null,
    guildId: /^\d{1,20}$/.test(guildId) ? guildId : null,
  };
}

/** Runs a route, and turns its error into a response. */
async function responseOf(
  options: CheckedLoginOptions,
  request: Request,
  { method, run, retry }: Route,
): Promise<Response> {
  if (request.method !== method) return wrongMethodResponse(options, request, method);
  try {
    return await run();
  } catch (error) {
    return await errorResponse(options, error, request, { retry });
  }
}

/** Finishes the login of a callback, and redirects to the page to return to. */
async function callbackResponse(parts: LoginParts, request: Request): Promise<Response> {
  const { site, pending } = await findPending(parts, request);
  if (!pending) return await strayCallbackResponse(parts, request, site);
  const callback = { request, site, pending };
  const removePending = parts.pendingLogins.removeHeader(site, pending);
  const forceConsent = consentCookies(parts, site, pending);
  try {
    const { cookies, response, page } = await finishLogin(parts, callback);
    const added = [removePending, ...cookies.length > 0 ? cookies : forceConsent];
    if (response) return withCookies(response, added);
    return redirect(request, site, pageAfterLogin(parts.options, page ?? pending.returnTo), added);
  } catch (error) {
    const response = await failedCallbackResponse(parts, callback, error, removePending);
    return withCookies(response, forceConsent);
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

/** Returns the response to a callback whose login failed. */
async function failedCallbackResponse(
  parts: LoginParts,
  callback: Callback,
  error: unknown,
  removePending: string,
): Promise<Response> {
  const { options, progressOf } = parts;
  const { request, pending } = callback;
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
    return withCookies(response, [removePending]);
  }
  const canRetry = error instanceof StoreTimeoutError ||
    await canRetryCallback(progressOf(pending));
  // An empty URL means the URL of the page. The page must not contain its own URL, which has the code.
  const retry: Action | undefined = canRetry ? { label: "Try again", href: "" } : undefined;
  return await errorResponse(options, error, request, { returnTo, retry });
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

/** Returns a 405. A visitor who has followed a link to the logout gets a page with a button. */
function wrongMethodResponse(
  options: CheckedLoginOptions,
  request: Request,
  allowedMethod: string,
): Response {
  // Only the logout refuses GET. The page is not about an error, so onError does not replace it.
  const response = request.method === "GET" && isPageRequest(request)
    ? pageResponse(logoutQuestion(pageLinks(options, request)), request)
    : new Response(`Send ${allowedMethod}: ${pageAdvice}`, { status: 405 });
  response.headers.set("allow", allowedMethod);
  return response;
}

/** Returns the application's own response to an error, or the built-in page that shows it. */
async function errorResponse(
  options: CheckedLoginOptions,
  error: unknown,
  request: Request,
  { returnTo = null, retry, isConsent }: {
    /** The page to which a new login returns, if the failed one named a page. */
    readonly returnTo?: string | null;
    /** The button that repeats the request, if a retry may help. */
    readonly retry?: Action | undefined;
    /** True if a person with a session was asked for further scopes. */
    readonly isConsent?: boolean | undefined;
  },
): Promise<Response> {
  const response = await reportError(options, error, request);
  if (response) return response;
  const links = pageLinks(options, request, returnTo);
  const backPath = isConsent ? pageAfterLogin(options, returnTo) : undefined;
  return pageResponse(messageAbout(error, { ...links, retry, backPath }), request);
}

/** Passes an error to `onError`, and returns its response. Without `onError`, logs the error and returns `null`. */
async function reportError(
  { onError }: CheckedLoginOptions,
  error: unknown,
  request: Request,
): Promise<Response | null> {
  if (onError) {
    return await onError(
      error instanceof Error ? error : new Error("The thrown value is not an Error"),
      request,
    );
  }
  // Without onError, the developer sees the error only here. An error of this library never contains a secret.
  if (isWorthLogging(error)) console.error(error);
  return null;
}

function pageLinks(
  { loginPath, logoutPath, redirectUri }: CheckedLoginOptions,
  request: Request,
  returnTo: string | null = null,
): PageLinks {
  const query = returnTo === null ? "" : `?returnTo=${encodeURIComponent(returnTo)}`;
  // Behind a proxy, every request may seem to come to localhost, so the redirect URI decides.
  const isLocal = isThisMachine(new URL(redirectUri ?? request.url).hostname);
  const namesGuild = new URL(request.url).searchParams.has("guild_id");
  return { loginPath: loginPath + query, logoutPath, isLocal, namesGuild };
}
