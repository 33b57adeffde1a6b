/**
 * Encrypts what a store keeps.
 *
 * @module
 */

import { base64url, compactDecrypt, CompactEncrypt } from "npm:jose@^6.0.0";
import { refuse } from "../../arguments.ts";
import { jsonText } from "./json_text.ts";
import type { Store } from "./store.ts";

/** A shorter text could be found by trying, since nothing slows the tries down. */
const minimumLength = 32;

const algorithms = { alg: "dir", enc: "A256GCM" } as const;

/**
 * Encrypts values before they reach a store, with AES-256-GCM in a JWE (RFC 7516). Whoever reads the database, or a backup of
 * it, finds no token there.
 *
 * A value can be opened only under the key it was saved under: copied to the key of another person, it counts as
 * unreadable. A value that can't be opened, since it was changed or no secret fits, is loaded as `null`, with its version, so
 * that another one can be saved in its place.
 *
 * To change the secret, put the new one in front of the old ones: the first one encrypts, and each of them opens. Take
 * an old one away when all that it encrypted has been saved again or has expired.
 *
 * What this does not protect: keys, versions, times and the length of a value stay readable, and whoever can write
 * to the database can delete a value, or put an older value of the same key back.
 *
 * @example
 * ```ts
 * import { generateState, MemoryStore, sealed } from "@guildpass/sdk";
 *
 * const secret = generateState(); // in a real application, made once and read from the environment
 * const database = new MemoryStore();
 * const store = sealed(database, secret);
 * await store.save("ada", { token: "t0ken" }, { version: null });
 * (await store.load("ada"))?.value; // { token: "t0ken" }
 * JSON.stringify(await database.load("ada")).includes("t0ken"); // false
 * ```
 *
 * @param store Where the encrypted values go, each as one text, about a third longer than the value is as JSON.
 * @param secrets Random text of at least 32 characters, as `generateState()` or `openssl rand -base64 32` makes it. With a
 * list, the newest comes first.
 * @throws {TypeError} When an argument is wrong. The message never shows a secret.
 */
export function sealed(
  store: Store,
  secrets: string | readonly [newest: string, ...older: string[]],
): Store {
  if (typeof store?.load !== "function") {
    refuse("store", "a Store, with load, save and delete", store);
  }
  const [newest, ...older] = checkSecrets(typeof secrets === "string" ? [secrets] : secrets);
  // Made when they are first needed, as Web Crypto is asynchronous.
  let made: Promise<[SealingKey, ...SealingKey[]]> | undefined;
  const keys = () => made ??= Promise.all([deriveKey(newest), ...older.map(deriveKey)]);
  return {
    async load(key) {
      const found = await store.load(key);
      if (!found) return null;
      return { value: await open(await keys(), key, found.value), version: found.version };
    },
    async save(key, value, options) {
      const [newestKey] = await keys();
      return await store.save(key, await seal(newestKey, key, value), options);
    },
    delete: (key) => store.delete(key),
  };
}

/** Checks a list of secrets, and gives a copy, so that a later change of the caller's list has no effect. */
function checkSecrets(secrets: readonly [string, ...string[]]): [string, ...string[]] {
  if (!Array.isArray(secrets) || secrets.length === 0) {
    refuse("secrets", "a secret, or a list of them with the newest first", secrets);
  }
  const [newest, ...older] = secrets;
  for (const [index, secret] of [newest, ...older].entries()) {
    if (typeof secret !== "string" || secret.length < minimumLength) {
      const form = `random text of at least ${minimumLength} characters (generateState() makes it)`;
      refuse(`secrets[${index}]`, form, secret);
    }
  }
  return [newest, ...older];
}

interface SealingKey {
  /** Says in a sealed text which key it needs. The secret can't be found from it. */
  readonly id: string;
  readonly key: CryptoKey;
}

/** Derives a key that belongs to sealed stores alone, though the secret may be used elsewhere too (HKDF, RFC 5869). */
async function deriveKey(secret: string): Promise<SealingKey> {
  const usages: KeyUsage[] = ["deriveBits", "deriveKey"];
  const material = await crypto.subtle.importKey("raw", encode(secret), "HKDF", false, usages);
  const hkdf = (purpose: string) => ({
    name: "HKDF",
    hash: "SHA-256",
    salt: new Uint8Array(),
    info: encode(`@guildpass/sdk sealed store: ${purpose}`),
  });
  const id = new Uint8Array(await crypto.subtle.deriveBits(hkdf("key id"), material, 64));
  const aes = { name: "AES-GCM", length: 256 };
  const uses: KeyUsage[] = ["encrypt", "decrypt"];
  const key = await crypto.subtle.deriveKey(hkdf("key"), material, aes, false, uses);
  return { id: base64url.encode(id), key };
}

/** The name goes inside, so that the text does not open under another key of the store. */
async function seal({ id, key }: SealingKey, name: string, value: unknown): Promise<string> {
  const content = `{"name":${jsonText(name)},"value":${jsonText(value)}}`;
  return await new CompactEncrypt(encode(content))
    .setProtectedHeader({ ...algorithms, kid: id })
    .encrypt(key);
}

/** The value in a sealed text, or `null` when it was not sealed for this name, or with none of the keys. */
async function open(
  keys: readonly SealingKey[],
  name: string,
  sealedText: unknown,
): Promise<unknown> {
  if (typeof sealedText !== "string") return null;
  try {
    const { plaintext } = await compactDecrypt(sealedText, ({ kid }) => {
      const known = keys.find(({ id }) => id === kid);
      if (!known) throw new Error("No secret fits");
      return known.key;
    }, {
      keyManagementAlgorithms: [algorithms.alg],
      contentEncryptionAlgorithms: [algorithms.enc],
    });
    const content: { readonly name: unknown; readonly value: unknown } = JSON.parse(
      new TextDecoder().decode(plaintext),
    );
    return content.name === name ? content.value : null;
  } catch {
    return null;
  }
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
