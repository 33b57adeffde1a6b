/**
 * Redirects, checks of a request, and the headers that every answer has.
 *
 * @module
 */

/** Sends the browser to another address, always with GET. */
export function redirect(location: string, ...cookies: readonly string[]): Response {
  const headers = new Headers({ location });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 303, headers });
}

/**
 * Whether a form was sent from a page of this site. A form on another subdomain is sent with this site's cookies, even
 * with `SameSite=Lax`.
 *
 * `Sec-Fetch-Site` comes first because pages with `Referrer-Policy: no-referrer` send `Origin: null` with their own forms.
 */
export function isOwnForm(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  return request.headers.get("origin") === new URL(request.url).origin;
}

/** Whether to answer with JSON: programs ask for it, browsers ask for HTML. */
export function wantsJson(request: Request): boolean {
  const accept = request.headers.get("accept") ?? "";
  return /\bjson\b/.test(accept) && !accept.includes("text/html");
}

/** Adds the headers that every answer has. A page keeps its own content security policy, which allows more. */
export function secured(response: Response): Response {
  for (const [name, value] of Object.entries(securityHeaders)) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  return response;
}

const securityHeaders = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; " +
    "frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "strict-transport-security": "max-age=31536000",
  "x-content-type-options": "nosniff",
};
