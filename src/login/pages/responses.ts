/**
 * Redirects, and headers that set cookies.
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
