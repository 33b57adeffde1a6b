/**
 * Begins a login: decides its scopes, and redirects to the consent page.
 *
 * @module
 */

import { checkApplication } from "../../api/token_client.ts";
import { checkSnowflake, throwBadArgument } from "../../core/arguments.ts";
import { authorizationLink, type AuthUrlParams } from "../../links/authorization_link.ts";
import { linkStart } from "../../links/link_parts.ts";
import { codeChallenge, usesPkce } from "../../links/pkce.ts";
import { startOfVisitorText } from "../../core/safe_text.ts";
import { discordAuthorizeUrl } from "../../links/platform.ts";
import { checkLinkScopes, joinScopes, type Scope } from "../../links/scopes.ts";
import type { PermissionInput } from "../../permissions/permission_input.ts";
import { namesTarget, targetOf } from "./elsewhere.ts";
import type { LoginParts } from "./login_parts.ts";
import { checkPrompt, mustShowConsent } from "../site/prompt.ts";
import { type ReportEvent, reportLoginFailure } from "../base/events.ts";
import { lostCallbackError } from "../base/login_error.ts";
import type { StartOptions } from "../base/method_options.ts";
import { pageOfSite } from "../site/page_after_login.ts";
import { bearerOf } from "../site/bearer.ts";
import {
  assertProtectedCode,
  type PendingLogin,
  type PendingLoginOptions,
  personOf,
  type Purpose,
} from "../base/pending_login.ts";
import { errorResponse } from "../pages/error_response.ts";
import { isHidden, isPageRequest, pageAdvice, redirectTo } from "../pages/responses.ts";
import type { SessionState, Visit } from "../sessions/session_storage.ts";
import { scopesOfSession } from "../sessions/session_scopes.ts";
import type { CheckedLoginOptions } from "../site/checked_options.ts";
import type { SiteAddress } from "../site/site_address.ts";

/** The parameters of the authorization URL. */
interface LinkParams
  extends
    Omit<AuthUrlParams, "state" | "codeVerifier" | "codeChallenge" | "nonce" | "responseType"> {
  readonly permissions?: PermissionInput | null | undefined;
}

/**
 * Begins a login for a request. A script or an image gets a 401: a page with many such requests could otherwise replace the user's
 * login after the session has ended. A request with a method other than `GET` gets the redirect, because a script may pass the URL on.
 * A prefetch gets a 403, and so does a frame on a page of another site or a sibling subdomain, because hidden frames could replace the
 * user's login with many others. A callback on a path that `handle` does not serve gets an error, since a new login would end in the
 * same way.
 *
 * @param isFinished True for a callback that the application has passed to `finish`.
 * @throws {TypeError} If an option is wrong.
 */
export async function startLogin(
  parts: LoginParts,
  request: Request,
  site: SiteAddress,
  { returnTo, data, scope = null, prompt = null, ...params }: StartOptions,
  isFinished: boolean,
): Promise<Response> {
  if (isHidden(request)) return pageNeededResponse();
  const isApp = bearerOf(request, parts.options) !== null;
  if (isApp || !isPageRequest(request)) return loginRequiredResponse();
  if (!isFinished && await isLostCallback(parts, request, site)) {
    const path = startOfVisitorText(new URL(request.url).pathname);
    const error = lostCallbackError(path, parts.options.callbackPath);
    reportLoginFailure(parts.report, error);
    return await errorResponse(parts.options, error, request, {});
  }
  const wanted = checkPrompt(prompt ?? parts.options.prompt);
  if (params.channelId != null) checkSnowflake("channelId", params.channelId);
  checkReturnTo(returnTo);
  // Read only where it matters, since another site may have made the cookies long.
  const mustShow = () => mustShowConsent(parts, request, site);
  // A refused renewal asks again without parameters, so a link with parameters is not a renewal.
  const mayRenew = () =>
    wanted !== "consent" && Object.values(params).every((value) => value == null) && !mustShow();
  const plan = await planLogin(parts, { request, site }, scope, mayRenew);
  const page = pageOfSite(returnTo ?? pageOfRequest(request), site, parts.options);
  const pendingOptions = { returnTo: page, data: data ?? null, ...plan };
  const linkParams = { ...params, prompt: wanted === "none" && mustShow() ? "consent" : wanted };
  return await beginLogin(parts, request, site, pendingOptions, linkParams);
}

/** Checks the type of the page to return to. Wrong texts, lists and objects are ignored, since a visitor's query or form may have them. */
function checkReturnTo(given: unknown): void {
  if (given == null || typeof given === "string" || typeof given === "object") return;
  throwBadArgument("returnTo", "a path or a URL", given);
}

/** Begins a login, and redirects to the consent page. */
export async function beginLogin(
  { options, pendingLogins, report }: LoginParts,
  request: Request,
  site: SiteAddress,
  pendingOptions: PendingLoginOptions,
  { permissions, ...params }: LinkParams,
): Promise<Response> {
  const prompt = pendingOptions.purpose.kind === "renewal" ? "none" : params.prompt;
  const isSilent = prompt === "none";
  const { pending, cookies } = await pendingLogins.begin(request, site, {
    ...pendingOptions,
    isSilent,
  });
  const location = await linkOf(options, site, pending, { ...params, prompt, permissions });
  reportStart(report, pending);
  return redirectTo(location, cookies);
}

/** Reports that a login has begun. */
export function reportStart(report: ReportEvent | null, { purpose, scope }: PendingLogin): void {
  const { kind } = purpose;
  report?.({ kind: "login_started", userId: personOf(purpose), purpose: kind, scopes: [...scope] });
}

/** Returns the link to the consent page of a pending login. */
export async function linkOf(
  { clientId, platform }: CheckedLoginOptions,
  { redirectUri }: SiteAddress,
  { scope, state, codeVerifier, nonce }: PendingLogin,
  { permissions, prompt, ...params }: LinkParams,
): Promise<string> {
  // Discord's own page needs no checks.
  const start = platform ? linkStart(platform) : `${discordAuthorizeUrl}?`;
  const link = authorizationLink(start, clientId, joinScopes(scope), redirectUri, permissions);
  return link({
    ...params,
    state,
    // Without the page, another app could get the code of a person who has consented before.
    prompt: namesTarget(state) ? "consent" : prompt,
    nonce: nonce || null,
    codeChallenge: usesPkce(scope) ? await codeChallenge(codeVerifier) : null,
  });
}

/** Returns true if the request is the callback of a login of this browser, of an app or of a preview, on a path that `handle` does not serve. */
async function isLostCallback(
  parts: LoginParts,
  request: Request,
  site: SiteAddress,
): Promise<boolean> {
  const { pathname, searchParams } = new URL(request.url);
  const state = searchParams.get("state");
  if (pathname === parts.options.callbackPath || state === null) return false;
  if (await parts.pendingLogins.find(request, site, state) !== null) return true;
  const target = await targetOf(parts, state);
  // Without the app, the browser opens a target on this site.
  return target !== null && target !== site.origin + pathname;
}

/**
 * Returns the scopes and the purpose of a new login. With a session, an app's login is always a consent for that session. A consent or a
 * renewal also asks for the scopes of the session. A login does not ask for these scopes, since another person may finish it.
 *
 * @param scope The option `scope` of `start`, or `null`.
 * @param mayRenew Returns true if a session may be renewed without asking the person. `null` for an app, whose session is never renewed.
 * @throws {TypeError} If a scope is wrong, or needs a client secret or `openid`.
 */
export async function planLogin(
  { options, sessions, personTokens }: LoginParts,
  visit: Visit,
  scope: readonly Scope[] | null,
  mayRenew: (() => boolean) | null,
): Promise<Pick<PendingLoginOptions, "scope" | "purpose">> {
  if (scope) checkLinkScopes(scope);
  const found = await sessions.find(visit);
  if (found === null && scope === null) return { scope: options.scope, purpose: { kind: "login" } };
  const purpose = purposeOf(found, scope !== null || visit.isApp === true, mayRenew);
  const granted = found && purpose.kind !== "login"
    ? await scopesOfSession(personTokens, found)
    : [];
  const scopes = [...new Set([...options.scope, ...scope ?? [], ...granted])];
  assertProtectedCode(scopes, options.appPath !== null || options.relay !== null);
  // A public client can't ask for some scopes.
  checkApplication(options.clientId, options.clientSecret, scopes);
  return { scope: scopes, purpose };
}

/** Returns the purpose of a login from the state of the request's session. */
function purposeOf(
  found: SessionState | null,
  isConsent: boolean,
  mayRenew: (() => boolean) | null,
): Purpose {
  if (found?.session && isConsent) return { kind: "consent", userId: found.userId };
  if (mayRenew && found?.canBeRenewed && !isConsent && mayRenew()) {
    return { kind: "renewal", userId: found.userId };
  }
  return { kind: "login" };
}

/** Returns the path and query of a GET request. Returns `null` for other methods, because a redirect can't repeat a form. */
function pageOfRequest(request: Request): string | null {
  const { pathname, search } = new URL(request.url);
  return request.method === "GET" ? pathname + search : null;
}

/** Returns the response for a frame of another site, and for a prefetch. The person does not see the response to a prefetch. */
function pageNeededResponse(): Response {
  const message = "To log in, open this page on its own, not inside another site.";
  const headers = {
    "cache-control": "no-store",
    vary: "sec-fetch-dest, sec-fetch-site, sec-purpose",
  };
  return new Response(message, { status: 403, headers });
}

/** Returns the response for a script or an image, which can't show the consent page. */
function loginRequiredResponse(): Response {
  const message = `Only a page can begin a login, not a script: ${pageAdvice}`;
  const headers = { "cache-control": "no-store", vary: "sec-fetch-dest, sec-fetch-mode" };
  return Response.json({ error: "login_required", message }, { status: 401, headers });
}
