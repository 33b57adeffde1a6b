/**
 * Makes names and keys of records from secrets without showing the secrets.
 *
 * @module
 */

import { base64url } from "npm:jose@^6.0.0";

/** Returns the SHA-256 of a text as base64url. Nobody can find a random text from it. */
export async function digestOf(text: string): Promise<string> {
  return base64url.encode(await hash("SHA-256", text));
}

/** The name and the key of a record. */
export interface NameAndKey {
  readonly name: string;
  /** 256 bits. */
  readonly key: Uint8Array;
}

/**
 * Returns the two halves of the SHA-512 of a text with a random part: the first as a name in base64url, the second as a key. Nobody can
 * find the key or the text from the name.
 */
export async function deriveNameAndKey(text: string): Promise<NameAndKey> {
  const digest = await hash("SHA-512", text);
  return { name: base64url.encode(digest.subarray(0, 32)), key: digest.subarray(32) };
}

async function hash(algorithm: "SHA-256" | "SHA-512", text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest(algorithm, new TextEncoder().encode(text)));
}
