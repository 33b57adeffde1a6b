/**
 * Attempts to log in: each has a cookie of its own, so that two tabs do not get into each other's way.
 *
 * @module
 */

import { refuse } from "../core/arguments.ts";
import { generateCodeVerifier, generateState } from "../links/pkce.ts";
import type { Sealer } from "../stores/sealer.ts";
import { cookiesOf, mostCookieBytes, removeCookieHeader, setCookieHeader } from "./cookies.ts";
import type { SiteAddress } from "./site_address.ts";

/** What an attempt remembers from its start to its end. */
export interface Attempt {
  readonly state: string;
  readonly codeVerifier: string;
  readonly nonce: string;
  /** Where the person goes afterwards: a path of this site. */
  readonly returnTo: string;
  /** What the application gave to `start`: a JSON value. */
  readonly data: unknown;
  /** The id of the person whose earlier session is renewed, without asking them; `null` for any other login. */
  readonly renews: string | null;
  /** When it began, in milliseconds since the epoch. */
  readonly startedAt: number;
}

/** How long a person may take, in seconds. */
const lifetime = 600;

/** More open attempts than this only make the headers of every request longer. */
const mostAttempts = 8;

/**
 * How many bytes the cookies of all open attempts may have. Servers refuse requests whose cookies are longer than 8 KB, and others
 * need room too: a page elsewhere could begin one attempt after the other, each with a long page to return to, and so keep a
 * person out.
 */
const mostBytesInAll = 6000;

/** How many cookies one answer removes. Proxies refuse an answer with long headers. */
const mostRemoved = 16;

/** Which of the attempts it is: the part of its state that is in the name of its cookie. */
export function attemptId(state: string): string {
  return state.slice(0, 12);
}

/** Begins attempts, and finds them again. */
export class Attempts {
  readonly #sealer: Sealer;

  /** Takes what seals the cookies. */
  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  /**
   * Begins an attempt.
   *
   * @returns The attempt, and the `Set-Cookie` headers for it. They remove the oldest attempts when there are too many. Where there
   * is no room for the page to return to, it is `/`.
   * @throws {TypeError} When `data` is no JSON value, or too long for a cookie.
   */
  async begin(
    request: Request,
    site: SiteAddress,
    wanted: Pick<Attempt, "returnTo" | "data" | "renews">,
  ): Promise<{ readonly attempt: Attempt; readonly cookies: readonly string[] }> {
    const { data } = wanted;
    if (JSON.stringify(data) === undefined) refuse("data", "a JSON value", data);
    let { attempt, cookie } = await this.#make(site, wanted);
    // Visitors choose how long the address of the page is.
    if (cookie.length > mostCookieBytes) {
      ({ attempt, cookie } = await this.#make(site, { ...wanted, returnTo: "/" }));
    }
    if (cookie.length > mostCookieBytes) {
      throw new TypeError("data must fit into a cookie: keep it elsewhere, and pass an id");
    }
    const superfluous = await this.#superfluous(request, site, mostBytesInAll - cookie.length);
    return {
      attempt,
      cookies: [...superfluous.map((name) => removeCookieHeader(site, name)), cookie],
    };
  }

  /** The attempt that a state belongs to, if this browser has begun it and not long ago. */
  async find(request: Request, site: SiteAddress, state: string): Promise<Attempt | null> {
    const name = cookieName(state);
    // There may be several with one name: where no prefix keeps them away, somebody else may have set another one.
    for (const { value } of cookiesOf(request).filter(named(site, name))) {
      const attempt = await this.#open(name, value);
      if (attempt?.state === state) return attempt;
    }
    return null;
  }

  /** The `Set-Cookie` header that forgets an attempt. */
  forget(site: SiteAddress, { state }: Attempt): string {
    return removeCookieHeader(site, cookieName(state));
  }

  async #make(
    site: SiteAddress,
    { returnTo, data, renews }: Pick<Attempt, "returnTo" | "data" | "renews">,
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
   * The names of the cookies that are to go when another attempt begins: unreadable ones, and the oldest.
   *
   * @param room How many bytes the others may have.
   */
  async #superfluous(request: Request, site: SiteAddress, room: number): Promise<string[]> {
    const start = site.cookiePrefix + namePrefix;
    const found = await Promise.all(
      cookiesOf(request)
        .filter(({ name }) => name.startsWith(start))
        .map(async ({ name, value }) => {
          const ownName = name.slice(site.cookiePrefix.length);
          const attempt = await this.#open(ownName, value);
          const bytes = name.length + value.length;
          return { name: ownName, bytes, startedAt: attempt?.startedAt ?? 0 };
        }),
    );
    const newestFirst = found.sort((a, b) => b.startedAt - a.startedAt);
    const removed = new Set<string>();
    let bytesInAll = 0;
    for (const [index, { name, bytes, startedAt }] of newestFirst.entries()) {
      bytesInAll += bytes;
      const fits = index < mostAttempts - 1 && bytesInAll <= room;
      if (startedAt === 0 || !fits) removed.add(name);
    }
    return [...removed].slice(0, mostRemoved);
  }

  async #open(name: string, value: string): Promise<Attempt | null> {
    // What opens was sealed as an attempt, so it has the form of one.
    const attempt = await this.#sealer.open(name, value) as Attempt | null;
    const isOver = !attempt || Date.now() >= attempt.startedAt + lifetime * 1000;
    return isOver ? null : attempt;
  }
}

const namePrefix = "login-";

function cookieName(state: string): string {
  return namePrefix + attemptId(state);
}

function named(site: SiteAddress, wanted: string): (cookie: { readonly name: string }) => boolean {
  return ({ name }) => name === site.cookiePrefix + wanted;
}
