/**
 * Encodes bytes in base64url, and hashes texts.
 *
 * @module
 */

/** Encodes bytes in base64url without padding (RFC 4648 section 5). */
export function base64url(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Hashes a text to 32 bits with FNV-1a. The same text gives the same number in every run. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) {
    value = Math.imul(value ^ character.charCodeAt(0), 0x01000193);
  }
  return value >>> 0;
}
