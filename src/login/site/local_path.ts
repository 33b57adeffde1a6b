/**
 * Keeps the page to return to on this site, or on one of its frontends.
 *
 * @module
 */

/**
 * The maximum length of a parsed path, in characters. A longer path would make the login's cookie too large. Parsing makes the text longer
 * when it has characters beyond ASCII.
 */
const maxPathLength = 1024;

/**
 * Returns the page to return to: path, query and fragment for a URL of this origin, the whole URL for a frontend, and `null` for any other
 * URL. A page that is too long becomes `null`, or the home page of its frontend.
 *
 * Parses the URL as browsers do, and does not trust its text: `/\evil.example`, `/%09/evil.example` after decoding, and `/.//evil.example`
 * would all leave the site.
 */
export function localPath(
  address: string | URL | null | undefined,
  origin: string,
  frontends: readonly string[] = [],
): string | null {
  const text = String(address ?? "");
  const path = pathAt(text, origin);
  if (path !== null) return path.length > maxPathLength ? null : path;
  for (const frontend of frontends) {
    // Everything else is relative, and so an address of this origin.
    const path = /^https?:/.test(text) ? pathAt(text, frontend) : null;
    if (path !== null) return frontend + (path.length > maxPathLength ? "/" : path);
  }
  return null;
}

/** Returns the home page of a frontend in place of one of its pages, and `null` in place of a page of this site. */
export function homeOf(returnTo: string): string | null {
  return returnTo.startsWith("/") ? null : new URL("/", returnTo).href;
}

/** Any text without backslashes, control characters and lone surrogates. V8 compiles `\p{Cc}` and `\p{Cs}` ten times as long. */
const allowedText = /^[ -[\]-~\u00a0-\ud7ff\ue000-\u{10ffff}]*$/u;

/** Returns the path of a URL of one origin, or `null` for any other URL. */
function pathAt(text: string, origin: string): string | null {
  if (!/^[/?#]|^https?:\/\//.test(text) || !allowedText.test(text)) return null;
  if (!URL.canParse(text, origin)) return null;
  const url = new URL(text, origin);
  if (url.origin !== origin || url.username !== "" || url.password !== "") return null;
  const path = url.pathname + url.search + url.hash;
  return path.startsWith("//") ? null : path;
}
