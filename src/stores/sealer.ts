/**
 * Encrypts JSON values, for stores and cookies.
 *
 * @module
 */

import { base64url, compactDecrypt, CompactEncrypt } from "npm:jose@^6.0.0";
import { throwBadArgument } from "../core/arguments.ts";
import { jsonText } from "./json_text.ts";

/** One secret, or several with the newest first. */
export type Secrets = string | readonly [newest: string, ...older: string[]];

/** Encrypts values, each under a name that it belongs to. */
export interface Sealer {
  /** Encrypts a JSON value with the newest secret. */
  seal(name: string, value: unknown): Promise<string>;
  /** Returns the value in a sealed text, or `null` if it has another name, or no secret fits. */
  open(name: string, sealedText: unknown): Promise<unknown>;
}

/** The form of a sealed text: a JWE in its compact form, without an encrypted key (RFC 7516 section 7.1). */
export const sealedForm: RegExp = /^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/;

/** The shortest length of a secret. A shorter one could be guessed, since nothing slows the guesses down. */
const minimumLength = 32;

/** The description of a secret, for errors. */
const form =
  `random text of at least ${minimumLength} characters (openssl rand -base64 32 prints it)`;

const algorithms = { alg: "dir", enc: "A256GCM" } as const;

/**
 * Creates a sealer: AES-256-GCM in a JWE (RFC 7516).
 *
 * @param argument The name of the secrets in errors.
 * @param purpose The purpose of the values. A value that was sealed for another purpose does not open.
 * @throws {TypeError} If a secret is wrong. The message never shows it.
 */
export function createSealer(argument: string, secrets: Secrets, purpose: string): Sealer {
  const [newest, ...older] = checkSecrets(argument, secrets);
  // The keys are derived when they are first needed, since Web Crypto is asynchronous. The keys are kept, not their promise: on
  // Workers, one request can't wait for another one's work.
  let made: [SealingKey, ...SealingKey[]] | undefined;
  const derive = (secret: string) => deriveKey(secret, purpose);
  const keys = async () => made ??= await Promise.all([derive(newest), ...older.map(derive)]);
  return {
    seal: async (name, value) => await seal(await keys(), name, value),
    open: async (name, sealedText) => await open(await keys(), name, sealedText),
  };
}

/** Creates a sealer with a random key of 256 bits. */
export function createKeySealer(key: Uint8Array): Sealer {
  const keys = [{ id: undefined, key }] as const;
  return {
    seal: (name, value) => seal(keys, name, value),
    open: (name, sealedText) => open(keys, name, sealedText),
  };
}

/** Checks the secrets, and returns a copy, so that a later change of the caller's list has no effect. */
function checkSecrets(argument: string, secrets: Secrets): [string, ...string[]] {
  if (typeof secrets === "string") return [checkLength(argument, secrets)];
  if (!Array.isArray(secrets) || secrets.length === 0) {
    throwBadArgument(argument, `${form}, or a list of such texts with the newest first`, secrets);
  }
  const [newest, ...older] = secrets;
  return [
    checkLength(`${argument}[0]`, newest),
    ...older.map((secret, index) => checkLength(`${argument}[${index + 1}]`, secret)),
  ];
}

function checkLength(argument: string, secret: unknown): string {
  if (typeof secret !== "string" || secret.length < minimumLength) {
    throwBadArgument(argument, form, secret);
  }
  return secret;
}

interface SealingKey {
  /** The id of the key, which is in the sealed text. It reveals nothing of the secret. A single key needs none. */
  readonly id: string | undefined;
  readonly key: CryptoKey | Uint8Array;
}

/** Derives a key for one purpose (HKDF, RFC 5869). The secret may also serve others. */
async function deriveKey(secret: string, purpose: string): Promise<SealingKey> {
  const usages: KeyUsage[] = ["deriveBits", "deriveKey"];
  const material = await crypto.subtle.importKey("raw", encode(secret), "HKDF", false, usages);
  const hkdf = (use: string) => ({
    name: "HKDF",
    hash: "SHA-256",
    salt: new Uint8Array(),
    info: encode(`@guildpass/sdk ${purpose}: ${use}`),
  });
  const id = new Uint8Array(await crypto.subtle.deriveBits(hkdf("key id"), material, 64));
  const aes = { name: "AES-GCM", length: 256 };
  const uses: KeyUsage[] = ["encrypt", "decrypt"];
  const key = await crypto.subtle.deriveKey(hkdf("key"), material, aes, false, uses);
  return { id: base64url.encode(id), key };
}

/** Encrypts a value together with its name, so that it opens under no other one. */
async function seal(
  [newest]: readonly [SealingKey, ...SealingKey[]],
  name: string,
  value: unknown,
): Promise<string> {
  const content = `{"name":${jsonText(name)},"value":${jsonText(value)}}`;
  return await new CompactEncrypt(encode(content))
    .setProtectedHeader({ ...algorithms, ...(newest.id && { kid: newest.id }) })
    .encrypt(newest.key);
}

/** Decrypts a sealed text. Returns `null` if it has another name, or no key fits. */
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
