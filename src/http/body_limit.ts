/**
 * Reads the body of a response up to a limit of bytes, and parses it as JSON up to a number of values.
 *
 * @module
 */

import type { FetchResponse } from "./options.ts";

/** The decoder of this process. Made at the first use, since making it takes longer than decoding a short body. */
let decoder: TextDecoder | undefined;

/** The number of pieces of a body to read before timers may run. */
const piecesInARow = 1000;

/**
 * Reads a body as text, or returns `null` if the body is longer than `maxBytes`. It closes the connection after
 * a body that is too long, and when the signal fires.
 */
export async function readText(
  response: Pick<FetchResponse, "body" | "text">,
  maxBytes: number,
  signal: AbortSignal,
): Promise<string | null> {
  const { body } = response;
  // A custom fetch may return a body that is not a stream, or no body.
  if (!isStream(body)) {
    const text = String(await response.text());
    return isLonger(text, maxBytes) ? null : text;
  }
  const reader = body.getReader();
  signal.addEventListener("abort", () => cancel(reader));
  // A custom fetch that ignores the signal may respond after the call has ended.
  if (signal.aborted) cancel(reader);
  const bytes = await readBytes(reader, maxBytes, signal);
  if (bytes !== null) return (decoder ??= new TextDecoder()).decode(bytes);
  cancel(reader);
  return null;
}

/** Recognizes a stream, also one of another package. */
function isStream(body: unknown): body is ReadableStream<Uint8Array> {
  return typeof Object(body).getReader === "function";
}

/**
 * Reads all bytes of a stream into one array, or returns `null` if they are more than `maxBytes`. A body that comes in one piece is not
 * copied.
 */
export async function readBytes(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  // The first piece, or one array that grows: a server may send each byte alone, and a list of such pieces takes far more memory than
  // their bytes.
  let bytes: Uint8Array = new Uint8Array(0);
  let length = 0;
  for (let pieces = 1;; pieces++) {
    // A stream of a custom fetch may go on after it was cancelled.
    signal.throwIfAborted();
    const { done, value } = await reader.read();
    if (done) return bytes.subarray(0, length);
    // A custom fetch may yield anything. Not by `instanceof`, since a stream may come from another realm.
    if (!ArrayBuffer.isView(value)) throw TypeError("a chunk of the body is not bytes");
    const piece = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    const total = length + piece.length;
    if (total > maxBytes) return null;
    if (length === 0) {
      bytes = piece;
    } else {
      if (total > bytes.length) bytes = enlarge(bytes, total, maxBytes);
      bytes.set(piece, length);
    }
    length = total;
    // A stream that always has a piece ready would keep the time limit from firing.
    if (pieces % piecesInARow === 0) await new Promise((resolve) => setTimeout(resolve));
  }
}

/** Returns a copy with room for `needed` bytes. It doubles the array, so that not every piece causes a copy. */
function enlarge(bytes: Uint8Array, needed: number, maxBytes: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(Math.min(maxBytes, Math.max(needed, 2 * bytes.length)));
  copy.set(bytes);
  return copy;
}

/** Returns true if a text has more than `maxBytes`. */
function isLonger(text: string, maxBytes: number): boolean {
  // Each unit of a text takes at least one byte, so only a text that may fit has to be encoded.
  return text.length > maxBytes || new TextEncoder().encode(text).length > maxBytes;
}

/** Closes the connection, and ignores errors of the stream. Callers need not wait. */
export async function cancel(reader: ReadableStreamDefaultReader): Promise<void> {
  try {
    await reader.cancel();
  } catch {
    // The stream is closed already.
  }
}

/**
 * The maximum number of values in a text. The largest responses of Discord have tens of thousands of values. A text of 8 MiB
 * may hold millions of empty lists, which take seconds to parse and hundreds of megabytes of memory.
 */
const maxValues = 500_000;

/** The characters that separate values, and that begin a list or an object. */
const marks = [",", "[", "{"];

/** Parses a JSON text. Returns `undefined` if the text is `null`, is not JSON, or holds too many values. */
export function parseJson(text: string | null): unknown {
  if (text === null || (text.length > maxValues && hasTooManyValues(text))) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns true if a text holds more than `maxValues` values. It counts the characters that begin or separate values, also within
 * strings.
 */
export function hasTooManyValues(text: string): boolean {
  let count = 0;
  for (const mark of marks) {
    // A search for the next mark takes a tenth of the time of a look at every character.
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
      if (++count > maxValues) return true;
    }
  }
  return false;
}
