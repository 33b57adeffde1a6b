/**
 * The public address of the application, and the rules for its cookies.
 *
 * @module
 */

import { isUrl, kindOfObject } from "../../core/arguments.ts";
import { startOfVisitorText } from "../../core/safe_text.ts";
import { LoginError } from "../base/login_error.ts";

/** The address of the application as its visitors see it. */
export interface SiteAddress {
  /** Scheme, host and port, as in `https://app.example`. */
  readonly origin: string;
  /** The URL to which Discord sends people back. */
  readonly redirectUri: string;
  /** The path of `redirectUri`. Behind a proxy that changes paths, it differs from the path of the callback's request. */
  readonly callbackPath: string;
  /** True for a site on this machine. */
  readonly isLocal: boolean;
  /** True if browsers send the cookies only over HTTPS. False only on localhost. */
  readonly isSecure: boolean;
  /** The start of every cookie name. */
  readonly cookiePrefix: string;
}

/**
 * Returns the address of the application, from the redirect URI if it is set, or else from the request.
 *
 * @throws {TypeError} If the request is not a `Request`, but for example the request object of Node.
 * @throws {LoginError} If the address is neither HTTPS nor on localhost, because it can't have safe cookies. Also if the request came to
 * `127.0.0.1` and the redirect URI has `localhost`, or the other way round.
 */
export function siteAddressOf(
  request: Request,
  { site, callbackPath }: {
    /** The address in the option `redirectUri`, or `null`. */
    readonly site: SiteAddress | null;
    readonly callbackPath: string;
  },
): SiteAddress {
  assertRequest(request);
  const url = new URL(request.url);
  if (!site && !canHaveSafeCookies(url)) throw insecureSiteError(url);
  const address = site ?? siteAt(url, callbackPath);
  if (address.isLocal) assertSameLocalName(addressInBrowser(request, url), address.origin);
  return address;
}

/**
 * Asserts that a value is a `Request` of the Fetch API.
 *
 * @throws {TypeError} If it is the request object of Node or of a framework.
 */
export function assertRequest(request: Request): void {
  // `instanceof` would refuse packages that turn Node's requests into a `Request` class of their own.
  const { url, headers } = Object(request);
  if (typeof url !== "string" || typeof headers?.get !== "function") {
    throw notARequestError(request);
  }
}

function notARequestError(received: unknown): TypeError {
  return new TypeError(
    `request must be a Request of the Fetch API, received ${kindOfObject(received)}. ` +
      'In Hono, pass c.req.raw; in Express, Koa and Fastify, toRequest(req, res) of "@guildpass/sdk/node"',
  );
}

/** Returns the URL with the host of the request's `Host` header, because some frameworks replace `127.0.0.1` in the URL with `localhost`. */
function addressInBrowser({ headers }: Request, url: URL): URL {
  const address = `${url.protocol}//${headers.get("host") ?? url.host}`;
  return isUrl(address) ? new URL(address) : url;
}

/**
 * Returns the address of an application.
 *
 * @param url A URL of the application.
 */
export function siteAt(
  { origin, protocol, hostname, port }: URL,
  callbackPath: string,
  redirectUri: string = origin + callbackPath,
): SiteAddress {
  const isSecure = protocol === "https:";
  return {
    origin,
    redirectUri,
    callbackPath,
    isLocal: isThisMachine(hostname),
    isSecure,
    // With `__Host-`, no other subdomain can set a cookie of this name. WebKit refuses that prefix over plain HTTP. There the name
    // has the port, because all servers on one host share their cookies.
    cookiePrefix: isSecure ? "__Host-" : `port-${port || 80}-`,
  };
}

function insecureSiteError({ origin }: URL): LoginError {
  return new LoginError(
    `The request arrived at ${startOfVisitorText(origin)}, but a login needs https:`,
    {
      reason: "insecure_site",
      hint:
        "Serve the site over https:, or open it at localhost; behind an https: proxy, set redirectUri to the https: URL",
    },
  );
}

/**
 * Throws if the request uses another name of localhost than the redirect URI, because a browser does not send the cookies of one name to
 * another.
 */
function assertSameLocalName(requested: URL, origin: string): void {
  const redirect = new URL(origin);
  // Another port means a proxy, and then the request does not say which name the browser used.
  const isSameServer = requested.protocol === redirect.protocol && requested.port === redirect.port;
  if (!isSameServer || requested.hostname === redirect.hostname) return;
  if (!isThisMachine(requested.hostname)) return;
  throw new LoginError(
    `The request arrived at ${
      startOfVisitorText(requested.origin)
    }, but the login is at ${redirect.origin}`,
    {
      reason: "other_origin",
      hint: `Open ${redirect.origin} instead: the two do not share cookies`,
    },
  );
}

/** Returns true if the cookies of a URL are safe from others: over HTTPS, or on localhost. */
export function canHaveSafeCookies({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || (protocol === "http:" && isThisMachine(hostname));
}

/** Returns true for `localhost`, its subdomains, and the loopback addresses. */
export function isThisMachine(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}
