/**
 * Where a person goes after a login: never to another site.
 *
 * @module
 */

/** So long that a longer one would make the cookie of the attempt too large. */
const longest = 1024;

/**
 * Gives the path, query and fragment of an address of this site; `"/"` for everything else.
 *
 * What a browser makes of the text counts, not what it looks like: `/\evil.example`, `/%09/evil.example` after decoding, and
 * `/.//evil.example` would all leave the site.
 */
export function localPath(address: string | URL | null | undefined, origin: string): string {
  const text = String(address ?? "");
  if (text.length > longest || !/^[/?#]|^https?:\/\//.test(text)) return "/";
  if (/[\\\p{Cc}\p{Cs}]/u.test(text) || !URL.canParse(text, origin)) return "/";
  const url = new URL(text, origin);
  if (url.origin !== origin || url.username !== "" || url.password !== "") return "/";
  const path = url.pathname + url.search + url.hash;
  // What is not ASCII is longer in an address than it was before.
  return path.startsWith("//") || path.length > longest ? "/" : path;
}
