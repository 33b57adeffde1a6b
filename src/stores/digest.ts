/**
 * Derives names and keys of records from secrets.
 *
 * @module
 */

import { encodeBase64Url } from "../core/base64url.ts";

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
