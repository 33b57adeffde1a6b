/**
 * Verifies an `id_token` of OpenID Connect.
 *
 * @module
 */

import { JOSEError, JWSSignatureVerificationFailed } from "npm:jose@^6.0.0/errors";
import { compactVerify } from "npm:jose@^6.0.0/jws/compact/verify";
import { checkSecret, checkSetting, checkSnowflake, throwBadArgument } from "../core/arguments.ts";
import { fromBase64Url, toBase64Url } from "../core/base64url.ts";
import { GuildpassError } from "../core/errors.ts";
import { IdTokenError, type IdTokenErrorReason } from "../core/signature_errors.ts";
import { discord, readPlatform } from "../links/platform.ts";
import {
  type CallOptions,
  checkClientOptionNames,
  type ClientOptions,
  createReport,
  type NamesOf,
} from "../http/options.ts";
import { clockDifferenceMs } from "../http/waits.ts";
import { type IdTokenClaims, idTokenClaimsSchema, type SigningKey } from "../resources/openid.ts";
import { readPayload } from "../resources/reading.ts";
import { createKeyReader } from "./signing_keys.ts";

/** Options of {@link verifyIdToken}. */
export interface VerifyIdTokenOptions extends ClientOptions, CallOptions {
  /** The application's client id. The token must have been issued for it. */
  readonly clientId: string;
  /** The nonce of the authorization URL. The token must have the same nonce, or no nonce if this option is left out. */
  readonly nonce?: string | null | undefined;
  /** The access token issued with the `id_token`. If the `id_token` has the claim `at_hash`, the access token must match it. */
  readonly accessToken?: string | null | undefined;
}

const ownOptions: NamesOf<VerifyIdTokenOptions, ClientOptions> = {
  clientId: true,
  nonce: true,
  accessToken: true,
  signal: true,
};

/** The algorithm of Discord's signatures, as in its discovery document. */
const algorithm = "RS256";

/** The allowed difference between the clocks of Discord and this machine. */
const leewaySeconds = clockDifferenceMs / 1000;

/** The maximum length of an `id_token`, in characters. Discord's tokens have less than a thousand. */
const maxLength = 16_384;

/**
 * Verifies an `id_token` and returns its claims. It checks the signature (RS256), the issuer, the audience, the nonce and the expiry.
 * Clocks may differ by a minute.
 *
 * Discord's keys are read once an hour, and again for a token with an unknown key, at most every 30 seconds. If that
 * fails, tokens that need a request fail with the same error for ten seconds.
 *
 * @example
 * ```ts
 * import {
 *   AuthUrl,
 *   generateState,
 *   parseCallback,
 *   PlatformApi,
 * } from "@guildpass/sdk";
 * import { verifyIdToken } from "@guildpass/sdk/openid";
 * import {
 *   createFakePlatform,
 *   sampleApplication,
 * } from "@guildpass/sdk/testing";
 *
 * const fake = createFakePlatform();
 * const { id: clientId, secret } = sampleApplication;
 * const redirectUri = "https://app.example/callback";
 * // Keep both for this login, as in a cookie.
 * const [state, nonce] = [generateState(), generateState()];
 * const login = new AuthUrl(
 *   clientId,
 *   ["openid"],
 *   redirectUri,
 *   null,
 *   fake,
 * );
 * const link = await login.makeUrl({ state, nonce });
 * const { code } = parseCallback(
 *   await fake.authorize(link, { as: "ada" }),
 *   { state },
 * );
 *
 * const token = await new PlatformApi(
 *   clientId,
 *   secret,
 *   ["openid"],
 *   redirectUri,
 *   fake,
 * ).accessToken(code);
 * const { id_token, access_token: accessToken } = token;
 * const claims = await verifyIdToken(id_token, {
 *   ...fake,
 *   clientId,
 *   nonce,
 *   accessToken,
 * });
 * claims.sub; // "1000000000000000001"
 * ```
 *
 * @param idToken The `id_token` of the token response. `null`, as without the scope `openid`, is refused like a forged token.
 * @param options The `clientId`, the `nonce`, and other options.
 * @throws {IdTokenError} If the token is forged, expired, or not for this application or this login.
 * @throws {TypeError} If an argument is wrong.
 * @throws {NetworkError} If no complete response with the keys arrives; {@link TimeoutError} if none arrives within `timeout`.
 * @throws {ApiError} If Discord rejects the request for its keys; {@link RateLimitError} on 429.
 * @throws {PayloadError} If the response does not have a list of keys, or a signed claim can't be read.
 * @throws The reason of the `signal` if it fires.
 * @see {@link https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation | OpenID Connect Core section 3.1.3.7}
 */
export async function verifyIdToken(
  idToken: string | null,
  options: VerifyIdTokenOptions,
): Promise<IdTokenClaims> {
  const expected = readExpectedClaims(options);
  if (idToken !== null && typeof idToken !== "string") {
    throwBadArgument("idToken", "the id_token of a token response", idToken);
  }
  const keys = createKeyReader(options);

  const { token, kid, claims } = readUnverified(idToken);
  const key = findKey(kid, await keys.read()) ?? findKey(kid, await keys.readAgain());
  if (!key) throw idTokenError("unknown_key");
  const refusal = await refusalOfSignature(token, key, algorithm);
  if (refusal) throw idTokenError(refusal);
  await checkClaims(claims, expected);
  const report = createReport(options.onUnexpected, { method: "POST", path: "/oauth2/token" });
  return readPayload(idTokenClaimsSchema, claims, report);
}

/**
 * Checks the `id_token` of a token response that came from Discord over TLS. It works like `verifyIdToken`, but does not check
 * the signature if Discord's keys can't be read.
 *
 * @returns The id of the person in the token.
 * @throws {IdTokenError} If the token is missing, forged, expired, or not for this application or this login.
 * @throws {TypeError} If an option is wrong.
 * @throws The reason of the `signal` if it fires.
 */
export async function checkIdToken(
  idToken: string | null,
  options: VerifyIdTokenOptions,
): Promise<string> {
  try {
    return (await verifyIdToken(idToken, options)).sub;
  } catch (error) {
    const isAboutKeys = error instanceof GuildpassError && !(error instanceof IdTokenError);
    if (!isAboutKeys) throw error;
  }
  const { claims } = readUnverified(idToken);
  return await checkClaims(claims, readExpectedClaims(options));
}

/** The values that the claims of a token must have. */
interface ExpectedClaims {
  readonly issuer: string;
  readonly clientId: string;
  /** The nonce of the authorization URL, or `null` without a nonce. */
  readonly nonce: string | null;
  /** The access token issued with the `id_token`, to compare with `at_hash`; `null` to skip that check. */
  readonly accessToken: string | null;
}

function readExpectedClaims(options: VerifyIdTokenOptions): ExpectedClaims {
  // Not by `instanceof`, since the object may come from another realm.
  if (typeof options !== "object" || options === null) {
    throwBadArgument("options", "an object with the clientId", options);
  }
  // A check that is misspelled, such as the nonce, would be left out.
  checkClientOptionNames(options, ownOptions);
  const { clientId, nonce = null, accessToken = null } = options;
  checkSetting("clientId", clientId);
  checkSnowflake("clientId", clientId);
  if (nonce !== null && (typeof nonce !== "string" || nonce === "")) {
    throwBadArgument("nonce", "text", nonce);
  }
  if (accessToken !== null) checkSecret("accessToken", accessToken);
  const { issuer } = readPlatform(options.platform) ?? discord;
  if (typeof issuer !== "string" || issuer === "") {
    throwBadArgument("platform.issuer", "text", issuer);
  }
  return { issuer, clientId, nonce, accessToken };
}

/** The header and the claims of a token, which may be forged. */
interface UnverifiedToken {
  readonly token: string;
  readonly kid: unknown;
  readonly claims: Claims;
}

type Claims = Readonly<Record<string, unknown>>;

/** Reads a token without a key, and checks its algorithm. */
function readUnverified(token: string | null): UnverifiedToken {
  if (token === null) throw idTokenError("missing");
  if (token.length > maxLength) throw idTokenError("malformed");
  const [header, claims] = token.split(".", 2).map(readPart);
  if (!header) throw idTokenError("malformed");
  const { alg, kid } = header;
  // If a token could choose its algorithm, a forger would sign with the public key as a shared secret, or not at all.
  if (alg !== algorithm) throw idTokenError("algorithm");
  if (!claims) throw idTokenError("malformed");
  return { token, kid, claims };
}

/** Returns the JSON object in a part of a token, or `null` if there is none. */
function readPart(part: string): Claims | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(fromBase64Url(part)));
    return typeof value === "object" ? value as Claims | null : null;
  } catch {
    return null;
  }
}

/** Finds the key that a token names. A token without a key id must be signed with Discord's only key. */
function findKey(kid: unknown, keys: readonly SigningKey[]): SigningKey | undefined {
  const [only, ...others] = keys;
  if (kid === undefined && others.length === 0) return only;
  return keys.find((key) => key.kid === kid);
}

/** Checks the claims of a token, and returns the id of the person. */
async function checkClaims(claims: Claims, expected: ExpectedClaims): Promise<string> {
  const { iss, sub, aud, azp, exp, iat, nbf, nonce = null } = claims;
  const { issuer, clientId, accessToken } = expected;
  const now = Math.floor(Date.now() / 1000);
  const isFuture = (time: unknown) => typeof time === "number" && time > now - leewaySeconds;
  const isPast = (time: unknown) => typeof time === "number" && time <= now + leewaySeconds;
  const audiences: readonly unknown[] = [aud].flat();
  const isRight = {
    iss: iss === issuer,
    aud: audiences.includes(clientId),
    sub: typeof sub === "string" && sub !== "",
    exp: isFuture(exp),
    iat: isPast(iat),
    nbf: nbf === undefined || isPast(nbf),
    // A token with several audiences must name its authorized party.
    azp: azp === undefined ? audiences.length === 1 : azp === clientId,
    nonce: nonce === expected.nonce,
  };
  for (const claim of Object.keys(isRight) as (keyof typeof isRight)[]) {
    if (!isRight[claim]) throw claimError(claim);
  }
  if (accessToken !== null) await checkAccessToken(claims, accessToken);
  return sub as string;
}

/** Compares the access token with the claim `at_hash`, if the token has this claim (section 3.1.3.8). */
async function checkAccessToken({ at_hash }: Claims, accessToken: string): Promise<void> {
  if (at_hash === undefined) return;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(accessToken));
  const expected = toBase64Url(new Uint8Array(digest, 0, 16));
  if (at_hash !== expected) throw claimError("at_hash");
}

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

/** A claim that is checked. */
export type CheckedClaim =
  | "iss"
  | "aud"
  | "azp"
  | "sub"
  | "exp"
  | "iat"
  | "nbf"
  | "nonce"
  | "at_hash";

/** Creates the error for a token that is refused as a whole. */
export function idTokenError(reason: Exclude<IdTokenErrorReason, "claim">): IdTokenError {
  return errorOf(reason, { reason });
}

/** Creates the error for a wrong claim. It never shows the value of the claim. */
export function claimError(claim: CheckedClaim): IdTokenError {
  return errorOf(claim, { reason: "claim", claim });
}

function errorOf(
  cause: keyof typeof causes,
  options: { readonly reason: IdTokenErrorReason; readonly claim?: CheckedClaim },
): IdTokenError {
  const [found, hint] = causes[cause];
  return new IdTokenError(`The id_token was refused: ${found}`, { ...options, hint });
}

/** Why a token was refused, with a hint if the fix is known. */
type Cause = readonly [found: string, hint?: string];

const clockHint = "Verify it right after the login, and check this machine's clock";
const keyHint = "Check that platform is the one of the login";

const causes: Readonly<Record<Exclude<IdTokenErrorReason, "claim"> | CheckedClaim, Cause>> = {
  missing: [
    "it is missing",
    "Ask for the scope openid, which adds an id_token to the token response",
  ],
  malformed: ["it is not a signed JWT"],
  algorithm: ["it is not signed with RS256"],
  unknown_key: ["it is signed with a key that the platform does not have", keyHint],
  signature: ["its signature is not the platform's", keyHint],
  iss: ["it was not issued by the platform", "Check platform.issuer"],
  aud: ["it is for another application", "Check clientId"],
  azp: ["its authorized party is missing or another application"],
  sub: ["it does not name a user"],
  exp: ["it has expired, or has no expiry", clockHint],
  iat: ["it was issued in the future, or has no time of issue", clockHint],
  nbf: ["it is not valid yet", clockHint],
  nonce: [
    "it belongs to another login: its nonce is not the expected one",
    "Pass the nonce of the authorization URL; if it was passed, start a new login",
  ],
  at_hash: ["its at_hash does not match the access token"],
};
