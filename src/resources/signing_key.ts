/**
 * The keys that the platform signs with.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import { freeze, readAnswer, type Report } from "./reading.ts";
import { list, object, optional, required, type Shape, string } from "./shapes.ts";

/** A public key that the platform signs with: RSA, of at least 2048 bits. */
export interface SigningKey {
  /** What a signature names the key by. */
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

const rsa: Shape<string> = { expected: "RSA", schema: v.literal("RSA") };

/** 2048 bits, which RS256 needs at the least (RFC 7518 section 3.3), are 342 characters of base64url. */
const modulus: Shape<string> = {
  expected: "a modulus of 2048 bits or more",
  schema: v.pipe(v.string(), v.regex(/^[\w-]{342,}$/)),
};

const exponent: Shape<string> = {
  expected: "base64url",
  schema: v.pipe(v.string(), v.regex(/^[\w-]+$/)),
};

/** The shape of the list of keys. A key that is of another kind is left out. @internal */
export const signingKeys = object<{ readonly keys: readonly SentKey[] }>({
  keys: required(list(
    object<SentKey>({
      kty: required(rsa),
      n: required(modulus),
      e: required(exponent),
      kid: optional(string),
      use: optional(string),
      alg: optional(string),
    }),
  )),
});

/**
 * Reads the answer to `GET /oauth2/keys`.
 *
 * @throws {PayloadError} When it has no list of keys.
 */
export function toSigningKeys(payload: unknown, report: Report): readonly SigningKey[] {
  const { keys } = readAnswer("The list of signing keys", signingKeys, payload, report);
  const usable = keys.filter(({ use, alg }) =>
    (use ?? "sig") === "sig" && (alg ?? "RS256") === "RS256"
  );
  // Nothing else is kept, such as the private part of a key that was published by mistake.
  return freeze(usable.map(({ kid, n, e }) => ({ kid, n, e })));
}
