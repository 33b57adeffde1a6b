/**
 * The token of a session in the `Authorization` header, for apps and Activities, where cookies do not work.
 *
 * @module
 */

/** The start of every token. No session id in a cookie begins like this, so neither can be used as the other. */
export const bearerStart = "gps_";

/**
 * Returns the token in a request's `Authorization` header, or `null` without one. Other forms of the header belong to the application or
 * its host.
 */
export function bearerOf(
  { headers }: Request,
  { appPath }: { readonly appPath: string | null },
): string | null {
  if (appPath === null) return null;
  const [, token] = /^Bearer ([\w-]{47})$/.exec(headers.get("authorization") ?? "") ?? [];
  return token?.startsWith(bearerStart) ? token : null;
}
