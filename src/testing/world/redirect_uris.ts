/**
 * Compares redirect URIs with the registered redirect URIs.
 *
 * @module
 */

import { isLoopback } from "./origin.ts";
import { throwUnless } from "./schema.ts";

/** Checks an entry of `redirectUris`. */
export function redirectUri(value: unknown, path: string): void {
  const isUrl = typeof value === "string" && URL.canParse(value) && !value.includes("#");
  const holds = isUrl || anyPortHost(value) !== null;
  throwUnless(holds, "an absolute URL without a fragment, or http://localhost:*", value, path);
}

/**
 * Returns the redirect URI for a request without `redirect_uri`: the first registered URI, without patterns such as
 * `http://localhost:*`.
 */
export function defaultRedirectUri(registered: readonly string[]): string | undefined {
  return registered.find((uri) => anyPortHost(uri) === null);
}

/**
 * Returns true if a redirect URI is registered. It must match exactly, with two exceptions for `http` on this machine:
 * `http://localhost:*` allows every port and path, and a URI without a port allows every port, since native applications listen
 * on a free port (RFC 8252 section 7.3).
 */
export function isRegistered(registered: readonly string[], uri: string): boolean {
  if (registered.includes(uri)) return true;
  const hostname = localHostname(uri);
  const withoutPort = uri.replace(/^(http:\/\/(?:\[.*?\]|[^/:]*)):\d+/i, "$1");
  return hostname !== null &&
    registered.some((one) => one === withoutPort || anyPortHost(one) === hostname);
}

/** Returns the host of a pattern such as `http://localhost:*`; `null` for any other value. */
function anyPortHost(value: unknown): string | null {
  const [, host = ""] = typeof value === "string" ? /^http:\/\/([^/]+):\*$/.exec(value) ?? [] : [];
  return isLoopback(host) ? host : null;
}

/** Returns the host of an `http` URL on this machine; `null` for any other text. */
function localHostname(uri: string): string | null {
  if (!URL.canParse(uri) || uri.includes("#")) return null;
  const { protocol, username, hostname } = new URL(uri);
  return protocol === "http:" && username === "" && isLoopback(hostname) ? hostname : null;
}
