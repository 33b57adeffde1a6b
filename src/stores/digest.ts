/**
 * Makes keys for a store from secrets without showing the secrets.
 *
 * @module
 */

import { base64url } from "npm:jose@^6.0.0";

/** Returns the SHA-256 of a text as base64url. Nobody can find a random text from it. */
export async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return base64url.encode(new Uint8Array(digest));
}
