/**
 * Synchronous SHA-256. `crypto.subtle.digest` is asynchronous, and calls that wait for it would lose their order.
 *
 * A `User` for each request computes a digest for each request, so the memory for a block is reused.
 *
 * @see {@link https://doi.org/10.6028/NIST.FIPS.180-4 | FIPS 180-4, section 6.2}
 *
 * @module
 */

/** The constants of the algorithm, and the memory in which it works. */
interface Workspace {
  /** The state before the first block: bits of the square roots of the first primes. */
  readonly start: Int32Array;
  /** The constants of the rounds: bits of the cube roots of the first primes. */
  readonly constants: Int32Array;
  readonly state: Int32Array;
  /** The 16 words of a block, and the words that are derived from them. */
  readonly schedule: Int32Array;
}

/** Created at the first use, because no code runs at import. */
let workspace: Workspace | undefined;

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
  workspace ??= createWorkspace();
  const { start, state, schedule } = workspace;
  const bytes = new TextEncoder().encode(text);
  state.set(start);
  // A one and the length follow the bytes.
  for (let offset = 0; offset < bytes.length + 9; offset += 64) {
    loadBlock(schedule, bytes, offset);
    compress(workspace);
  }
  let digest = "";
  for (const word of state) digest += (word >>> 0).toString(16).padStart(8, "0");
  return digest;
}

/** Loads a block of 64 bytes. The last block ends with the length in bits. */
function loadBlock(schedule: Int32Array, bytes: Uint8Array, offset: number): void {
  for (let t = 0; t < 16; t++) {
    const at = offset + 4 * t;
    schedule[t] = (byteAt(bytes, at) << 24) | (byteAt(bytes, at + 1) << 16) |
      (byteAt(bytes, at + 2) << 8) | byteAt(bytes, at + 3);
  }
  if (offset + 64 >= bytes.length + 9) schedule[15] = 8 * bytes.length;
}

/** Returns a byte of the padded text: the one follows the text, and the rest is zeros. */
function byteAt(bytes: Uint8Array, index: number): number {
  return bytes[index] ?? (index === bytes.length ? 0x80 : 0);
}

/** Mixes a block into the state. All sums are modulo 2³². */
function compress({ state, schedule, constants }: Workspace): void {
  for (let t = 16; t < 64; t++) {
    const near = schedule[t - 2] as number;
    const far = schedule[t - 15] as number;
    const sigma1 = rotate(near, 17) ^ rotate(near, 19) ^ (near >>> 10);
    const sigma0 = rotate(far, 7) ^ rotate(far, 18) ^ (far >>> 3);
    schedule[t] = sigma1 + (schedule[t - 7] as number) + sigma0 + (schedule[t - 16] as number);
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let t = 0; t < 64; t++) {
    const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const first = (h + sum1 + choice + (constants[t] as number) + (schedule[t] as number)) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + sum0 + majority) | 0;
  }
  const mixed = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < 8; i++) state[i] = (state[i] as number) + (mixed[i] as number);
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function createWorkspace(): Workspace {
  const primes: number[] = [];
  for (let number = 2; primes.length < 64; number++) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  return {
    start: Int32Array.from(primes.slice(0, 8), (prime) => fractionOf(Math.sqrt(prime))),
    constants: Int32Array.from(primes, (prime) => fractionOf(Math.cbrt(prime))),
    state: new Int32Array(8),
    schedule: new Int32Array(64),
  };
}

/** Returns the first 32 bits after the point. */
function fractionOf(root: number): number {
  return ((root % 1) * 2 ** 32) | 0;
}
