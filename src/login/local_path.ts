/**
 * Keeps the page to return to on this site, or on one of its frontends.
 *
 * @module
 */

/** The maximum length of a path, in characters. A longer one would make the cookie of the login too large. */
const maxPathLength = 1024;

/**
 * Returns the page to return to: path, query and fragment for this origin, the whole address for a frontend, and `"/"` for any other
 * address.
 *
 * A browser's parser decides, not the text: `/\evil.example`, `/%09/evil.example` after decoding, and
 * `/.//evil.example` would all leave the site.
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

/** Returns the home page of the origin that has the page to return to. */
export function homeOf(returnTo: string): string {
  return returnTo.startsWith("/") ? "/" : new URL("/", returnTo).href;
}

/** Returns the path of an address of one origin, `"/"` if it is too long, and `null` for other addresses. */
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
