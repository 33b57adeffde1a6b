/**
 * A login that has been started: its state and its PKCE verifier, sealed in a cookie until the browser comes back.
 *
 * Each attempt has a cookie of its own, so that two tabs can log in at the same time.
 *
 * @module
 */

import { EncryptJWT, jwtDecrypt } from "jose";
import type { Env } from "./env.ts";
import { readCookie, setCookie } from "./http.ts";

/** What one login must remember. */
export interface Attempt {
  /** Ties the callback to the browser that started the login. */
  readonly state: string;
  /** Proves to the platform that whoever started the login is who finishes it. */
  readonly codeVerifier: string;
}

/** How long somebody may take on the consent page, in seconds. */
const lifetime = 600;

const encryption = "A256GCM";

/** The `Set-Cookie` header that keeps an attempt in the browser, which can neither read nor change it. */
export async function keepAttempt({ state, codeVerifier }: Attempt, env: Env): Promise<string> {
  const sealed = await new EncryptJWT({ state, codeVerifier })
    .setProtectedHeader({ alg: "dir", enc: encryption })
    .setExpirationTime(`${lifetime}s`)
    .encrypt(await attemptKey(env));
  return setCookie(cookieName(state), sealed, "/", lifetime);
}

/** The attempt that a callback says it belongs to; `null` when this browser has none such, or it has expired. */
export async function openAttempt(request: Request, env: Env): Promise<Attempt | null> {
  const sealed = readCookie(request, cookieName(stateOf(request)));
  if (!sealed) return null;
  try {
    const { payload } = await jwtDecrypt<Attempt>(sealed, await attemptKey(env), {
      keyManagementAlgorithms: ["dir"],
      contentEncryptionAlgorithms: [encryption],
      requiredClaims: ["exp"],
    });
    return payload;
  } catch {
    // Changed, sealed with another key, or too old: whichever it is, this browser has no attempt.
    return null;
  }
}

/** The `Set-Cookie` header that forgets the attempt of a callback, so that it can't be used again. */
export function forgetAttempt(request: Request): string {
  return setCookie(cookieName(stateOf(request)), "", "/", 0);
}

/** The key that attempts are sealed with: derived for this one purpose, so that the secret may serve others too. */
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
 * Named after the beginning of its state; the rest is enough of a secret. `__Host-` keeps other subdomains from planting
 * an attempt of their own here, which would log people in as somebody else; it demands the path `/`.
 */
function cookieName(state: string): string {
  return `__Host-login-${state.slice(0, 16)}`;
}

/** The state of a callback, reduced to characters that may stand in the name of a cookie. */
function stateOf(request: Request): string {
  const state = new URL(request.url).searchParams.get("state") ?? "";
  return state.replaceAll(/[^\w-]/g, "");
}
