/**
 * A login written by hand, with the checks of `Login`: a sealed cookie for each attempt, the state, PKCE, one exchange for each
 * code, answers that are bounded in bytes and time, a sealed cookie for the session, and no login in frames, scripts and prefetches.
 * A client speaks with the platform.
 *
 * @module
 */

import { application, cookieSecret } from "./platform.ts";

/** The part that speaks with the platform. */
export interface Client {
  /** Returns the link to the consent page. */
  link(state: string, codeVerifier: string): Promise<string>;
  /** Exchanges a code. */
  exchange(code: string, codeVerifier: string): Promise<Token>;
  /** Reads the person whom a token belongs to. */
  readUser(accessToken: string): Promise<PlatformUser>;
}

/** A token. */
export interface Token {
  readonly accessToken: string;
  /** Seconds. */
  readonly expiresIn: number;
}

/** A person on the platform. */
export interface PlatformUser {
  readonly id: string;
  readonly username: string;
  readonly global_name: string | null;
  readonly avatar: string | null;
}

/** A Worker. */
export interface Worker {
  fetch(request: Request): Promise<Response>;
}

/** The content of the cookie of an attempt. */
interface Attempt {
  readonly state: string;
  readonly codeVerifier: string;
  readonly returnTo: string;
  readonly startedAt: number;
}

/** The content of the cookie of a session. */
interface Session {
  readonly user: PlatformUser;
  readonly startedAt: number;
  readonly endsAt: number;
}

/** The progress of an attempt whose callback was opened. */
interface Progress {
  readonly expiresAt: number;
  /** The answer to the callback, for a visitor who opens it again; `null` while the code is being exchanged. */
  outcome: { readonly cookies: readonly string[]; readonly location: string } | null;
  failed: boolean;
}

const { origin } = new URL(application.redirectUri);
const attemptLifetime = 600;
const longestSession = 30 * 86_400;
const maxAttempts = 8;
const maxProgress = 10_000;
const sessionCookie = "__Host-session";
const attemptPrefix = "__Host-login.";
const sealedForm = /^[\w-]{40,4000}$/;
const codeForm = /^[\w.~+/:=-]{1,2048}$/;

/** Creates a Worker that logs people in with a client. */
export function createWorker(client: Client): Worker {
  const progressOf = new Map<string, Progress>();

  return {
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (request.method !== "GET") return page("Not allowed", 405);
      try {
        if (pathname === "/login") return await start(request);
        if (pathname === "/callback") return await finish(request);
        return await home(request);
      } catch {
        return page("The login has failed. Please try again.", 502);
      }
    },
  };

  async function start(request: Request): Promise<Response> {
    const { headers } = request;
    const destination = headers.get("sec-fetch-dest");
    const isFrame = destination !== null && /frame|embed|object/.test(destination);
    if (isFrame && headers.get("sec-fetch-site") !== "same-origin") return page("No frame", 403);
    if (headers.get("sec-purpose")?.includes("prefetch")) return page("No prefetch", 403);
    if (destination !== null && !isFrame && destination !== "document") {
      return page("Log in first", 401);
    }
    const attempt = {
      state: randomText(),
      codeVerifier: randomText(),
      returnTo: localPath(new URL(request.url).searchParams.get("returnTo")),
      startedAt: Date.now(),
    };
    const name = attemptPrefix + attempt.state.slice(0, 16);
    const older = cookiesOf(request).filter(([other]) => other.startsWith(attemptPrefix));
    const removed = older.slice(0, Math.max(0, older.length - maxAttempts + 1));
    return redirect(await client.link(attempt.state, attempt.codeVerifier), [
      ...removed.map(([other]) => setCookie(other, "", 0)),
      setCookie(name, await seal(name, attempt), attemptLifetime),
    ]);
  }

  async function finish(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url);
    const state = searchParams.get("state") ?? "";
    const attempt = await findAttempt(request, state);
    if (!attempt) return page("This browser has begun no such login.", 400);
    if (["code", "state"].some((name) => searchParams.getAll(name).length > 1)) {
      return page("The answer of the platform can't be read.", 400);
    }
    const removal = setCookie(attemptPrefix + state.slice(0, 16), "", 0);
    if (searchParams.has("error")) return page("The login was cancelled.", 400, [removal]);
    const code = searchParams.get("code") ?? "";
    if (!codeForm.test(code)) return page("The answer of the platform can't be read.", 400);
    const { cookies, location } = await completeOnce(attempt, code);
    return redirect(location, [removal, ...cookies]);
  }

  /** Completes an attempt, or returns what another request with its callback has completed. */
  async function completeOnce(attempt: Attempt, code: string) {
    for (let polls = 0; polls < 100; polls++) {
      const progress = progressOf.get(attempt.state);
      if (!progress) return await complete(attempt, code);
      if (progress.outcome) return progress.outcome;
      if (progress.failed) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error("The code was used");
  }

  async function complete(attempt: Attempt, code: string) {
    const now = Date.now();
    const expiresAt = now + attemptLifetime * 1000;
    const progress: Progress = { expiresAt, outcome: null, failed: false };
    removeOldProgress(now);
    progressOf.set(attempt.state, progress);
    try {
      const { accessToken, expiresIn } = await client.exchange(code, attempt.codeVerifier);
      const { id, username, global_name, avatar } = await client.readUser(accessToken);
      const startedAt = Date.now();
      const seconds = Math.min(expiresIn, longestSession);
      const session: Session = {
        user: { id, username, global_name, avatar },
        startedAt,
        endsAt: startedAt + seconds * 1000,
      };
      const cookies = [setCookie(sessionCookie, await seal(sessionCookie, session), seconds)];
      return progress.outcome = { cookies, location: origin + attempt.returnTo };
    } catch (error) {
      progress.failed = true;
      throw error;
    }
  }

  function removeOldProgress(now: number): void {
    for (const [state, { expiresAt }] of progressOf) {
      if (expiresAt > now && progressOf.size < maxProgress) break;
      progressOf.delete(state);
    }
  }
}

async function home(request: Request): Promise<Response> {
  for (const value of cookieValues(request, sessionCookie)) {
    const session = await open<Session>(sessionCookie, value);
    if (session && session.endsAt > Date.now()) return page(`Hello, ${session.user.username}`);
  }
  return page("Welcome");
}

async function findAttempt(request: Request, state: string): Promise<Attempt | null> {
  const name = attemptPrefix + state.slice(0, 16);
  for (const value of cookieValues(request, name)) {
    const attempt = await open<Attempt>(name, value);
    const isOver = !attempt || attempt.startedAt + attemptLifetime * 1000 <= Date.now();
    if (!isOver && attempt.state === state) return attempt;
  }
  return null;
}

/** Returns the path of an address of this site, and `/` for any other one. */
function localPath(address: string | null): string {
  if (address === null || !address.startsWith("/") || /[\\\p{Cc}]/u.test(address)) return "/";
  if (!URL.canParse(address, origin)) return "/";
  const url = new URL(address, origin);
  const path = url.pathname + url.search + url.hash;
  const isLocal = url.origin === origin && !path.startsWith("//") && path.length <= 1024;
  return isLocal && !["/login", "/callback"].includes(url.pathname) ? path : "/";
}

function cookiesOf(request: Request): [name: string, value: string][] {
  return (request.headers.get("cookie") ?? "").split("; ").map((pair) => {
    const separator = pair.indexOf("=");
    return [pair.slice(0, Math.max(separator, 0)), pair.slice(separator + 1)];
  });
}

function cookieValues(request: Request, name: string): string[] {
  return cookiesOf(request)
    .filter(([other, value]) => other === name && sealedForm.test(value))
    .map(([, value]) => value)
    .slice(0, 5);
}

function setCookie(name: string, value: string, maxAge: number): string {
  return `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; Secure; SameSite=Lax`;
}

function redirect(location: string, cookies: readonly string[]): Response {
  const response = page("", 302, cookies);
  response.headers.set("location", location);
  return response;
}

function page(text: string, status = 200, cookies: readonly string[] = []): Response {
  const headers = new Headers({ "cache-control": "no-store", "referrer-policy": "no-referrer" });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(text, { status, headers });
}

let sealingKey: CryptoKey | undefined;

async function keyOfCookies(): Promise<CryptoKey> {
  const secret = new TextEncoder().encode(cookieSecret);
  const material = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveKey"]);
  const info = new TextEncoder().encode("cookies");
  const hkdf = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info };
  const aes = { name: "AES-GCM", length: 256 };
  return await crypto.subtle.deriveKey(hkdf, material, aes, false, ["encrypt", "decrypt"]);
}

/** Encrypts a value for a cookie. It opens under the name of that cookie only. */
async function seal(name: string, value: unknown): Promise<string> {
  const key = sealingKey ??= await keyOfCookies();
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const text = new TextEncoder().encode(JSON.stringify(value));
  const sealed = await crypto.subtle.encrypt(algorithm(name, iv), key, text);
  const bytes = new Uint8Array(iv.length + sealed.byteLength);
  bytes.set(iv);
  bytes.set(new Uint8Array(sealed), iv.length);
  return toBase64Url(bytes);
}

async function open<Value>(name: string, text: string): Promise<Value | null> {
  const key = sealingKey ??= await keyOfCookies();
  try {
    const bytes = Uint8Array.from(
      atob(text.replaceAll("-", "+").replaceAll("_", "/")),
      (character) => character.charCodeAt(0),
    );
    const iv = bytes.slice(0, 12);
    const opened = await crypto.subtle.decrypt(algorithm(name, iv), key, bytes.slice(12));
    return JSON.parse(new TextDecoder().decode(opened));
  } catch {
    return null;
  }
}

function algorithm(name: string, iv: Uint8Array<ArrayBuffer>): AesGcmParams {
  return { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(name) };
}

function randomText(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}

/** Returns bytes as base64url, without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
