/**
 * The names, format numbers and keys of all cookies and records. The format numbers let later versions recognize older records.
 *
 * @module
 */

import { encodeBase64Url } from "../core/base64url.ts";

/** The number of the format. Every cookie and record of a login contains the number. */
export const format = 3;

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
  /** The token of a person, which their sessions share. */
  personToken: "guildpass:token-of:",
  /** The list of a person's sessions. */
  personSessions: "guildpass:sessions-of:",
  /** The membership of a person. */
  personMembership: "guildpass:membership-of:",
  /** The progress of a pending login. */
  progress: "guildpass:progress:",
  /** The refused codes of a visitor. */
  visitor: "guildpass:visitor:",
} as const;

/** Returns the content of a cookie or a record, or `null` if it has another format. */
export function ofThisFormat<Content extends object>(
  value: unknown,
): Content & { readonly format: typeof format } | null {
  // A value with this format was written by this code, so it has the type.
  const content = Object(value) as Content & { readonly format: typeof format };
  return content.format === format ? content : null;
}

/** Returns the SHA-256 of a text as base64url. The digest of a random text does not reveal the text. */
export async function digestOf(text: string): Promise<string> {
  return encodeBase64Url(await hash("SHA-256", text));
}

/** The name and the key of a record. */
export interface NameAndKey {
  readonly name: string;
  /** 256 bits. */
  readonly key: Uint8Array<ArrayBuffer>;
}

/**
 * Derives a name and a key from a text with a random part: the first half of its SHA-512 in base64url, and the second half.
 * The name reveals neither the key nor the text.
 */
export async function deriveNameAndKey(text: string): Promise<NameAndKey> {
  const digest = await hash("SHA-512", text);
  return { name: encodeBase64Url(digest.subarray(0, 32)), key: digest.subarray(32) };
}

async function hash(
  algorithm: "SHA-256" | "SHA-512",
  text: string,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest(algorithm, new TextEncoder().encode(text)));
}
