/**
 * A login that has been started: its state and its PKCE verifier, encrypted in a cookie until the browser comes back.
 *
 * Each attempt has its own cookie, so that two tabs can log in at the same time.
 *
 * @module
 */

import { EncryptJWT, jwtDecrypt } from "jose";
import { readCookie, setCookie } from "../../shared/cookies.ts";
import type { Env } from "./env.ts";

/** What has to be remembered of a login until it is finished. */
export interface Attempt {
  /** Ties the callback to the browser that started the login. */
  readonly state: string;
  /** Proves to the platform that the login is finished by whoever started it. */
  readonly codeVerifier: string;
}

/** How long somebody may take on the consent page, in seconds. */
const lifetime = 600;

const encryption = "A256GCM";

/** The `Set-Cookie` header that stores an attempt in the browser, which can neither read nor change it. */
export async function keepAttempt({ state, codeVerifier }: Attempt, env: Env): Promise<string> {
  const encrypted = await new EncryptJWT({ state, codeVerifier })
    .setProtectedHeader({ alg: "dir", enc: encryption })
    .setExpirationTime(`${lifetime}s`)
    .encrypt(await attemptKey(env));
  return setCookie(cookieName(state), encrypted, { maxAge: lifetime });
}

/** The attempt that a callback belongs to; `null` when this browser has not started it, or it has expired. */
export async function openAttempt(request: Request, env: Env): Promise<Attempt | null> {
  const encrypted = readCookie(request, cookieName(stateOf(request)));
  if (!encrypted) return null;
  try {
    const { payload } = await jwtDecrypt<Attempt>(encrypted, await attemptKey(env), {
      keyManagementAlgorithms: ["dir"],
      contentEncryptionAlgorithms: [encryption],
      requiredClaims: ["exp"],
    });
    return payload;
  } catch {
    // The cookie was changed, was encrypted with another key, or has expired: none of them counts as an attempt.
    return null;
  }
}

/** The `Set-Cookie` header that deletes the attempt of a callback, so that it can't be used again. */
export function forgetAttempt(request: Request): string {
  return setCookie(cookieName(stateOf(request)), "", { maxAge: 0 });
}

/** The key that encrypts attempts. It is derived for this purpose alone, so that `COOKIE_KEY` can be used for others. */
export async function attemptKey({ COOKIE_KEY }: Env): Promise<Uint8Array> {
  const encoder = new TextEncoder();
  const secret = await crypto.subtle.importKey("raw", encoder.encode(COOKIE_KEY), "HKDF", false, [
    "deriveBits",
  ]);
  const info = encoder.encode("login attempt");
  const derivation = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info };
  const bits = await crypto.subtle.deriveBits(derivation, secret, 256);
  return new Uint8Array(bits);
}

/**
 * The name has the first 16 characters of the state; the others are enough to keep it secret. Because of the prefix
 * `__Host-`, no other subdomain can set this cookie, with which it could log people in as somebody else. The prefix
 * requires the path `/`.
 */
function cookieName(state: string): string {
  return `__Host-login-${state.slice(0, 16)}`;
}

/** The state of a callback, without the characters that the name of a cookie can't have. */
function stateOf(request: Request): string {
  const state = new URL(request.url).searchParams.get("state") ?? "";
  return state.replaceAll(/[^\w-]/g, "");
}
