/**
 * Cookies, redirects, and the headers that every answer has.
 *
 * @module
 */

/** The value of a cookie, or `null`. */
export function readCookie(request: Request, name: string): string | null {
  const cookies = request.headers.get("cookie")?.split("; ") ?? [];
  const cookie = cookies.find((cookie) => cookie.startsWith(`${name}=`));
  return cookie?.slice(name.length + 1) ?? null;
}

/**
 * A `Set-Cookie` header. No script reads the cookie, it goes over HTTPS only, and it comes along from other sites only
 * when somebody follows a link or a redirect, as from the consent page.
 *
 * @param maxAge Seconds; 0 takes the cookie away.
 */
export function setCookie(name: string, value: string, path: string, maxAge: number): string {
  return `${name}=${value}; Path=${path}; Max-Age=${maxAge}; HttpOnly; Secure; SameSite=Lax`;
}

/** Sends the browser elsewhere, always with GET. */
export function redirect(
  location: string,
  ...cookies: readonly string[]
): Response {
  const headers = new Headers({ location });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 303, headers });
}

/**
 * Whether a form was sent from a page of this site, since another site's form would be sent with this site's cookies.
 *
 * `SameSite=Lax` keeps the cookies back, but not from other subdomains. `Sec-Fetch-Site` comes first because pages with
 * `Referrer-Policy: no-referrer` send `Origin: null` with their own forms.
 */
export function isOwnForm(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  return request.headers.get("origin") === new URL(request.url).origin;
}

/** Whether an answer shall be JSON: asked for by programs, while browsers ask for HTML. */
export function wantsJson(request: Request): boolean {
  const accept = request.headers.get("accept") ?? "";
  return /\bjson\b/.test(accept) && !accept.includes("text/html");
}

/** Adds the headers that every answer has; a page brings its own, wider content security policy. */
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
