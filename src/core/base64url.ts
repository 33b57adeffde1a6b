/**
 * Writes and reads bytes as base64url without padding (RFC 4648 section 5).
 *
 * @module
 */

/** Returns bytes as text. */
export function toBase64Url(bytes: Uint8Array): string {
  let binary = "";
  // Passing all bytes as arguments would be slower, and fail for many bytes.
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Returns 256 random bits as text of 43 characters, for states and secrets. */
export function randomText(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}

/** A method of newer runtimes, for example Node 25 and Deno 2.5. */
interface NativeBase64 {
  readonly fromBase64?: (
    text: string,
    options: { readonly alphabet: "base64url" },
  ) => Uint8Array<ArrayBuffer>;
}

/**
 * Returns the bytes of a text.
 *
 * @throws {Error} If the text is not base64url.
 */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const { fromBase64 }: NativeBase64 = Uint8Array;
  if (fromBase64) return fromBase64(text, { alphabet: "base64url" });
  const decoded = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const { length } = decoded;
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at++) bytes[at] = decoded.charCodeAt(at);
  return bytes;
}
