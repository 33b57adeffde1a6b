/**
 * Writes and reads bytes as base64url without padding (RFC 4648 section 5).
 *
 * @module
 */

/** Returns bytes as text: at most some 50,000, since a call takes a limited number of arguments. */
export function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The bytes of a part that is turned into text by itself. A multiple of three needs no padding. */
const partLength = 30_000;

/** Returns any number of bytes as text. */
export function toLongBase64Url(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += partLength) {
    text += toBase64Url(bytes.subarray(at, at + partLength));
  }
  return text;
}

/**
 * Returns the bytes of a text.
 *
 * @throws {DOMException} If the text is not base64url.
 */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const decoded = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = new Uint8Array(decoded.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = decoded.charCodeAt(at);
  return bytes;
}
