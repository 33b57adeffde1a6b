/**
 * Keys for a store that are made from secrets, and do not show them.
 *
 * @module
 */

import { base64url } from "npm:jose@^6.0.0";

/** The SHA-256 of a text: a name from which the text can't be found. */
export async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return base64url.encode(new Uint8Array(digest));
}
