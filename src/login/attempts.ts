/**
 * Login attempts: each has a cookie of its own, so that logins in two tabs do not disturb each other.
 *
 * @module
 */

import { throwBadArgument } from "../core/arguments.ts";
import { generateCodeVerifier, generateState } from "../links/pkce.ts";
import type { Sealer } from "../stores/sealer.ts";
import { cookiesOf, maxCookieBytes, removeCookieHeader, setCookieHeader } from "./cookies.ts";
import type { SiteAddress } from "./site_address.ts";

/** The data of a login attempt, from its start to its callback. */
export interface Attempt extends AttemptOptions {
  readonly state: string;
  readonly codeVerifier: string;
  readonly nonce: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/** Options of {@link Attempts.begin}. */
export interface AttemptOptions {
  /** The page to return to after the login: a path of this site. */
  readonly returnTo: string;
  /** The JSON value that the application gave to `start`. */
  readonly data: unknown;
  /** The id of the person whose session is renewed without asking, or `null`. */
  readonly renews: string | null;
}

/** The lifetime of an attempt, in seconds. */
const lifetime = 600;

/** The most open attempts of a browser. */
const maxAttempts = 8;

/**
 * The most bytes in the cookies of all open attempts. Servers refuse requests with more than 8 KB of cookies, and the application
 * has cookies too. Without this limit, another site could begin many attempts with long pages to return to, and so lock a person
 * out.
 */
const maxTotalBytes = 6000;

/** The most cookies that one response removes, because proxies refuse long headers. */
const maxRemovals = 16;

/** The start of every attempt's cookie name. */
const namePrefix = "login-";

/** Begins attempts and finds them again at the callback. */
export class Attempts {
  readonly #sealer: Sealer;

  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  /**
   * Begins an attempt.
   *
   * @returns The attempt and its `Set-Cookie` headers, which also remove the oldest attempts when there are too many. If the page to
   * return to does not fit into the cookie, the attempt returns to `/`.
   * @throws {TypeError} If `data` is no JSON value, or too long for a cookie.
   */
  async begin(
    request: Request,
    site: SiteAddress,
    options: AttemptOptions,
  ): Promise<{ readonly attempt: Attempt; readonly cookies: readonly string[] }> {
    const { data } = options;
    if (JSON.stringify(data) === undefined) throwBadArgument("data", "a JSON value", data);
    let { attempt, cookie } = await this.#create(site, options);
    if (cookie.length > maxCookieBytes) {
      // The visitor may have chosen a long address.
      ({ attempt, cookie } = await this.#create(site, { ...options, returnTo: "/" }));
    }
    if (cookie.length > maxCookieBytes) {
      throw new TypeError("data must fit into a cookie: keep it elsewhere, and pass an id");
    }
    const removed = await this.#namesToRemove(request, site, maxTotalBytes - cookie.length);
    return {
      attempt,
      cookies: [...removed.map((name) => removeCookieHeader(site, name)), cookie],
    };
  }

  /** Returns the attempt with a state, or `null` if this browser has begun none in the last ten minutes. */
  async find(
    request: Request,
    site: SiteAddress,
    state: string | null,
  ): Promise<Attempt | null> {
    if (state === null) return null;
    const name = cookieName(state);
    const fullName = site.cookiePrefix + name;
    // Over plain HTTP, where no prefix protects the name, other sites on this host may have set cookies with this name too.
    for (const cookie of cookiesOf(request).filter((cookie) => cookie.name === fullName)) {
      const attempt = await this.#open(name, cookie.value);
      if (attempt?.state === state) return attempt;
    }
    return null;
  }

  /** Returns the `Set-Cookie` header that removes an attempt. */
  removeHeader(site: SiteAddress, { state }: Attempt): string {
    return removeCookieHeader(site, cookieName(state));
  }

  async #create(
    site: SiteAddress,
    { returnTo, data, renews }: AttemptOptions,
  ): Promise<{ readonly attempt: Attempt; readonly cookie: string }> {
    const attempt: Attempt = {
      state: generateState(),
      codeVerifier: generateCodeVerifier(),
      nonce: generateState(),
      returnTo,
      data,
      renews,
      startedAt: Date.now(),
    };
    const name = cookieName(attempt.state);
    const cookie = setCookieHeader(site, name, await this.#sealer.seal(name, attempt), lifetime);
    return { attempt, cookie };
  }

  /**
   * Returns the names of the cookies to remove before another attempt begins: all that do not open, and the oldest attempts.
   *
   * @param room The most bytes that the other cookies may have.
   */
  async #namesToRemove(request: Request, site: SiteAddress, room: number): Promise<string[]> {
    const start = site.cookiePrefix + namePrefix;
    const found = await Promise.all(
      cookiesOf(request)
        .filter(({ name }) => name.startsWith(start))
        .map(async (cookie) => {
          const name = cookie.name.slice(site.cookiePrefix.length);
          const attempt = await this.#open(name, cookie.value);
          const bytes = cookie.name.length + cookie.value.length;
          return { name, bytes, startedAt: attempt?.startedAt ?? 0 };
        }),
    );
    const newestFirst = found.sort((a, b) => b.startedAt - a.startedAt);
    const names = new Set<string>();
    let totalBytes = 0;
    for (const [index, { name, bytes, startedAt }] of newestFirst.entries()) {
      totalBytes += bytes;
      const fits = index < maxAttempts - 1 && totalBytes <= room;
      if (startedAt === 0 || !fits) names.add(name);
    }
    return [...names].slice(0, maxRemovals);
  }

  async #open(name: string, value: string): Promise<Attempt | null> {
    // A value that opens was sealed as an attempt, so it has this type.
    const attempt = await this.#sealer.open(name, value) as Attempt | null;
    const hasEnded = !attempt || Date.now() >= attempt.startedAt + lifetime * 1000;
    return hasEnded ? null : attempt;
  }
}

/** Returns the name of an attempt's cookie, without the prefix of the site. It has the start of the state, because the whole state is a secret. */
function cookieName(state: string): string {
  return namePrefix + state.slice(0, 12);
}
