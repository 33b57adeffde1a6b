/**
 * Recognizes from a browser's headers a navigation, a frame, a request of a script, or a prefetch.
 *
 * @module
 */

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
 * Returns true if a script will read the response. Returns false for a script that sends a form in place of the browser, because it accepts
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
