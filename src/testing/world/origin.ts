/**
 * The origin of a fake platform, and the host of the image CDN.
 *
 * @module
 */

import { formatValue } from "./schema.ts";

/** The host of the platform's image CDN. */
export const cdnHost = "cdn.discordapp.com";

/**
 * Returns scheme, host and port as `URL.origin` has them.
 *
 * @throws {TypeError} If there is more than that, or it is not an HTTP server's.
 */
export function parseOrigin(origin: string): string {
  const url = URL.canParse(origin) ? new URL(origin) : null;
  const isBare = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (isBare) return url.origin;
  const found = formatValue(origin);
  throw new TypeError(
    `origin must be scheme, host and port of an HTTP server and no more: found ${found}`,
  );
}
