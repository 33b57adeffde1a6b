/**
 * SHA-256 without a wait. `crypto.subtle.digest` is asynchronous, and calls that wait for it would lose their order.
 *
 * @see {@link https://doi.org/10.6028/NIST.FIPS.180-4 | FIPS 180-4, section 6.2}
 *
 * @module
 */

/** Returns the SHA-256 of a text in hexadecimal. */
export function sha256(text: string): string {
  const primes = firstPrimes(64);
  const constants = primes.map((prime) => fractionOf(Math.cbrt(prime)));
  let state = primes.slice(0, 8).map((prime) => fractionOf(Math.sqrt(prime))) as State;
  const words = paddedWords(text);
  for (let start = 0; start < words.length; start += 16) {
    state = compress(state, words.slice(start, start + 16), constants);
  }
  return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** The state between two blocks. */
type State = [number, number, number, number, number, number, number, number];

/** Mixes a block of 16 words into the state. All sums are modulo 2³². */
function compress(
  state: State,
  block: readonly number[],
  constants: readonly number[],
): State {
  const schedule = [...block];
  let [a, b, c, d, e, f, g, h] = state;
  constants.forEach((constant, t) => {
    const word = (back: number) => schedule[t - back] as number;
    if (t >= 16) {
      const [near, far] = [word(2), word(15)];
      const sigma1 = rotate(near, 17) ^ rotate(near, 19) ^ (near >>> 10);
      const sigma0 = rotate(far, 7) ^ rotate(far, 18) ^ (far >>> 3);
      schedule.push((sigma1 + word(7) + sigma0 + word(16)) | 0);
    }
    const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const first = (h + sum1 + ((e & f) ^ (~e & g)) + constant + word(0)) | 0;
    const second = (sum0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  });
  const mixed: State = [a, b, c, d, e, f, g, h];
  return state.map((word, index) => (word + (mixed[index] as number)) | 0) as State;
}

/** Returns the words of a text: its bytes, a one, zeros, and its length in bits, in blocks of 16 words. */
function paddedWords(text: string): number[] {
  const bytes = new TextEncoder().encode(text);
  const padded = new DataView(new ArrayBuffer(64 * Math.ceil((bytes.length + 9) / 64)));
  [...bytes, 0x80].forEach((byte, index) => padded.setUint8(index, byte));
  padded.setUint32(padded.byteLength - 4, 8 * bytes.length);
  return Array.from({ length: padded.byteLength / 4 }, (_, index) => padded.getInt32(4 * index));
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

/** Returns the first 32 bits after the point. */
function fractionOf(root: number): number {
  return ((root % 1) * 2 ** 32) | 0;
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number++) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  return primes;
}
