/**
 * The limit of bytes: reads the body of an answer as far as it may go.
 *
 * @module
 */

import { sleep } from "../core/wait.ts";

/** How many pieces of a body are read before timers get their turn. */
const piecesInARow = 1000;

/**
 * Reads a body as text, or gives `null` when it has more than `maxBytes`; then, and when the signal fires, the stream is
 * cancelled, which closes the connection.
 */
export async function readText(
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
): Promise<string | null> {
  const { body } = response;
  // A custom fetch may give a body that is no stream, or none at all.
  if (typeof body?.getReader !== "function") {
    const text = String(await response.text());
    return isLonger(text, maxBytes) ? null : text;
  }
  const reader = body.getReader();
  signal.addEventListener("abort", () => cancel(reader));
  // A custom fetch that does not listen to the signal may answer when the call is over.
  if (signal.aborted) cancel(reader);
  const bytes = await readBytes(reader, maxBytes, signal);
  if (bytes !== null) return new TextDecoder().decode(bytes);
  cancel(reader);
  return null;
}

/** All bytes of a stream in one array, or `null` when there are more than `maxBytes`. */
export async function readBytes(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  // One array that grows, since a list of pieces could take far more memory than the bytes in them: a server may send
  // each byte on its own.
  let bytes = new Uint8Array(0);
  let length = 0;
  for (let pieces = 1;; pieces++) {
    // A stream of a custom fetch may go on when it is cancelled.
    signal.throwIfAborted();
    const { done, value } = await reader.read();
    if (done) return bytes.subarray(0, length);
    const piece = bytesOf(value);
    const total = length + piece.length;
    if (total > maxBytes) return null;
    if (total > bytes.length) bytes = enlarged(bytes, total, maxBytes);
    bytes.set(piece, length);
    length = total;
    // A stream that always has a piece ready would keep the time limit from ever being noticed.
    if (pieces % piecesInARow === 0) await sleep(0);
  }
}

/** The piece of a stream, whose type a custom `fetch` may not keep to. */
function bytesOf(piece: unknown): Uint8Array {
  // Not by `instanceof`, as a stream may come from another realm.
  if (!ArrayBuffer.isView(piece)) throw TypeError("a piece of the body has no bytes");
  return new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
}

/** A copy with room for `needed` bytes, and for as many again, so that a body of many pieces is not copied for each. */
function enlarged(bytes: Uint8Array, needed: number, maxBytes: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(Math.min(maxBytes, Math.max(needed, 2 * bytes.length)));
  copy.set(bytes);
  return copy;
}

/** Whether a text has more bytes than allowed. */
function isLonger(text: string, maxBytes: number): boolean {
  // Every unit of a text has at least one byte, so that only a text that may fit is encoded.
  return text.length > maxBytes || new TextEncoder().encode(text).length > maxBytes;
}

/** Closes the connection. Nobody waits for it, and what a stream of a custom `fetch` throws then is of no use. */
export async function cancel(reader: ReadableStreamDefaultReader): Promise<void> {
  try {
    await reader.cancel();
  } catch {
    // There is nothing left to close.
  }
}
