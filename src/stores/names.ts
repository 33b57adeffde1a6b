/**
 * The names and format numbers of all cookies and records, so that later versions can recognize older ones.
 *
 * @module
 */

/** The number of the format. Every cookie and record of a login contains the number. */
export const format = 2;

/** The number of the format of a token's record. */
export const tokenFormat = 1;

/** The names of cookies. The prefix of the site precedes them, and the option `name` of the login may follow. */
export const cookieNames = {
  session: "session",
  /** Makes logins show the consent page. */
  consent: "consent",
  /** The start of the state follows. */
  pendingLogin: "login",
} as const;

/** The starts of the keys of a login's records. A digest follows. */
export const recordKeys = {
  session: "guildpass:session:",
  /** The token of a session. */
  token: "guildpass:token:",
  /** The token of a person, which their sessions share. */
  personToken: "guildpass:token-of:",
  /** The list of a person's sessions. */
  personSessions: "guildpass:sessions-of:",
  /** The progress of a pending login. */
  progress: "guildpass:progress:",
} as const;

/** Returns the content of a cookie or a record, or `null` if it has another format. */
export function ofThisFormat<Content extends object>(
  value: unknown,
): Content & { readonly format: typeof format } | null {
  // A value with this format was written by this code, so it has the type.
  const content = Object(value) as Content & { readonly format: typeof format };
  return content.format === format ? content : null;
}
