/**
 * Ends the session of a request, and responds to the logout.
 *
 * @module
 */

import type { LoginParts } from "./callback/login_parts.ts";
import { bearerOf } from "./site/bearer.ts";
import { forcedConsentCookies } from "./site/prompt.ts";
import { isFromFrontend, isFromOwnPage } from "./site/frontends.ts";
import { LoginError } from "./base/login_error.ts";
import type { EndOptions } from "./base/method_options.ts";
import { isScriptRequest, redirect, responseHeaders } from "./pages/responses.ts";
import { siteAddressOf } from "./site/site_address.ts";

/**
 * Ends the session of a request.
 *
 * @throws {LoginError} If another site sent the request, unless `allowCrossSite` is set.
 */
export async function endSession(
  parts: LoginParts,
  request: Request,
  { everywhere, allowCrossSite }: EndOptions,
): Promise<Response> {
  const { options, sessions } = parts;
  const site = siteAddressOf(request, options);
  const { afterLogout, frontends } = options;
  const hasToken = bearerOf(request, options) !== null;
  const isAllowed = allowCrossSite === true || hasToken ||
    isFromOwnPage(request, site.origin, frontends);
  if (!isAllowed) throw crossSiteError();
  const ended = await sessions.end({ request, site }, everywhere === true);
  const cookies = hasToken ? [] : [...ended, ...forcedConsentCookies(parts, site, null)];
  const isOfFrontend = isFromFrontend(request, site.origin, frontends);
  if (hasToken || isScriptRequest(request, isOfFrontend)) {
    return new Response(null, { status: 204, headers: responseHeaders(cookies) });
  }
  const origin = isOfFrontend ? request.headers.get("origin") : "";
  return redirect(request, site, `${origin}${afterLogout}`, cookies);
}

/** Returns the error for a logout by another site. Such a logout could be the first step to log the person in as another person. */
function crossSiteError(): LoginError {
  return new LoginError("Another site sent the request to log out", {
    reason: "cross_site",
    hint:
      "Send it from a page of this site, or of an origin in the option frontends; behind a proxy, set the option redirectUri. " +
      "If the application itself ends the session, pass allowCrossSite",
  });
}
