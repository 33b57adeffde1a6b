/**
 * Refuses forms from pages of other origins: they would consent in place of the user.
 *
 * @module
 */

import type { Call } from "./http/call.ts";
import { formatValue } from "./world/schema.ts";

/**
 * Returns the refusal of a form from another origin; `null` for any other request. A program other than a browser sends neither
 * `Sec-Fetch-Site` nor `Origin`, and passes.
 */
export function refuseForeignForm({ world, method, url, headers }: Call): Response | null {
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  if (method !== "POST" || site === "same-origin" || site === "none") return null;
  // Browsers leave `Sec-Fetch-Site` out over plain HTTP to other machines. Behind a proxy, the `Host` header has the host of the page.
  const ownHosts = [url.host, new URL(world.origin).host, headers.get("host")];
  if (site === null && (origin === null || ownHosts.includes(hostOf(origin)))) return null;
  const sender = origin === null || origin === "null" ? "another origin" : formatValue(origin);
  return new Response(
    `The form was sent by a page of ${sender}. Only pages of this platform may send it\n`,
    {
      status: 403,
      headers: {
        "content-type": "text/plain; charset=utf-8",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      },
    },
  );
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
