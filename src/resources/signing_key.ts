/**
 * Reads the public keys that verify the platform's signatures.
 *
 * @module
 */

import { freeze } from "../core/freeze.ts";
import { readPayload, type Report } from "./reading.ts";
import { type ObjectShape, string, text, type ValueShape } from "./shapes.ts";

/** A public RSA key of the platform, of 2048 bits or more. */
export interface SigningKey {
  /** The key id, which the header of a signed token names. */
  readonly kid: string | null;
  /** The modulus, in base64url. */
  readonly n: string;
  /** The exponent, in base64url. */
  readonly e: string;
}

/** A key as the platform sends it (RFC 7517 section 4). */
interface SentKey extends SigningKey {
  readonly kty: string;
  readonly use: string | null;
  readonly alg: string | null;
}

const rsa: ValueShape<string> = { expected: "RSA", createSchema: () => text(/^RSA$/) };

/** An RS256 modulus has at least 2048 bits (RFC 7518 section 3.3): 342 characters of base64url. */
const modulus: ValueShape<string> = {
  expected: "a modulus of 2048 bits or more",
  createSchema: () => text(/^[\w-]{342,}$/),
};

/** Refuses exponents below 65537 (`AQAB`): fewer than three bytes, leading zeros (`AA` to `AP`), and 65536 (`AQAA`). */
const exponent: ValueShape<string> = {
  expected: "an exponent of 65537 or more",
  createSchema: () => text(/^(?!A[A-P]|AQAA$)[\w-]{4,}$/),
};

/** The shape of the list of keys. It leaves out every key that is not a valid RSA key. @internal */
const signingKeys: ObjectShape<{ readonly keys: readonly SentKey[] }> = {
  name: "The list of signing keys",
  required: {
    keys: {
      entry: {
        required: { kty: rsa, n: modulus, e: exponent },
        optional: { kid: string, use: string, alg: string },
      } satisfies ObjectShape<SentKey>,
    },
  },
};

/**
 * Reads the response to `GET /oauth2/keys`.
 *
 * @throws {PayloadError} If the list of keys is missing.
 */
export function toSigningKeys(payload: unknown, report: Report): readonly SigningKey[] {
  const { keys } = readPayload(signingKeys, payload, report);
  const usable = keys.filter(({ use, alg }) =>
    (use ?? "sig") === "sig" && (alg ?? "RS256") === "RS256"
  );
  // Other fields are removed, such as a private key that was published by mistake.
  return freeze(usable.map(({ kid, n, e }) => ({ kid, n, e })));
}
