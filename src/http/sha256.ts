/**
 * Synchronous SHA-256. `crypto.subtle.digest` is asynchronous, and calls that wait for it would lose their order.
 *
 * @see {@link https://doi.org/10.6028/NIST.FIPS.180-4 | FIPS 180-4, section 6.2}
 *
 * @module
 */

/** The constants of the algorithm: bits of the roots of the first primes. */
interface Constants {
  readonly start: Int32Array;
  readonly rounds: Int32Array;
}

/** Computed at the first use, because no code runs at import. */
let constants: Constants | undefined;

/** Computes digests, and caches the last one, because a client needs the digest of its token in every call. */
export class Digests {
  #last: { readonly text: string; readonly digest: string } | null = null;

  /** Returns the SHA-256 of a text in hexadecimal. */
  of(text: string): string {
    if (this.#last?.text !== text) this.#last = { text, digest: sha256(text) };
    return this.#last.digest;
  }
}

/** Returns the SHA-256 of a text in hexadecimal. */
export function sha256(text: string): string {
  constants ??= computeConstants();
  const { start, rounds } = constants;
  const state = start.slice();
  const words = paddedWords(text);
  for (let offset = 0; offset < words.length; offset += 16) {
    compress(state, words.subarray(offset, offset + 16), rounds);
  }
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** Mixes a block of 16 words into the state. All sums are modulo 2³². */
function compress(state: Int32Array, block: Int32Array, rounds: Int32Array): void {
  const schedule = new Int32Array(64);
  schedule.set(block);
  const word = (t: number) => schedule[t] as number;
  for (let t = 16; t < 64; t++) {
    const [near, far] = [word(t - 2), word(t - 15)];
    const sigma1 = rotate(near, 17) ^ rotate(near, 19) ^ (near >>> 10);
    const sigma0 = rotate(far, 7) ^ rotate(far, 18) ^ (far >>> 3);
    schedule[t] = sigma1 + word(t - 7) + sigma0 + word(t - 16);
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let t = 0; t < 64; t++) {
    const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const first = (h + sum1 + ((e & f) ^ (~e & g)) + (rounds[t] as number) + word(t)) | 0;
    const second = (sum0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((mixed, index) =>
    state[index] = (state[index] as number) + mixed
  );
}

/** Returns the words of a text: its bytes, a one, zeros, and its length in bits, in blocks of 16 words. */
function paddedWords(text: string): Int32Array {
  const bytes = new TextEncoder().encode(text);
  const words = new Int32Array(16 * Math.ceil((bytes.length + 9) / 64));
  const view = new DataView(words.buffer);
  new Uint8Array(words.buffer).set(bytes);
  view.setUint8(bytes.length, 0x80);
  view.setUint32(view.byteLength - 4, 8 * bytes.length);
  return words.map((_, index) => view.getInt32(4 * index));
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function computeConstants(): Constants {
  const primes: number[] = [];
  for (let number = 2; primes.length < 64; number++) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  return {
    start: Int32Array.from(primes.slice(0, 8), (prime) => fractionOf(Math.sqrt(prime))),
    rounds: Int32Array.from(primes, (prime) => fractionOf(Math.cbrt(prime))),
  };
}

/** Returns the first 32 bits after the point. */
function fractionOf(root: number): number {
  return ((root % 1) * 2 ** 32) | 0;
}
