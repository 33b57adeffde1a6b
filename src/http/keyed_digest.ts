/**
 * The digest under which this process keeps what it knows of a token: HalfSipHash with a random key. Without the key, two texts
 * with one digest can't be found, and the digest is too short to be turned back into a token.
 *
 * SHA-256 in JavaScript takes a millisecond more in the first request of a process, whose code is not compiled yet.
 * `crypto.subtle.digest` is asynchronous, and calls that wait for it would lose their order.
 *
 * @see {@link https://github.com/veorq/SipHash | SipHash and HalfSipHash}
 *
 * @module
 */

/** The random key of this process. Made at the first use, because no code runs at import. */
let processKey: Int32Array | undefined;

/** Computes digests, and caches the last one, because a client needs the digest of its token in every call. */
export class Digests {
  #last: { readonly text: string; readonly digest: string } | null = null;

  /** Returns the digest of a text. */
  of(text: string): string {
    if (this.#last?.text !== text) this.#last = { text, digest: keyedDigest(text) };
    return this.#last.digest;
  }
}

/** Returns the digest of a text: 128 bits, which only this process can compute. */
export function keyedDigest(text: string): string {
  const [k0 = 0, k1 = 0, k2 = 0, k3 = 0] = processKey ??= crypto.getRandomValues(new Int32Array(4));
  const bytes = new TextEncoder().encode(text);
  return `${halfSipHash(bytes, k0, k1)} ${halfSipHash(bytes, k2, k3)}`;
}

/** Returns HalfSipHash-2-4 with an output of 64 bits, as two signed words in decimal. */
export function halfSipHash(bytes: Uint8Array, key0: number, key1: number): string {
  const length = 4 * Math.ceil((bytes.length + 1) / 4);
  const words = new DataView(new ArrayBuffer(length));
  new Uint8Array(words.buffer).set(bytes);
  words.setUint8(length - 1, bytes.length);

  // All sums are modulo 2³².
  let [a, b, c, d] = [key0, key1 ^ 0xee, key0 ^ 0x6c796765, key1 ^ 0x74656462];
  let firstOutput = 0;
  // After the words, two steps without a word produce the output.
  for (let at = 0; at <= length + 4; at += 4) {
    const isWord = at < length;
    const word = isWord ? words.getInt32(at, true) : 0;
    if (at === length) c ^= 0xee;
    if (at > length) {
      firstOutput = b ^ d;
      b ^= 0xdd;
    }
    d ^= word;
    for (let rounds = isWord ? 2 : 4; rounds > 0; rounds--) {
      a = (a + b) | 0;
      b = rotate(b, 5) ^ a;
      a = rotate(a, 16);
      c = (c + d) | 0;
      d = rotate(d, 8) ^ c;
      a = (a + d) | 0;
      d = rotate(d, 7) ^ a;
      c = (c + b) | 0;
      b = rotate(b, 13) ^ c;
      c = rotate(c, 16);
    }
    a ^= word;
  }
  return `${firstOutput} ${b ^ d}`;
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
