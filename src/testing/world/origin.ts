/**
 * Parses the origin of a fake platform, and parses and checks host names. It also names the host of the image CDN.
 *
 * @module
 */

import { throwUnless } from "./schema.ts";

/** The host of the platform's image CDN. */
export const cdnHost = "cdn.discordapp.com";

/**
 * Returns the scheme, host and port in the form of `URL.origin`.
 *
 * @throws {TypeError} If the text is not an HTTP origin, for example because it has a path.
 */
export function parseOrigin(origin: string): string {
  const url = URL.canParse(origin) ? new URL(origin) : null;
  const isBare = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  throwUnless(isBare, "only the scheme, host and port of an HTTP server", origin, "origin");
  return url.origin;
}

/** Returns true if a host name, in the form of `URL.hostname`, always means this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]" ||
    /^127(\.\d+){3}$/.test(hostname);
}

/**
 * Returns true if a `Host` header is a host name or an IP address, with an optional port. Any other text could change the path of
 * the URL.
 */
export function isHost(host: unknown): host is string {
  return typeof host === "string" && /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(host);
}

/**
 * Returns a host name in the form of `URL.hostname`.
 *
 * @param path The path of the option, for error messages.
 * @throws {TypeError} If the text is not a host name.
 */
export function parseHostname(name: string, path: string): string {
  // A text with a port is not a valid host with this second port.
  const holds = isHost(`${name}:1`) && URL.canParse(`http://${name}`);
  throwUnless(holds, "the name of a host, without a scheme or port", name, path);
  return new URL(`http://${name}`).hostname;
}
