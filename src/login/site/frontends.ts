/**
 * The frontends of a login: other origins of the same site that may begin and end sessions.
 *
 * @module
 */

import { checkSetting, throwBadArgument } from "../../core/arguments.ts";
import { canHaveSafeCookies } from "./site_address.ts";

/**
 * Checks the option `frontends`.
 *
 * @param ownAddress The redirect URI, or `null` if only the requests have the URL of the application.
 * @throws {TypeError} If an entry is not an exact origin, needs HTTPS, or certainly belongs to another site.
 */
export function checkFrontends(given: unknown, ownAddress: string | null): readonly string[] {
  return checkEach("frontends", given, "origins", (name, origin) => {
    checkOrigin(name, origin);
    if (ownAddress !== null && isCertainlyOtherSite(origin, ownAddress)) {
      throw new TypeError(
        `${name} is not on the same site as redirectUri, so browsers send no cookies: use subdomains of one domain, or let the ` +
          "frontend forward requests",
      );
    }
  });
}

/** The form of an origin of another scheme than the web's, as web views and extensions send it. */
const appOriginForm = /^(?!https?:)[a-z][a-z\d+.-]*:\/\/[a-z\d.:[\]-]+$/;

/**
 * Checks the option `appOrigins`.
 *
 * @throws {TypeError} If an entry is not an exact origin, or needs HTTPS.
 */
export function checkAppOrigins(given: unknown): readonly string[] {
  return checkEach("appOrigins", given, "origins", (name, origin) => {
    if (!appOriginForm.test(String(origin))) checkOrigin(name, origin, "tauri://localhost");
  });
}

/** Checks each entry of an option that is a list, and returns a copy of the list. */
export function checkEach(
  option: string,
  given: unknown,
  entries: string,
  check: (name: string, entry: unknown) => void,
): readonly string[] {
  if (!Array.isArray(given)) throwBadArgument(option, `a list of ${entries}`, given);
  for (const [index, entry] of given.entries()) check(`${option}[${index}]`, entry);
  return [...given];
}

/**
 * Checks an origin of `https:`, or of `http:` on this machine.
 *
 * @throws {TypeError} If it is not an exact origin, or needs HTTPS.
 */
export function checkOrigin(
  name: string,
  origin: unknown,
  example = "https://app.example",
): asserts origin is string {
  checkSetting(name, origin);
  if (!isExactOrigin(origin)) {
    const expected = `an origin as a browser sends it, like "${example}", without a path`;
    throwBadArgument(name, expected, origin);
  }
  if (!canHaveSafeCookies(new URL(origin))) {
    throw new TypeError(`${name} must begin with https:, unless it is on this machine`);
  }
}

/** Returns true if a frontend has sent a request. The `Origin` header is proof, because scripts can't set it. */
export function isFromFrontend(
  { headers }: Request,
  ownOrigin: string,
  frontends: readonly string[],
): boolean {
  const origin = headers.get("origin");
  // The browser has the list of public suffixes, so its Sec-Fetch-Site decides.
  return origin !== null && frontends.includes(origin) &&
    !isCertainlyOtherSite(origin, ownOrigin) && headers.get("sec-fetch-site") !== "cross-site";
}

/**
 * Returns true if the application, a frontend, or a client that is not a browser has sent a request. Otherwise, another site may have made
 * the visitor's browser send the request.
 */
export function isFromOwnPage(
  request: Request,
  ownOrigin: string,
  frontends: readonly string[],
): boolean {
  const origin = request.headers.get("origin");
  const fetchSite = request.headers.get("sec-fetch-site");
  if (isFromFrontend(request, ownOrigin, frontends)) return true;
  // Forms of a page without a referrer have the origin "null", so Sec-Fetch-Site counts more.
  return fetchSite === null
    ? origin === null || origin === ownOrigin
    : fetchSite === "same-origin" || fetchSite === "none";
}

/** Returns true if a request may come from a link of another site in an old browser, which sends neither `Origin` nor `Sec-Fetch-Site`. */
export function mayBeLink({ method, headers }: Request): boolean {
  return /^(GET|HEAD)$/.test(method) && !headers.has("origin") && !headers.has("sec-fetch-site");
}

/** An origin whose pages may read a response. */
export interface CorsOrigin {
  readonly origin: string;
  /** True for a frontend, whose requests have cookies. */
  readonly sendsCookies: boolean;
}

/**
 * Returns the origin whose pages may read the response to a request, or `null`.
 *
 * @param appOrigins The origins of apps that may use the path.
 */
export function corsOrigin(
  request: Request,
  ownOrigin: string,
  frontends: readonly string[],
  appOrigins: readonly string[],
): CorsOrigin | null {
  const origin = request.headers.get("origin");
  if (origin === null) return null;
  if (isFromFrontend(request, ownOrigin, frontends)) return { origin, sendsCookies: true };
  return appOrigins.includes(origin) ? { origin, sendsCookies: false } : null;
}

/** Returns the response to a CORS preflight request of a frontend or an app. */
export function preflightResponse(
  request: Request,
  method: "GET" | "POST",
  { sendsCookies }: CorsOrigin,
): Response {
  const headers = new Headers({ "access-control-allow-methods": method });
  const requested = sendsCookies
    ? request.headers.get("access-control-request-headers")
    : "authorization, content-type";
  // With credentials, browsers take `*` for the name of a header.
  if (requested) headers.set("access-control-allow-headers", requested);
  return new Response(null, { status: 204, headers });
}

/** Returns a copy of a response with the CORS headers for an origin; with `null`, only with `Vary`. Pages may read when to retry. */
export function withCorsHeaders(response: Response, allowed: CorsOrigin | null): Response {
  // The headers of some responses can't be changed.
  const copy = new Response(response.body, response);
  copy.headers.append("vary", "origin");
  if (allowed) {
    copy.headers.set("access-control-allow-origin", allowed.origin);
    copy.headers.set("access-control-expose-headers", "retry-after");
  }
  if (allowed?.sendsCookies) copy.headers.set("access-control-allow-credentials", "true");
  return copy;
}

/** Returns true for an origin of `http:` or `https:` as a browser writes it. */
function isExactOrigin(given: unknown): given is string {
  // URLs may have odd host names, such as `*.example`.
  return typeof given === "string" && /^https?:\/\/[\w.:[\]-]+$/.test(given) &&
    URL.canParse(given) && new URL(given).origin === given;
}

/**
 * Returns true if two URLs can't belong to the same site. All URLs of a site have the same scheme and the same registrable domain, which
 * has two labels or more. Only browsers have the list of public suffixes.
 */
function isCertainlyOtherSite(one: string, other: string): boolean {
  const [a, b] = [new URL(one), new URL(other)];
  return a.protocol !== b.protocol || endOf(a.hostname) !== endOf(b.hostname);
}

/** Returns the last two labels of a host name, or a whole IP address. */
function endOf(hostname: string): string {
  return /^[\d.]+$/.test(hostname) ? hostname : hostname.split(".").slice(-2).join(".");
}
