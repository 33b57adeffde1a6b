/**
 * Keeps the page to return to on this site.
 *
 * @module
 */

/** The longest path, in characters. A longer one would make the cookie of the attempt too large. */
const maxLength = 1024;

/**
 * Returns the path, query and fragment of an address of this site, and `"/"` for any other address.
 *
 * The address is judged as a browser parses it, and not by its text: `/\evil.example`, `/%09/evil.example` after decoding, and
 * `/.//evil.example` would all leave the site.
 */
export function localPath(address: string | URL | null | undefined, origin: string): string {
  const text = String(address ?? "");
  if (text.length > maxLength || !/^[/?#]|^https?:\/\//.test(text)) return "/";
  if (/[\\\p{Cc}\p{Cs}]/u.test(text) || !URL.canParse(text, origin)) return "/";
  const url = new URL(text, origin);
  if (url.origin !== origin || url.username !== "" || url.password !== "") return "/";
  const path = url.pathname + url.search + url.hash;
  // Parsing makes the text longer when it has characters beyond ASCII.
  return path.startsWith("//") || path.length > maxLength ? "/" : path;
}
