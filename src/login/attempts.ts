/**
 * Login attempts: each has a cookie of its own, so that logins in two tabs do not disturb each other.
 *
 * @module
 */

import { throwBadArgument } from "../core/arguments.ts";
import { generateCodeVerifier, generateState } from "../links/pkce.ts";
import { sealedForm, type Sealer } from "../stores/sealer.ts";
import {
  bytesInHeader,
  type Cookie,
  cookieCandidates,
  cookieSetBy,
  cookiesOf,
  freeHeaderBytes,
  maxCookieBytes,
  removeCookieHeader,
  type SentCookies,
  sentCookies,
  setCookieHeader,
} from "./cookies.ts";
import { format, ofThisFormat } from "./format.ts";
import { homeOf } from "./local_path.ts";
import type { Names } from "./names.ts";
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
  /** The page to return to after the login: a path of this site, or the address of a page of a frontend. */
  readonly returnTo: string;
  /** The JSON value that the application gave to `start`. */
  readonly data: unknown;
  /** The scopes to ask for. */
  readonly scope: readonly string[];
  readonly purpose: Purpose;
  /** The bot that an earlier consent has added, when the person is asked once more for further scopes. */
  readonly bot?: AddedBot;
}

/** A bot that was added to a guild. */
export interface AddedBot {
  readonly guildId: string | null;
  /** The permissions of the bot's role, as a decimal string. */
  readonly permissions: `${bigint}` | null;
}

/**
 * The purpose of an attempt: to log anybody in, to renew the session of a person without asking, or to ask the person of a session for
 * further scopes.
 */
export type Purpose =
  | { readonly kind: "login" }
  | { readonly kind: "renewal" | "consent"; readonly userId: string };

/** The lifetime of an attempt, in milliseconds. */
export const attemptLifetime = 600_000;

/** The most cookies that one response removes, because proxies refuse long headers. No more are opened either. */
const maxRemovals = 16;

/** The longest page to return to that an attempt keeps when the application's own cookies leave no room for it. */
const shortPage = 100;

/** Begins attempts and finds them again at the callback. */
export class Attempts {
  readonly #names: Names;
  readonly #sealer: Sealer;

  constructor(names: Names, sealer: Sealer) {
    this.#names = names;
    this.#sealer = sealer;
  }

  /**
   * Begins an attempt.
   *
   * @returns The attempt and its `Set-Cookie` headers, which also remove attempts to make room. If the page to return to does not
   * fit into the cookie, or beside the application's own cookies, the attempt returns to the home page.
   * @throws {TypeError} If `data` is no JSON value, or too long for a cookie together with the scopes.
   */
  async begin(
    request: Request,
    site: SiteAddress,
    options: AttemptOptions,
  ): Promise<{ readonly attempt: Attempt; readonly cookies: readonly string[] }> {
    const { data, returnTo } = options;
    if (JSON.stringify(data) === undefined) throwBadArgument("data", "a JSON value", data);
    let { attempt, cookie } = await this.#create(site, options);
    const sent = sentCookies(request, site);
    const isLong = returnTo.length > shortPage && this.#nextCookies(sent, site, [cookie]).room < 0;
    if (isLong || cookie.length > maxCookieBytes) {
      // The visitor may have chosen a long address.
      ({ attempt, cookie } = await this.#create(site, { ...options, returnTo: homeOf(returnTo) }));
    }
    if (cookie.length > maxCookieBytes) {
      throw new TypeError(
        "data and scope must fit into a cookie: keep the data elsewhere, and pass an id; ask for fewer scopes",
      );
    }
    return { attempt, cookies: [...await this.#makeRoom(sent, site, [cookie]), cookie] };
  }

  /**
   * Returns the `Set-Cookie` headers that remove attempts so that the next request of the browser is not too large: those that do not
   * open, and the oldest ones. Without this, another site could begin many attempts with long pages to return to, and so lock a person
   * out.
   *
   * @param added The other `Set-Cookie` headers of the response.
   */
  async makeRoom(request: Request, site: SiteAddress, added: readonly string[]): Promise<string[]> {
    return await this.#makeRoom(sentCookies(request, site), site, added);
  }

  async #makeRoom(
    sent: SentCookies,
    site: SiteAddress,
    added: readonly string[],
  ): Promise<string[]> {
    const { attempts, room } = this.#nextCookies(sent, site, added);
    // Browsers send the newest cookies last.
    const opened = await Promise.all(
      attempts.slice(-maxRemovals).map(async (cookie) => {
        const name = cookie.name.slice(site.cookiePrefix.length);
        const attempt = await this.#open(name, cookie.value);
        return { name, bytes: bytesInHeader(cookie), startedAt: attempt?.startedAt ?? 0 };
      }),
    );
    const newestFirst = opened.sort((a, b) => b.startedAt - a.startedAt);
    const names = new Set<string>();
    let totalBytes = 0;
    for (const { name, bytes, startedAt } of newestFirst) {
      totalBytes += bytes;
      if (startedAt === 0 || totalBytes > room) names.add(name);
    }
    return [...names].map((name) => removeCookieHeader(site, name));
  }

  /** Returns the attempt with a state, or `null` if this browser has begun none in the last ten minutes. */
  async find(
    request: Request,
    site: SiteAddress,
    state: string | null,
  ): Promise<Attempt | null> {
    if (state === null) return null;
    const name = this.#names.attemptCookie(state);
    for (const value of cookieCandidates(request, site, name, sealedForm)) {
      const attempt = await this.#open(name, value);
      if (attempt?.state === state) return attempt;
    }
    return null;
  }

  /** Returns true if the cookies of a request have an attempt with this state that a login with another name began. */
  isOfOtherLogin(request: Request, site: SiteAddress, state: string): boolean {
    return cookiesOf(request, site.cookiePrefix).some(({ name }) =>
      this.#names.isOtherAttemptCookie(name.slice(site.cookiePrefix.length), state)
    );
  }

  /** Returns the `Set-Cookie` header that removes an attempt. */
  removeHeader(site: SiteAddress, { state }: Attempt): string {
    return removeCookieHeader(site, this.#names.attemptCookie(state));
  }

  async #create(
    site: SiteAddress,
    { returnTo, data, scope, purpose, bot }: AttemptOptions,
  ): Promise<{ readonly attempt: Attempt; readonly cookie: string }> {
    const attempt: Attempt = {
      state: generateState(),
      codeVerifier: generateCodeVerifier(),
      nonce: generateState(),
      returnTo,
      data,
      scope,
      purpose,
      ...(bot && { bot }),
      startedAt: Date.now(),
    };
    const name = this.#names.attemptCookie(attempt.state);
    const sealed = await this.#sealer.seal(name, { format, ...attempt });
    const cookie = setCookieHeader(site, name, sealed, attemptLifetime / 1000);
    return { attempt, cookie };
  }

  async #open(name: string, value: string): Promise<Attempt | null> {
    const attempt = ofThisFormat<Attempt>(await this.#sealer.open(name, value));
    const hasEnded = !attempt || Date.now() >= attempt.startedAt + attemptLifetime;
    return hasEnded ? null : attempt;
  }

  /**
   * Returns the cookies that the browser will send after a response.
   *
   * @param added The `Set-Cookie` headers of the response.
   * @returns The attempts among the cookies that were sent, and the bytes that remain for attempts.
   */
  #nextCookies(
    { own, bytes }: SentCookies,
    site: SiteAddress,
    added: readonly string[],
  ): { readonly attempts: readonly Cookie[]; readonly room: number } {
    const set = added.map(cookieSetBy);
    const isSet = ({ name }: Cookie) => set.some((cookie) => cookie.name === name);
    const isAttempt = ({ name }: Cookie) =>
      this.#names.isAttemptCookie(name.slice(site.cookiePrefix.length));
    const others = bytes - bytesInHeader(...own.filter((one) => isSet(one) || isAttempt(one)));
    return {
      attempts: own.filter((one) => !isSet(one) && isAttempt(one)),
      room: freeHeaderBytes(set) - others,
    };
  }
}
