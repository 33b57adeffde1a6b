/**
 * Removes secrets from the path of a request, for logs and pages.
 *
 * @module
 */

/**
 * Returns a path with `…` instead of each segment that does not look like a segment of the platform's own URLs.
 *
 * @param secrets The texts that are never shown, even if they look like a segment of the platform's URLs.
 */
export function safePath(path: string, secrets: readonly string[]): string {
  // The longest first: a secret may contain another one, or a slash.
  const hidden = [...secrets].sort((a, b) => b.length - a.length)
    .reduce((rest, secret) => rest.replaceAll(secret, "…"), path);
  return hidden.split("/")
    .map((segment) => safeSegments.some((pattern) => pattern.test(segment)) ? segment : "…")
    .join("/");
}

/**
 * The patterns of shown segments. Tokens and secrets never match: they are longer than 16 characters, and have capital letters
 * and digits.
 */
const safeSegments: readonly RegExp[] = [
  /^[a-z@.][a-z0-9@._-]{0,15}$/,
  // Names up to 32 characters without digits, such as `openid-configuration` or `permission_input.ts`.
  /^[a-z._-]{0,32}$/,
  // Ids.
  /^\d{1,20}$/,
  // Images: a number, a hash or an id.
  /^(\d|(a_)?[\da-f]{32}|\d{1,20})\.(png|jpg|jpeg|webp|gif|json)$/,
];
