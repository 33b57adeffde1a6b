/**
 * The responses to errors: the application's own, or the built-in pages.
 *
 * @module
 */

import { isWorthLogging } from "../base/error_kind.ts";
import { type Action, jsonResponse, pageResponse } from "./message_page.ts";
import { messageAbout, type PageLinks } from "./messages.ts";
import type { CheckedLoginOptions } from "../site/checked_options.ts";
import { checkedResponse } from "./responses.ts";
import { pageAfterLogin } from "../site/page_after_login.ts";
import { isThisMachine } from "../site/site_address.ts";

/**
 * The button that repeats a request. An empty URL means the URL of the page. The page never contains its own URL, because that may have a
 * code.
 */
export const tryAgain: Action = { label: "Try again", href: "" };

/** Returns the application's own response to an error, or the built-in page that shows it. */
export async function errorResponse(
  options: CheckedLoginOptions,
  error: unknown,
  request: Request,
  { returnTo = null, retry, isConsent }: {
    /** The page to which a new login returns, if the failed one named a page. */
    readonly returnTo?: string | null;
    /** The button that repeats the request, if a retry may help. */
    readonly retry?: Action | undefined;
    /** True if a person with a session was asked for additional scopes. */
    readonly isConsent?: boolean | undefined;
  },
): Promise<Response> {
  const returned = await reportError(options, error, request);
  const response = checkedResponse("onError must return a Response", returned, { cause: error });
  if (response) return response;
  const links = pageLinks(options, request, returnTo);
  const backPath = isConsent ? pageAfterLogin(options, returnTo) : undefined;
  return pageResponse(messageAbout(error, { ...links, retry, backPath }), request);
}

/**
 * Passes an error to `onError`, and returns its response. Without `onError`, logs the error and returns `null`. If `onError` itself throws,
 * its error would hide the first one, which is logged.
 */
export async function reportError(
  { onError }: CheckedLoginOptions,
  error: unknown,
  request: Request,
): Promise<Response | null> {
  if (onError) {
    const thrown = error instanceof Error
      ? error
      : new Error("A callback or the store threw a value that is not an Error", { cause: error });
    try {
      return await onError(thrown, request) ?? null;
    } catch (next) {
      if (next !== thrown) console.error(error);
      throw next;
    }
  }
  // Without onError, the developer sees the error only here. An error of this library never contains a secret.
  if (isWorthLogging(error)) console.error(error);
  return null;
}

/**
 * Returns an error as JSON, for a script or an app. `onError` gets the error, but its response is not used.
 *
 * @param change The status, if it is not that of the page, and the exact code.
 */
export async function errorJson(
  options: CheckedLoginOptions,
  error: unknown,
  request: Request,
  headers: Headers,
  change: { readonly status?: number; readonly reason?: string },
): Promise<Response> {
  await reportError(options, error, request);
  return jsonResponse(
    { ...messageAbout(error, { ...options, isLocal: false }), ...change },
    headers,
  );
}

/** Returns the links of a page about a request. */
export function pageLinks(
  { loginPath, logoutPath, site }: CheckedLoginOptions,
  request: Request,
  returnTo: string | null = null,
): PageLinks {
  const query = returnTo === null ? "" : `?returnTo=${encodeURIComponent(returnTo)}`;
  // Behind a proxy, every request may seem to come to localhost, so the redirect URI decides.
  const { hostname, origin, searchParams } = new URL(request.url);
  const isLocal = site?.isLocal ?? isThisMachine(hostname);
  const namesGuild = searchParams.has("guild_id");
  const links = { loginPath: loginPath + query, logoutPath, isLocal, namesGuild };
  return { ...links, origin: site?.origin ?? origin };
}
