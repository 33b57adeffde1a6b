/**
 * Encrypts JSON values, for stores and cookies.
 *
 * @module
 */

import { assertStore, checkSetting, throwBadArgument } from "../core/arguments.ts";
import { checkLoaded } from "./with_time_limit.ts";
import type { Store } from "./store.ts";
import { encodeBase64Url, fromBase64Url } from "../core/base64url.ts";
import { jsonText } from "./store_text.ts";

/**
 * Returns a store that encrypts its values with AES-256-GCM in a JWE (RFC 7516). A copy of the database does not show tokens.
 *
 * For a value that was changed, copied to another key, or encrypted with an unknown secret, `load` returns the version with `null` as
 * the value, so that a new value can replace it.
 *
 * To change the secret, put the new secret before the old ones: the first secret encrypts, and all secrets decrypt. With several
 * processes, first put the new secret after the old ones in all processes, since a process without it reads `null`. Remove an old
 * secret once all its values have been saved again or have expired.
 *
 * Keys, versions, expiry times and the length of a value are not protected. An attacker with write access to the database can delete
 * a value, or restore an older value of the same key.
 *
 * @example
 * ```ts
 * import { generateState, MemoryStore, sealed } from "@guildpass/sdk";
 *
 * const secret = generateState(); // yours: from the environment
 * const database = new MemoryStore();
 * const store = sealed(database, secret);
 * await store.save("ada", { token: "t0ken" }, { version: null });
 * (await store.load("ada"))?.value; // { token: "t0ken" }
 * JSON.stringify(await database.load("ada")).includes("t0ken"); // false
 * ```
 *
 * @param store The store of the encrypted values. Each encrypted value is a text, about a third longer than the value's JSON.
 * @param secrets Random text of at least 32 characters, as `generateState()` or `npx @guildpass/sdk secret` makes it; or a list of
 * such texts with the newest first.
 * @throws {TypeError} If an argument is wrong. The message never shows a secret.
 */
export function sealed(
  store: Store,
  secrets: string | readonly [newest: string, ...older: string[]],
): Store {
  assertStore(store);
  return sealedBy(store, createSealer(checkSecrets("secrets", secrets), "sealed store"));
}

/** Returns a store that encrypts its values with a sealer. */
export function sealedBy(store: Store, sealer: Sealer): Store {
  return {
    async load(key) {
      const found = checkLoaded(await store.load(key));
      if (!found) return null;
      return { value: await sealer.open(key, found.value), version: found.version };
    },
    async save(key, value, options) {
      return await store.save(key, await sealer.seal(key, value), options);
    },
    delete: (key) => store.delete(key),
  };
}

/** One secret, or several with the newest first. */
export type Secrets = string | readonly [newest: string, ...older: string[]];

/** Encrypts values, each together with its name. */
export interface Sealer {
  /** Encrypts a JSON value with the newest secret. */
  seal(name: string, value: unknown): Promise<string>;
  /** Decrypts a sealed text. Returns `null` if the name does not match, or no secret fits. */
  open(name: string, sealedText: unknown): Promise<unknown>;
}

/**
 * The form of a sealed text: a JWE in its compact form, without an encrypted key (RFC 7516 section 7.1). It does not check the lengths of
 * the parts, because V8 takes longer to compile such an expression.
 */
export const sealedForm: RegExp = /^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/;

/** The parts of a sealed text. */
type SealedParts = [header: string, key: "", iv: string, ciphertext: string, tag: string];

/** The minimum length of a secret. A shorter secret could be guessed, since the key derivation is fast. */
const minimumLength = 32;

/** The description of a secret, for errors. */
const form =
  `random text of at least ${minimumLength} characters (npx @guildpass/sdk secret prints it)`;

const algorithms = { alg: "dir", enc: "A256GCM" };

/** The JOSE header of these algorithms in base64url. */
const headerWithoutKeyId = "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0";

/** The lengths of the initialization vector and of the authentication tag, in bytes (RFC 7518 section 5.3). */
const [ivLength, tagLength] = [12, 16];

/** The length of the authentication tag in base64url, in characters. */
const tagTextLength = 22;

/**
 * Creates a sealer: AES-256-GCM in a JWE (RFC 7516).
 *
 * @param secrets The result of {@link checkSecrets}, or another random text.
 * @param purpose The purpose of the values. Values of another purpose can't be decrypted.
 */
export function createSealer(secrets: Secrets, purpose: string): Sealer {
  return new JweSealer(() =>
    Promise.all([secrets].flat().map((secret) => deriveKey(secret, purpose)))
  );
}

/** Returns a digest of a text under the newest secret as base64url. Without the secret, it does not reveal a text that can be guessed. */
export async function secretDigestOf(secrets: Secrets, text: string): Promise<string> {
  const newest = typeof secrets === "string" ? secrets : secrets[0];
  return encodeBase64Url(await deriveBits(newest, `digest ${text}`, 256));
}

/** Creates a sealer with a random key of 256 bits. */
export function createKeySealer(key: Uint8Array): Sealer {
  // Copied, because the compiler of an application may be TypeScript 5.2, which knows no `Uint8Array<ArrayBuffer>`.
  return new JweSealer(async () => [await importKey(headerWithoutKeyId, new Uint8Array(key))]);
}

/** Encrypts with the newest key, and decrypts with any of them. */
class JweSealer implements Sealer {
  readonly #makeKeys: () => Promise<readonly SealingKey[]>;
  /**
   * The keys, with the newest first. They are derived at the first use, because Web Crypto is asynchronous. The keys are kept, not
   * their promise: on Workers, a request can't wait for the work of another request.
   */
  #keys: readonly SealingKey[] | null = null;

  constructor(makeKeys: () => Promise<readonly SealingKey[]>) {
    this.#makeKeys = makeKeys;
  }

  /** See {@link Sealer.seal}. */
  async seal(name: string, value: unknown): Promise<string> {
    const content = encode(`{"name":${jsonText(name)},"value":${jsonText(value)}}`);
    const [newest] = this.#keys ??= await this.#makeKeys();
    // There is at least one secret.
    const { header, additionalData, key } = newest as SealingKey;
    const iv = crypto.getRandomValues(new Uint8Array(ivLength));
    const algorithm = { name: "AES-GCM", iv, additionalData };
    const sealed = new Uint8Array(await crypto.subtle.encrypt(algorithm, key, content));
    const [ciphertext, tag] = [sealed.subarray(0, -tagLength), sealed.subarray(-tagLength)];
    return `${header}..${encodeBase64Url(iv)}.${encodeBase64Url(ciphertext)}.${
      encodeBase64Url(tag)
    }`;
  }

  /** See {@link Sealer.open}. */
  async open(name: string, sealedText: unknown): Promise<unknown> {
    if (typeof sealedText !== "string" || !sealedForm.test(sealedText)) return null;
    const [header, , iv, ciphertext, tag] = sealedText.split(".") as SealedParts;
    const keys = this.#keys ??= await this.#makeKeys();
    // The header must be, letter by letter, the one that seals: no other algorithm or extension is accepted.
    const known = keys.find((key) => key.header === header);
    // Without its last byte, a tag that ends in zero would still fit.
    if (!known || tag.length !== tagTextLength) return null;
    try {
      const bytes = fromBase64Url(ciphertext);
      const sealed = new Uint8Array(bytes.length + tagLength);
      sealed.set(bytes);
      sealed.set(fromBase64Url(tag), bytes.length);
      const { additionalData, key } = known;
      const algorithm = { name: "AES-GCM", iv: fromBase64Url(iv), additionalData };
      const opened = await crypto.subtle.decrypt(algorithm, key, sealed);
      const content: { readonly name: unknown; readonly value: unknown } = JSON.parse(
        new TextDecoder().decode(opened),
      );
      return content.name === name ? content.value : null;
    } catch {
      return null;
    }
  }
}

/**
 * Checks the secrets, and returns a copy, so that a later change of the caller's list has no effect.
 *
 * @param argument The name of the secrets in errors.
 * @throws {TypeError} If a secret is wrong. The message never shows the secret.
 */
export function checkSecrets(argument: string, secrets: Secrets): Secrets {
  if (typeof secrets === "string") return checkNewest(argument, secrets);
  if (!Array.isArray(secrets) || secrets.length === 0) {
    throwBadArgument(argument, `${form}, or a list of such texts with the newest first`, secrets);
  }
  const [newest, ...older] = secrets;
  return [
    checkNewest(`${argument}[0]`, newest),
    ...older.map((secret, index) => checkLength(`${argument}[${index + 1}]`, secret)),
  ];
}

/** Checks the newest secret. Older secrets may have any form, so that they can be replaced. */
function checkNewest(argument: string, secret: unknown): string {
  checkSetting(argument, secret);
  return checkLength(argument, secret);
}

function checkLength(argument: string, secret: unknown): string {
  if (typeof secret !== "string" || secret.length < minimumLength) {
    throwBadArgument(argument, form, secret);
  }
  return secret;
}

/** A key, and the header of its sealed texts. */
interface SealingKey {
  /** The JOSE header in base64url. For a key that is derived from a secret, it has the key's id, which does not reveal the secret. */
  readonly header: string;
  /** The bytes of the header, which are also authenticated. */
  readonly additionalData: Uint8Array<ArrayBuffer>;
  readonly key: CryptoKey;
}

/** Derives a key for one purpose, and its id. */
async function deriveKey(secret: string, purpose: string): Promise<SealingKey> {
  const bits = await deriveBits(secret, purpose, 256 + 64);
  const header = { ...algorithms, kid: encodeBase64Url(bits.subarray(32)) };
  return await importKey(encodeBase64Url(encode(JSON.stringify(header))), bits.subarray(0, 32));
}

/** Derives bits for one purpose (HKDF, RFC 5869, which is made of HMAC). The secret may also serve other purposes. */
async function deriveBits(
  secret: string,
  purpose: string,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const material = await crypto.subtle.importKey("raw", encode(secret), "HKDF", false, [
    "deriveBits",
  ]);
  const hkdf = {
    name: "HKDF",
    hash: "SHA-256",
    salt: new Uint8Array(),
    info: encode(`@guildpass/sdk ${purpose}`),
  };
  return new Uint8Array(await crypto.subtle.deriveBits(hkdf, material, length));
}

async function importKey(header: string, key: Uint8Array<ArrayBuffer>): Promise<SealingKey> {
  return {
    header,
    additionalData: encode(header),
    key: await crypto.subtle.importKey("raw", key, "AES-GCM", false, ["encrypt", "decrypt"]),
  };
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
