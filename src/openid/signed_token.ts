/**
 * Verifies the signature of a JSON Web Token with jose.
 *
 * @module
 */

import { JOSEError, JWSSignatureVerificationFailed } from "npm:jose@^6.0.0/errors";
import { compactVerify } from "npm:jose@^6.0.0/jws/compact/verify";

/** Verifies the RSA signature of a token. Returns the reason why it is refused, or `null` if the signature is right. */
export async function refusalOfSignature(
  token: string,
  { n, e }: { readonly n: string; readonly e: string },
  algorithm: string,
): Promise<"signature" | "malformed" | null> {
  try {
    await compactVerify(token, { kty: "RSA", n, e, alg: algorithm }, { algorithms: [algorithm] });
    return null;
  } catch (error) {
    // An error that is not jose's comes from Web Crypto: the key is unusable, so nothing is signed with it.
    const isWellFormed = !(error instanceof JOSEError) ||
      error instanceof JWSSignatureVerificationFailed;
    return isWellFormed ? "signature" : "malformed";
  }
}
