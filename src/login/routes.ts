/**
 * The routes of `handle`: the login, the callback and the logout, with the pages for their errors.
 *
 * @module
 */

import { OAuthError, StoreTimeoutError } from "../core/errors.ts";
import type { PendingLogin } from "./pending_logins.ts";
import { isFromFrontend, preflightResponse, withCorsHeaders } from "./frontends.ts";
import { LoginError } from "./login_error.ts";
import type { LoginFlow } from "./login_flow.ts";
import { type Action, pageResponse } from "./message_page.ts";
import {
  isBadCallback,
  isWorthLogging,
  logoutQuestion,
  messageAbout,
  type PageLinks,
} from "./messages.ts";
import { redirect, withCookies } from "./responses.ts";
import { assertRequest, isThisMachine, type SiteAddress } from "./site_address.ts";

/** The methods of `Login` that the routes call, so that a subclass can override them. */
export interface LoginMethods {
  start(request: Request, options: { readonly returnTo: string }): Promise<Response>;
  end(request: Request): Promise<Response>;
}

/** Answers the requests to the paths of a login. */
export class Routes {
  readonly #flow: LoginFlow;
  readonly #login: LoginMethods;

  constructor(flow: LoginFlow, login: LoginMethods) {
    this.#flow = flow;
    this.#login = login;
  }

  /** Returns the response to a request, or `null` for a path that is not of the login. */
  async handle(request: Request): Promise<Response | null> {
    assertRequest(request);
    // Deno and Bun also pass a request on whose header `Host` is no host.
    if (!URL.canParse(request.url)) return new Response("The address is wrong", { status: 400 });
    const { pathname } = new URL(request.url);
    const { loginPath, callbackPath, logoutPath } = this.#flow.options;
    if (pathname === loginPath) {
      return await this.#route(request, "GET", () => this.#startLogin(request));
    }
    if (pathname === callbackPath) {
      return await this.#route(request, "GET", () => this.#finishLogin(request));
    }
    if (pathname === logoutPath) {
      const retry: Action = { label: "Log out", href: logoutPath, isPost: true };
      return await this.#route(request, "POST", () => this.#login.end(request), retry);
    }
    return null;
  }

  /** Runs a route, and turns its error into a response. */
  async #route(
    request: Request,
    method: "GET" | "POST",
    run: () => Promise<Response>,
    retry?: Action,
  ): Promise<Response> {
    const { frontends, redirectUri } = this.#flow.options;
    const ownOrigin = new URL(redirectUri ?? request.url).origin;
    const frontend = isFromFrontend(request, ownOrigin, frontends)
      ? request.headers.get("origin")
      : null;
    const response = frontend !== null && request.method === "OPTIONS"
      ? preflightResponse(request, method)
      : await this.#methodResponse(request, method, run, retry);
    return frontends.length > 0 ? withCorsHeaders(response, frontend) : response;
  }

  async #methodResponse(
    request: Request,
    method: "GET" | "POST",
    run: () => Promise<Response>,
    retry?: Action,
  ): Promise<Response> {
    if (request.method !== method) return this.#wrongMethodResponse(request, method);
    try {
      return await run();
    } catch (error) {
      return await this.#errorResponse(error, request, { retry });
    }
  }

  async #startLogin(request: Request): Promise<Response> {
    const returnTo = new URL(request.url).searchParams.get("returnTo") ?? "/";
    return await this.#login.start(request, { returnTo });
  }

  async #finishLogin(request: Request): Promise<Response> {
    const { site, pending } = await this.#flow.findPending(request);
    if (pending) return await this.#finishAndRedirect(request, site, pending);
    try {
      // The callback was opened again: by a reload, by Back, or from a bookmark.
      const error = this.#flow.noPendingLoginError(request, site);
      if (error instanceof LoginError) throw error;
      const found = await this.#flow.sessions.find(request, site);
      if (!found?.session || new URL(request.url).searchParams.has("guild_id")) throw error;
      return redirect(request, site, "/", []);
    } catch (error) {
      this.#flow.reportFailure(error, null);
      throw error;
    }
  }

  async #finishAndRedirect(
    request: Request,
    site: SiteAddress,
    pending: PendingLogin,
  ): Promise<Response> {
    const removePending = this.#flow.pendingLogins.removeHeader(site, pending);
    const { returnTo } = pending;
    try {
      const { cookies, response } = await this.#flow.complete(request, site, pending);
      if (response) return withCookies(response, [removePending]);
      return redirect(request, site, returnTo, [removePending, ...cookies]);
    } catch (error) {
      // Nothing was sent, so the login stays open for the real callback.
      if (isBadCallback(error)) return await this.#errorResponse(error, request, { returnTo });
      if (error instanceof OAuthError || isOtherPerson(error)) {
        const response = pending.purpose.kind === "renewal"
          ? await this.#askAgain(request, site, pending)
          : await this.#errorResponse(error, request, {
            returnTo,
            isConsent: pending.purpose.kind === "consent",
          });
        return withCookies(response, [removePending]);
      }
      const canRetry = error instanceof StoreTimeoutError || await this.#flow.canRetry(pending);
      // An empty address means this one. The page must not have it, because the code is in it.
      const retry: Action | undefined = canRetry ? { label: "Try again", href: "" } : undefined;
      return await this.#errorResponse(error, request, { returnTo, retry });
    }
  }

  /**
   * Asks for the consent of a person whose session can't be renewed in silence. The new login renews nothing, so this does not repeat.
   * Another person may finish it, so it does not ask for the scopes of the session.
   */
  async #askAgain(request: Request, site: SiteAddress, pending: PendingLogin): Promise<Response> {
    const { scope } = this.#flow.options;
    const purpose = { kind: "login" } as const;
    return await this.#flow.begin(request, site, { ...pending, scope, purpose }, {});
  }

  /** Answers 405. A person who has followed a link to the logout gets a page with a button. */
  #wrongMethodResponse(request: Request, allowedMethod: string): Response {
    // The other two paths allow GET. This is no error, so that the page is the same with onError.
    const response = request.method === "GET"
      ? pageResponse(logoutQuestion(this.#pageLinks(request)), request)
      : new Response(null, { status: 405 });
    response.headers.set("allow", allowedMethod);
    return response;
  }

  /** Returns the application's own response to an error, or the built-in page about it. */
  async #errorResponse(
    error: unknown,
    request: Request,
    { returnTo, retry, isConsent }: {
      /** The page to which a new login returns. */
      readonly returnTo?: string | undefined;
      /** Repeats what failed, if that may work the next time. */
      readonly retry?: Action | undefined;
      /** True if a person with a session was asked for further scopes. */
      readonly isConsent?: boolean | undefined;
    },
  ): Promise<Response> {
    const { onError } = this.#flow.options;
    if (onError) {
      return await onError(
        error instanceof Error ? error : new Error("Something was thrown that is no error"),
        request,
      );
    }
    // Without onError, the developer sees the error only here. An error of this library shows no secret.
    if (isWorthLogging(error)) console.error(error);
    const links = this.#pageLinks(request, returnTo);
    const backPath = isConsent ? returnTo : undefined;
    return pageResponse(messageAbout(error, { ...links, retry, backPath }), request);
  }

  #pageLinks(request: Request, returnTo?: string): PageLinks {
    const { loginPath, logoutPath, redirectUri } = this.#flow.options;
    const query = returnTo === undefined ? "" : `?returnTo=${encodeURIComponent(returnTo)}`;
    // Behind a proxy every request may seem to come from this machine, so the redirect URI decides.
    const isLocal = isThisMachine(new URL(redirectUri ?? request.url).hostname);
    const namesGuild = new URL(request.url).searchParams.has("guild_id");
    return { loginPath: loginPath + query, logoutPath, isLocal, namesGuild };
  }
}

function isOtherPerson(error: unknown): boolean {
  return error instanceof LoginError && error.reason === "other_person";
}
