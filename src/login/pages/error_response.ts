/**
 * The responses to errors: the application's own, or the built-in pages. The messages of these pages are loaded when the first one is needed.
 *
 * @module
 */

import { generateState } from "../../links/pkce.ts";
import { isWorthLogging, pageSummary } from "../base/error_kind.ts";
import type { Action } from "./message_page.ts";
import type { PageLinks } from "./messages.ts";
import type { CheckedLoginOptions } from "../site/checked_options.ts";
import { pageAfterLogin } from "../site/page_after_login.ts";
import { pageHeaders } from "./page_headers.ts";
import { isThisMachine } from "../site/site_address.ts";

/** The messages of the pages, and the functions that show them. */
type Messages = typeof import("./messages.ts");

/** Repeats a request. An empty URL means the URL of the page. The page must not contain its own URL, which may have a code. */
export const tryAgain: Action = { label: "Try again", href: "" };

/** The text of a page or of JSON without a message of its own. */
export const plainText = "Something went wrong. Please try again.";

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
    /** True if a person with a session was asked for further scopes. */
    readonly isConsent?: boolean | undefined;
  },
): Promise<Response> {
  const response = await reportError(options, error, request);
  if (response) return response;
  const links = pageLinks(options, request, returnTo);
  const backPath = isConsent ? pageAfterLogin(options, returnTo) : undefined;
  return await pageWith(
    ({ messageAbout, pageResponse }) =>
      pageResponse(messageAbout(error, { ...links, retry, backPath }), request),
    () => plainPage(pageSummary(error).status),
  );
}

/** Passes an error to `onError`, and returns its response. Without `onError`, logs the error and returns `null`. */
export async function reportError(
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

/** Creates a response with a message. An error never depends on code that may fail to load, so there is a response without it. */
export async function pageWith(
  create: (messages: Messages) => Response,
  createPlain: () => Response,
): Promise<Response> {
  let messages: Messages;
  try {
    messages = await import("./messages.ts");
  } catch {
    return createPlain();
  }
  return create(messages);
}

/** Returns a page with one sentence. */
export function plainPage(status: number): Response {
  const headers = pageHeaders("text/plain; charset=utf-8", generateState());
  return new Response(plainText, { status, headers });
}

/** Returns the links of a page about a request. */
export function pageLinks(
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
