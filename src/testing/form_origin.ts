/**
 * Refuses forms from pages of other origins, which could otherwise consent for the user.
 *
 * @module
 */

import type { Call } from "./http/call.ts";
import { formatValue } from "./world/schema.ts";

/**
 * Returns a 403 for a form from another origin; `null` for any other request. Programs other than browsers are accepted, since
 * they send neither `Sec-Fetch-Site` nor `Origin`.
 */
export function refuseForeignForm({ world, method, url, headers }: Call): Response | null {
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  if (method !== "POST" || site === "same-origin" || site === "none") return null;
  // Browsers omit `Sec-Fetch-Site` over plain HTTP to other machines. Behind a proxy, the `Host` header has the host of the page.
  const ownHosts = [url.host, new URL(world.origin).host, headers.get("host")];
  if (site === null && (origin === null || ownHosts.includes(hostOf(origin)))) return null;
  const sender = origin === null || origin === "null" ? "another origin" : formatValue(origin);
  return new Response(
    `A page of ${sender} sent the form. Only pages of this platform may send it\n`,
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
