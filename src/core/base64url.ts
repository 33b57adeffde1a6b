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

/** The methods of newer runtimes, for example Node 25 and Deno 2.5. */
interface NativeBase64 {
  readonly fromBase64?: (
    text: string,
    options: { readonly alphabet: "base64url" },
  ) => Uint8Array<ArrayBuffer>;
}
interface NativeBytes {
  readonly toBase64?: (
    options: { readonly alphabet: "base64url"; readonly omitPadding: true },
  ) => string;
}

/** Returns bytes as text, by the method of the runtime if there is one. Pages use {@link toBase64Url}, which is smaller. */
export function encodeBase64Url(bytes: Uint8Array & NativeBytes): string {
  return bytes.toBase64?.({ alphabet: "base64url", omitPadding: true }) ?? toBase64Url(bytes);
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
