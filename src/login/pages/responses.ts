/**
 * Redirects, headers that set cookies, and the reader of a response: a page, a frame, a script or a prefetch, as the headers of the request
 * say.
 *
 * @module
 */

import type { SiteAddress } from "../site/site_address.ts";

/** Advice to the developer whose script sent a request of the login. Links and forms of some frameworks are such scripts. */
export const pageAdvice = "use <a> and <form>, or reloadDocument in React Router";

/** Returns headers that set cookies and keep the response out of caches. */
export function responseHeaders(cookies: readonly string[]): [name: string, value: string][] {
  return [
    ["cache-control", "no-store"],
    ["referrer-policy", "no-referrer"],
    ...cookies.map((cookie): [string, string] => ["set-cookie", cookie]),
  ];
}

/**
 * Returns the response that a function of the application has returned, or `null` if it has returned nothing. The response may have the class
 * of a package, not that of the runtime.
 *
 * @param expected The start of the message, as in `onError must return a Response`.
 * @param options The error before, as the cause of the new one.
 * @throws {TypeError} If the function has returned anything else.
 */
export function checkedResponse(
  expected: string,
  returned: unknown,
  options?: ErrorOptions,
): Response | null {
  if (returned == null) return null;
  const { status, headers } = Object(returned);
  if (status && headers?.get) return returned as Response;
  throw new TypeError(`${expected}, received ${typeof returned}`, options);
}

/** Returns a copy of a response that sets more cookies. Caches must not store the copy. Without more cookies, returns the response. */
export function withCookies(response: Response, cookies: readonly string[]): Response {
  if (cookies.length === 0) return response;
  // The headers of some responses can't be changed.
  const copy = new Response(response.body, response);
  copy.headers.set("cache-control", "no-store");
  for (const cookie of cookies) copy.headers.append("set-cookie", cookie);
  return copy;
}

/** Returns a redirect to a page: a path of this site, or a URL of a frontend. */
export function redirect(
  request: Request,
  site: SiteAddress,
  page: string,
  cookies: readonly string[],
): Response {
  const location = page.startsWith("/") ? site.origin + page : page;
  return redirectTo(location, cookies, request.method === "GET" ? 302 : 303);
}

/** Returns a redirect to a URL. */
export function redirectTo(location: string, cookies: readonly string[], status = 302): Response {
  const headers = [...responseHeaders(cookies), ["location", location] satisfies [string, string]];
  return new Response(null, { status, headers });
}

/** The values of `Sec-Fetch-Dest` for a page inside another page. */
const frames = ["iframe", "frame", "fencedframe", "embed", "object"];

/**
 * Returns true if the visitor may not see the response: a page of another site, or of a sibling subdomain, shows it in a frame, or the
 * browser requests it before the visitor follows a link. A page of a sibling subdomain can have many such links.
 */
export function isHidden({ headers }: Request): boolean {
  const isFrame = frames.includes(headers.get("sec-fetch-dest") ?? "");
  const isOfAnotherSite = headers.get("sec-fetch-site") !== "same-origin";
  return isFrame && isOfAnotherSite || headers.get("sec-purpose")?.includes("prefetch") === true;
}

/** Returns true unless a browser says that a GET request is not a navigation. */
export function isPageRequest(request: Request): boolean {
  return request.method !== "GET" || isNavigation(request) !== false;
}

/**
 * Returns true if a script will read the response. Returns false for a script that sends a form instead of the browser, because it accepts
 * a page.
 */
export function isScriptRequest(request: Request, isOfFrontend: boolean): boolean {
  // Older browsers do not send Sec-Fetch-Dest. Clients other than browsers do not send an origin.
  const isScript = isNavigation(request) === false ||
    (isNavigation(request) === null && isOfFrontend);
  return isScript && !/\btext\/html\b/.test(request.headers.get("accept") ?? "");
}

/** Returns true for a navigation of a page or a frame, and `null` if the request has no `Sec-Fetch-Dest`. */
function isNavigation({ headers }: Request): boolean | null {
  const destination = headers.get("sec-fetch-dest");
  if (destination === null) return null;
  // A service worker that passes a request on loses the destination, and a proxy in Node loses the mode.
  return headers.get("sec-fetch-mode") === "navigate" ||
    ["document", ...frames].includes(destination);
}
