/**
 * The session of somebody who is logged in: a random id in a cookie, everything else in KV.
 *
 * @module
 */

import type { TokenObj, UserObj } from "@guildpass/sdk";
import { base64url } from "jose";
import { readCookie, setCookie } from "../../shared/cookies.ts";
import type { Env } from "./env.ts";

/** Somebody who is logged in. */
export interface Session {
  readonly user: UserObj;
  /** A secret: it never leaves the server. */
  readonly accessToken: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** The longest session, in seconds; it also ends when the access token does. */
const longest = 24 * 60 * 60;

/** Because of the prefix, browsers refuse this cookie from any other host and over plain HTTP. */
const cookieName = "__Host-session";

/** Stores a new session, and returns the `Set-Cookie` header for it. */
export async function createSession(token: TokenObj, user: UserObj, env: Env): Promise<string> {
  const id = base64url.encode(crypto.getRandomValues(new Uint8Array(32)));
  const lifetime = Math.min(longest, token.expires_in ?? longest);
  const session: Session = {
    user,
    accessToken: token.access_token,
    expiresAt: Date.now() + lifetime * 1000,
  };
  await env.SESSIONS.put(await storageKey(id), JSON.stringify(session), {
    // KV accepts no less than a minute.
    expirationTtl: Math.max(60, lifetime),
  });
  return setCookie(cookieName, id, { maxAge: lifetime });
}

/** The session of whoever sent a request, or `null`. */
export async function readSession(request: Request, env: Env): Promise<Session | null> {
  const id = readCookie(request, cookieName);
  const stored = id && await env.SESSIONS.get(await storageKey(id));
  if (!stored) return null;
  const session = JSON.parse(stored) as Session;
  // KV may delete late, and its caches may keep what they have read for a while.
  return session.expiresAt > Date.now() ? session : null;
}

/** Deletes the session of whoever sent a request, and returns the `Set-Cookie` header that deletes its cookie. */
export async function endSession(request: Request, env: Env): Promise<string> {
  const id = readCookie(request, cookieName);
  if (id) await env.SESSIONS.delete(await storageKey(id));
  return setCookie(cookieName, "", { maxAge: 0 });
}

/** KV has only the digest of an id, so that nobody who can list the namespace finds an id to log in with. */
async function storageKey(id: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(id));
  return `session:${base64url.encode(new Uint8Array(digest))}`;
}
