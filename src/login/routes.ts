/**
 * The routes of `handle`: the login, the callback, the logout and the public session, with the pages for their errors.
 *
 * @module
 */

import type { Callbacks } from "./callback/callbacks.ts";
import type { LoginParts } from "./callback/login_parts.ts";
import { errorResponse, pageLinks } from "./pages/error_response.ts";
import { corsOrigin, preflightResponse, withCorsHeaders } from "./site/frontends.ts";
import { type Action, pageResponse } from "./pages/message_page.ts";
import { logoutQuestion, wrongAddress } from "./pages/messages.ts";
import type { StartOptions } from "./base/method_options.ts";
import type { CheckedLoginOptions } from "./site/checked_options.ts";
import { publicSessionResponse } from "./public_session.ts";
import { isPageRequest, pageAdvice } from "./pages/responses.ts";
import { pathsOf } from "./site/page_after_login.ts";
import { respondToApp } from "./app_response.ts";
import { assertRequest } from "./site/site_address.ts";

/** The steps that a subclass of `Login` can override. */
export interface OverridableSteps {
  start(options: StartOptions<never>): Promise<Response>;
  end(): Promise<Response>;
}

/** The route of a request. */
interface Route {
  readonly method: "GET" | "POST";
  readonly run: () => Promise<Response>;
  /** True if pages of `appOrigins` may use the route. */
  readonly isForApps?: boolean;
}

/** Returns the response to a request, or `null` if the path does not belong to the login. */
export async function handleRequest(
  parts: LoginParts,
  callbacks: Callbacks,
  request: Request,
  steps: OverridableSteps,
): Promise<Response | null> {
  assertRequest(request);
  if (!URL.canParse(request.url)) {
    // Deno and Bun also pass on requests with an invalid `Host` header.
    return pageResponse(wrongAddress, request);
  }
  const route = routeOf(parts, callbacks, request, steps);
  if (!route) return null;
  const { frontends, appOrigins, site } = parts.options;
  if (frontends.length + appOrigins.length === 0) {
    return await responseOf(parts.options, request, route);
  }
  const ownOrigin = site?.origin ?? new URL(request.url).origin;
  const allowed = corsOrigin(request, ownOrigin, frontends, route.isForApps ? appOrigins : []);
  const response = allowed && request.method === "OPTIONS"
    ? preflightResponse(request, route.method, allowed)
    : await responseOf(parts.options, request, route);
  return withCorsHeaders(response, allowed);
}

function routeOf(
  parts: LoginParts,
  callbacks: Callbacks,
  request: Request,
  steps: OverridableSteps,
): Route | null {
  const { pathname, searchParams } = new URL(request.url);
  const { loginPath, callbackPath, logoutPath, sessionPath, appPath } = parts.options;
  /** Runs a step, and turns its error into a response. The other routes do so themselves. */
  const respond = async (step: () => Promise<Response>, retry?: Action) => {
    try {
      return await step();
    } catch (error) {
      return await errorResponse(parts.options, error, request, { retry });
    }
  };
  switch (pathname) {
    case loginPath:
      return { method: "GET", run: () => respond(() => steps.start(optionsOfLink(searchParams))) };
    case callbackPath:
      return { method: "GET", run: () => callbacks.respond(request) };
    case logoutPath: {
      const retry = { label: "Log out", href: logoutPath, isPost: true };
      return { method: "POST", run: () => respond(() => steps.end(), retry), isForApps: true };
    }
    case sessionPath:
      return {
        method: "GET",
        run: () => publicSessionResponse(parts, request),
        isForApps: true,
      };
    case appPath:
      return { method: "POST", run: () => respondToApp(parts, request), isForApps: true };
    default:
      // Without this, the page of the application would be shown, and the session would stay.
      return request.method === "POST" && simplified(pathname) === simplified(logoutPath) &&
          !servedPaths.has(pathname)
        ? { method: "POST", run: () => Promise.resolve(notFoundResponse(logoutPath)) }
        : null;
  }
}

function notFoundResponse(path: string): Response {
  return new Response(`Not found: log out at ${path}`, { status: 404 });
}

/** The paths of all logins of the application. A path of one login may differ from that of another only by its case. */
const servedPaths = new Set<string>();

/** Records the paths of a login, so that other logins do not report them as misspelled. */
export function noteServedPaths(options: CheckedLoginOptions): void {
  for (const path of pathsOf(options)) servedPaths.add(path);
}

/** Returns a path in lowercase, without double slashes and a slash at its end. */
function simplified(path: string): string {
  return path.toLowerCase().split("/").filter(Boolean).join("/");
}

/**
 * Returns the options of a link to `loginPath`. Any visitor can write such a link, so it can't skip the consent page, and it selects a
 * guild on that page without adding a bot. Without `returnTo`, the page is the login's own path, which is ignored.
 */
function optionsOfLink(query: URLSearchParams): StartOptions<never> {
  const guildId = query.get("guild_id") ?? "";
  return {
    returnTo: query.get("returnTo"),
    prompt: query.get("prompt") === "consent" ? "consent" : null,
    guildId: /^\d{1,20}$/.test(guildId) ? guildId : null,
  };
}

/** Runs a route. */
async function responseOf(
  options: CheckedLoginOptions,
  request: Request,
  { method, run }: Route,
): Promise<Response> {
  return request.method === method ? await run() : wrongMethodResponse(options, request, method);
}

/** Returns a 405. A visitor who has followed a link to the logout gets a page with a button. */
function wrongMethodResponse(
  options: CheckedLoginOptions,
  request: Request,
  allowedMethod: string,
): Response {
  const isLogout = new URL(request.url).pathname === options.logoutPath;
  // The page is not about an error, so onError does not replace it.
  const response = isLogout && request.method === "GET" && isPageRequest(request)
    ? pageResponse(logoutQuestion(pageLinks(options, request)), request)
    : new Response(`Send ${allowedMethod}: ${pageAdvice}`, { status: 405 });
  response.headers.set("allow", allowedMethod);
  return response;
}
