/**
 * The origin of a fake platform.
 *
 * @module
 */

import { formatValue } from "./schema.ts";

/** The host of the platform's image CDN. */
export const cdnHost = "cdn.discordapp.com";
/**
 * Scheme, host and port, as `URL.origin` has them.
 *
 * @throws {TypeError} When there is more to it, or when it is not an HTTP server's.
 */
export function parseOrigin(origin: string): string {
  const url = URL.canParse(origin) ? new URL(origin) : null;
  const isBare = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (isBare) return url.origin;
  throw new TypeError(
    `origin must be scheme, host and port of an HTTP server and no more: found ${
      formatValue(origin)
    }`,
  );
}
