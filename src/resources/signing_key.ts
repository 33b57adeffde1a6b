/**
 * Reads the public keys that verify the platform's signatures.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import { freeze } from "../core/freeze.ts";
import { readPayload, type Report } from "./reading.ts";
import { looseObject, orNull, type Schema, text } from "./schemas.ts";

/** A public RSA key of the platform, of 2048 bits or more. */
export interface SigningKey {
  /** The key id, which the header of a signed token names. */
  readonly kid: string | null;
  /** The modulus, in base64url. */
  readonly n: string;
  /** The exponent, in base64url. */
  readonly e: string;
}

/** Creates the schema of the list of keys. A key that is not a valid RSA key is left out. */
function signingKeysSchema(): Schema<{ readonly keys: readonly SentKey[] }> {
  return looseObject({ keys: v.array(sentKeySchema()) }, "The list of signing keys");
}

/** A key as the platform sends it (RFC 7517 section 4). */
interface SentKey extends SigningKey {
  readonly kty: string;
  readonly use: string | null;
  readonly alg: string | null;
}

function sentKeySchema(): Schema<SentKey> {
  return looseObject({
    kty: v.literal("RSA", "RSA"),
    // An RS256 modulus has at least 2048 bits (RFC 7518 section 3.3): 342 characters of base64url.
    n: text(/^[\w-]{342,}$/, "a modulus of 2048 bits or more"),
    // Not below 65537 (`AQAB`): no fewer than three bytes, no leading zeros (`AA` to `AP`), and not 65536 (`AQAA`).
    e: text(/^(?!A[A-P]|AQAA$)[\w-]{4,}$/, "an exponent of 65537 or more"),
    kid: orNull(v.string()),
    use: orNull(v.string()),
    alg: orNull(v.string()),
  });
}

/**
 * Reads the response to `GET /oauth2/keys`.
 *
 * @throws {PayloadError} If the list of keys is missing.
 */
export function toSigningKeys(payload: unknown, report: Report): readonly SigningKey[] {
  const { keys } = readPayload(signingKeysSchema, payload, report);
  const usable = keys.filter(({ use, alg }) =>
    (use ?? "sig") === "sig" && (alg ?? "RS256") === "RS256"
  );
  // Other fields are removed, such as a private key that was published by mistake.
  return freeze(usable.map(({ kid, n, e }) => ({ kid, n, e })));
}
