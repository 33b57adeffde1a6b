/**
 * Keeps the page to return to on this site, or on one of its frontends.
 *
 * @module
 */

/** The maximum length of a path, in characters. A longer path would make the login's cookie too large. */
const maxPathLength = 1024;

/**
 * Returns the page to return to: path, query and fragment for a URL of this origin, the whole URL for a frontend, and `"/"` for any other
 * URL.
 *
 * Parses the URL as browsers do, and does not trust its text: `/\evil.example`, `/%09/evil.example` after decoding, and `/.//evil.example`
 * would all leave the site.
 */
export function localPath(
  address: string | URL | null | undefined,
  origin: string,
  frontends: readonly string[] = [],
): string {
  const text = String(address ?? "");
  const path = pathAt(text, origin);
  if (path !== null) return path;
  for (const frontend of frontends) {
    // Everything else is relative, and so an address of this origin.
    const path = /^https?:/.test(text) ? pathAt(text, frontend) : null;
    if (path !== null) return frontend + path;
  }
  return "/";
}

/** Returns the home page at the origin of the page to return to. */
export function homeOf(returnTo: string): string {
  return returnTo.startsWith("/") ? "/" : new URL("/", returnTo).href;
}

/** Returns the path of a URL of one origin, `"/"` if the path is too long, or `null` for any other URL. */
function pathAt(text: string, origin: string): string | null {
  if (!/^[/?#]|^https?:\/\//.test(text) || /[\\\p{Cc}\p{Cs}]/u.test(text)) return null;
  if (!URL.canParse(text, origin)) return null;
  const url = new URL(text, origin);
  if (url.origin !== origin || url.username !== "" || url.password !== "") return null;
  const path = url.pathname + url.search + url.hash;
  if (path.startsWith("//")) return null;
  // Parsing makes the text longer when it has characters beyond ASCII.
  return path.length > maxPathLength ? "/" : path;
}
