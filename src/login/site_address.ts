/**
 * Where the application is, as its visitors see it, and what its cookies may be like there.
 *
 * @module
 */

import { LoginError } from "./login_error.ts";

/** The address of the application. */
export interface SiteAddress {
  /** Scheme, host and port, as in `https://app.example`. */
  readonly origin: string;
  /** Where the platform sends people back to. */
  readonly redirectUri: string;
  /** Whether cookies are sent over HTTPS only: everywhere but on this machine. */
  readonly isSecure: boolean;
  /** In front of the name of every cookie. */
  readonly cookiePrefix: string;
}

/**
 * Finds out where the application is: from the redirect URI, or else from the request.
 *
 * @throws {TypeError} When the request is not a `Request`, such as Node's.
 * @throws {LoginError} When the address is neither HTTPS nor on this machine, since no safe cookie can be set there; and when
 * the request came to `127.0.0.1` and the redirect URI is of `localhost`, or the other way round.
 */
export function siteAddressOf(
  request: Request,
  redirectUri: string | null,
  callbackPath: string,
): SiteAddress {
  checkRequest(request);
  const url = new URL(redirectUri ?? request.url);
  const isSecure = url.protocol === "https:";
  if (!isSecure && !isThisMachine(url.hostname)) {
    throw new LoginError(
      "insecure_site",
      `The request came to ${url.origin}, and a login needs https:`,
      "Serve the site over https:, or open it at localhost; behind a proxy that speaks https:, give the option redirectUri",
    );
  }
  if (redirectUri !== null) checkName(new URL(request.url), url);
  return {
    origin: url.origin,
    redirectUri: redirectUri ?? url.origin + callbackPath,
    isSecure,
    // No other subdomain can set a cookie whose name begins with `__Host-`. Over http:, WebKit accepts no such cookie. There the
    // port is in the name, since all servers on one host share their cookies.
    cookiePrefix: isSecure ? "__Host-" : `port-${url.port || 80}-`,
  };
}

/** Refuses the requests of servers that have a kind of their own. */
export function checkRequest(request: Request): void {
  // Not by instanceof: packages that make a Request of Node's requests may use a class of their own.
  const { url, headers } = Object(request);
  if (typeof url === "string" && typeof headers?.get === "function") return;
  throw new TypeError(
    "request must be a Request of the Fetch API. In Hono it is c.req.raw; in Express and Fastify, new NodeRequest({ req, res }) " +
      'of "srvx/node" makes one',
  );
}

/** Refuses to begin at one name of this machine when people come back to another one, where the browser sends no cookie. */
function checkName(requested: URL, redirect: URL): void {
  // With another port there is a proxy in between, and the request does not say which name the browser used.
  const isSameServer = requested.protocol === redirect.protocol && requested.port === redirect.port;
  if (!isSameServer || requested.hostname === redirect.hostname) return;
  if (!isThisMachine(requested.hostname) || !isThisMachine(redirect.hostname)) return;
  throw new LoginError(
    "other_origin",
    `The request came to ${requested.origin}, and redirectUri is of ${redirect.origin}`,
    `Open ${redirect.origin} instead: a cookie of one is not sent to the other`,
  );
}

/** Whether a host name always means the machine on which it is used. */
export function isThisMachine(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}
