/**
 * Makes names and keys of records from secrets without showing the secrets.
 *
 * @module
 */

import { toBase64Url } from "../core/base64url.ts";

/** Returns the SHA-256 of a text as base64url. It does not reveal a random text. */
export async function digestOf(text: string): Promise<string> {
  return toBase64Url(await hash("SHA-256", text));
}

/** The name and the key of a record. */
export interface NameAndKey {
  readonly name: string;
  /** 256 bits. */
  readonly key: Uint8Array<ArrayBuffer>;
}

/**
 * Returns the two halves of the SHA-512 of a text with a random part: the first as a name in base64url, the second as a key.
 * The name reveals neither the key nor the text.
 */
export async function deriveNameAndKey(text: string): Promise<NameAndKey> {
  const digest = await hash("SHA-512", text);
  return { name: toBase64Url(digest.subarray(0, 32)), key: digest.subarray(32) };
}

async function hash(
  algorithm: "SHA-256" | "SHA-512",
  text: string,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest(algorithm, new TextEncoder().encode(text)));
}
