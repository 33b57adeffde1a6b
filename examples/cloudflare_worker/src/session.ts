/**
 * Who is logged in: a random id in a cookie, everything else in KV.
 *
 * @module
 */

import type { TokenObj, UserObj } from "@guildpass/sdk";
import { base64url } from "jose";
import type { Env } from "./env.ts";
import { readCookie, setCookie } from "./http.ts";

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

/** The prefix makes browsers refuse the cookie from any other host, and from a page that is not HTTPS. */
const cookieName = "__Host-session";

/** Keeps a new session, and gives the `Set-Cookie` header for it. */
export async function createSession(token: TokenObj, user: UserObj, env: Env): Promise<string> {
  const id = base64url.encode(crypto.getRandomValues(new Uint8Array(32)));
  const lifetime = Math.min(longest, token.expires_in);
  const session: Session = {
    user,
    accessToken: token.access_token,
    expiresAt: Date.now() + lifetime * 1000,
  };
  await env.SESSIONS.put(await storageKey(id), JSON.stringify(session), {
    // KV takes no less than a minute.
    expirationTtl: Math.max(60, lifetime),
  });
  return setCookie(cookieName, id, "/", lifetime);
}

/** The session of whoever sent a request, or `null`. */
export async function readSession(request: Request, env: Env): Promise<Session | null> {
  const id = readCookie(request, cookieName);
  const stored = id && await env.SESSIONS.get(await storageKey(id));
  if (!stored) return null;
  const session = JSON.parse(stored) as Session;
  // KV deletes when it gets round to it, and edges keep what they have read for a while.
  return session.expiresAt > Date.now() ? session : null;
}

/** Deletes the session of whoever sent a request, and gives the `Set-Cookie` header that takes its cookie away. */
export async function endSession(request: Request, env: Env): Promise<string> {
  const id = readCookie(request, cookieName);
  if (id) await env.SESSIONS.delete(await storageKey(id));
  return setCookie(cookieName, "", "/", 0);
}

/** The digest of an id: whoever can list the namespace learns no id that would log them in. */
async function storageKey(id: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(id));
  return `session:${base64url.encode(new Uint8Array(digest))}`;
}
