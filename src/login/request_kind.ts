/**
 * Tells from the headers of a browser what it does with the response: it displays a page or a frame, a script reads it, or it is a
 * prefetch.
 *
 * @module
 */

/** The values of `Sec-Fetch-Dest` for a page inside another page. */
const frames = ["iframe", "frame", "fencedframe", "embed", "object"];

/** Returns true if a page of another site, or of a sibling subdomain, shows the response in a frame. */
export function isFrameOfAnotherSite({ headers }: Request): boolean {
  const isFrame = frames.includes(headers.get("sec-fetch-dest") ?? "");
  return isFrame && headers.get("sec-fetch-site") !== "same-origin";
}

/** Returns true if a browser asks before the visitor follows the link. A page of a sibling subdomain can have many such links. */
export function isPrefetch({ headers }: Request): boolean {
  return headers.get("sec-purpose")?.includes("prefetch") === true;
}

/** Returns true if a browser will display the response as a page, or if the client is not a browser. */
export function isPageRequest(request: Request): boolean {
  return request.method !== "GET" || isNavigation(request) !== false;
}

/** Returns true if a script will read the response. A script that sends a form in place of the browser accepts a page. */
export function isScriptRequest(request: Request, isOfFrontend: boolean): boolean {
  // Older browsers say nothing. A program that is not a browser sends no origin.
  const isScript = isNavigation(request) === false ||
    (isNavigation(request) === null && isOfFrontend);
  return isScript && !/\btext\/html\b/.test(request.headers.get("accept") ?? "");
}

/** Returns true if a browser says that it will display the response as a page, and `null` if it says nothing. */
function isNavigation({ headers }: Request): boolean | null {
  const destination = headers.get("sec-fetch-dest");
  if (destination === null) return null;
  // A service worker that passes a request on loses the destination, and a proxy in Node loses the mode.
  return headers.get("sec-fetch-mode") === "navigate" ||
    ["document", ...frames].includes(destination);
}
