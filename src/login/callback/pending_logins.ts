/**
 * Pending logins: each has a cookie of its own, so that logins in two tabs do not disturb each other.
 *
 * @module
 */

import { generateCodeVerifier, generateState } from "../../links/pkce.ts";
import { pendingLifetimeMs } from "../../http/waits.ts";
import { format, ofThisFormat } from "../../stores/names.ts";
import { sealedForm, type Sealer } from "../../stores/sealed.ts";
import {
  bytesInHeader,
  type Cookie,
  cookieCandidates,
  cookiesOf,
  freeHeaderBytes,
  isSetBy,
  maxCookieBytes,
  removeCookieHeader,
  setCookieHeader,
} from "../site/cookies.ts";
import { checkJson } from "../base/json_value.ts";
import type { PendingLogin, PendingLoginOptions } from "../base/pending_login.ts";
import { homeOf } from "../site/page_after_login.ts";
import type { Namespace } from "../site/namespace.ts";
import type { SiteAddress } from "../site/site_address.ts";

/**
 * The maximum number of cookies that one response removes, because proxies refuse long headers. It is also the maximum number of decrypted
 * cookies.
 */
const maxRemovals = 16;

/** The maximum length of a short page to return to. A short page is kept even if the application's own cookies leave no room for it. */
const maxShortPageLength = 100;

/** Returns a new pending login. */
export function newPendingLogin(state: string, options: PendingLoginOptions): PendingLogin {
  return {
    ...options,
    state,
    codeVerifier: generateCodeVerifier(),
    // The SDK of an Activity sends none.
    nonce: options.scope.includes("openid") && options.target !== null ? generateState() : "",
    startedAt: Date.now(),
  };
}

/** Encrypts a pending login, or only its start and its target. */
export async function sealPending(
  sealer: Sealer,
  name: string,
  pending: Pick<PendingLogin, "startedAt" | "target">,
): Promise<string> {
  return await sealer.seal(name, { ...pending, format });
}

/** Decrypts a pending login. Returns `null` after ten minutes, or if the name does not match. */
export async function openPending(
  sealer: Sealer,
  name: string,
  sealed: string,
): Promise<PendingLogin | null> {
  const pending = ofThisFormat<PendingLogin>(await sealer.open(name, sealed));
  const hasEnded = !pending || Date.now() >= pending.startedAt + pendingLifetimeMs;
  return hasEnded ? null : pending;
}

/** A pending login, and the `Set-Cookie` header that keeps it. */
interface SealedLogin {
  readonly pending: PendingLogin;
  readonly cookie: string;
}

/** Begins logins, and finds them again at the callback. */
export class PendingLogins {
  readonly #namespace: Namespace;
  readonly #sealer: Sealer;
  readonly #createState: () => string | Promise<string>;

  /** @param createState Creates a state. For a preview, the state contains its address. */
  constructor(
    namespace: Namespace,
    sealer: Sealer,
    createState: () => string | Promise<string> = generateState,
  ) {
    this.#namespace = namespace;
    this.#sealer = sealer;
    this.#createState = createState;
  }

  /**
   * Begins a login.
   *
   * @returns The login and its `Set-Cookie` headers, which also remove older pending logins to make room. If the page to return to does not
   * fit into the cookie, or beside the application's own cookies, the login forgets it, and keeps at most the home page of its frontend.
   * @throws {TypeError} If `data` is not a JSON value, or too long for a cookie together with the scopes.
   */
  async begin(
    request: Request,
    site: SiteAddress,
    options: PendingLoginOptions,
  ): Promise<{ readonly pending: PendingLogin; readonly cookies: readonly string[] }> {
    const { data, returnTo } = options;
    checkJson("data must be", data);
    const begun = await this.#create(site, options);
    const isLong = returnTo !== null && returnTo.length > maxShortPageLength &&
      this.#room(request, site, [begun.cookie]) < 0;
    const { pending, cookie } = isLong || begun.cookie.length > maxCookieBytes
      ? await this.#createShorter(site, options)
      : begun;
    return { pending, cookies: [...await this.makeRoom(request, site, [cookie]), cookie] };
  }

  /**
   * Returns `Set-Cookie` headers that keep the `Cookie` header of the browser's next request small. They remove the pending logins that are
   * expired or can't be decrypted, and the oldest ones. Without this, another site could lock a person out: it would begin many logins with
   * a long `returnTo`.
   *
   * @param added The other `Set-Cookie` headers of the response.
   */
  async makeRoom(request: Request, site: SiteAddress, added: readonly string[]): Promise<string[]> {
    const start = site.cookiePrefix + this.#namespace.pendingCookieStart;
    const cookies = cookiesOf(request, start)
      .filter((cookie) => !isSetBy(added, cookie) && this.#isPending(cookie, site));
    return cookies.length > 0
      ? await this.#removalsOf(cookies, site, this.#room(request, site, added))
      : [];
  }

  /**
   * Returns the `Set-Cookie` headers that remove pending logins.
   *
   * @param room The number of bytes that may stay.
   */
  async #removalsOf(
    cookies: readonly Cookie[],
    site: SiteAddress,
    room: number,
  ): Promise<string[]> {
    // Browsers send the newest cookies last.
    const opened = await Promise.all(
      cookies.slice(-maxRemovals).map(async (cookie) => {
        const name = cookie.name.slice(site.cookiePrefix.length);
        const pending = await openPending(this.#sealer, name, cookie.value);
        return { name, bytes: bytesInHeader(cookie), startedAt: pending?.startedAt ?? 0 };
      }),
    );
    const newestFirst = opened.sort((a, b) => b.startedAt - a.startedAt);
    const removed = new Set<string>();
    let totalBytes = 0;
    for (const { name, bytes, startedAt } of newestFirst) {
      totalBytes += bytes;
      if (startedAt === 0 || totalBytes > room) removed.add(name);
    }
    return [...removed].map((name) => removeCookieHeader(site, name));
  }

  /** Returns the pending login with a state, or `null` if this browser did not begin such a login in the last ten minutes. */
  async find(
    request: Request,
    site: SiteAddress,
    state: string | null,
  ): Promise<PendingLogin | null> {
    if (state === null) return null;
    const name = this.#namespace.pendingCookie(state);
    for (const value of cookieCandidates(request, site, name, sealedForm)) {
      const pending = await openPending(this.#sealer, name, value);
      if (pending?.state === state) return pending;
    }
    return null;
  }

  /** Returns true if a `Login` with another name began the login with this state in this browser. */
  isOfOtherLogin(request: Request, site: SiteAddress, state: string): boolean {
    return cookiesOf(request, site.cookiePrefix).some(({ name }) =>
      this.#namespace.isPendingCookieOfOther(name.slice(site.cookiePrefix.length), state)
    );
  }

  /** Returns the `Set-Cookie` header that removes a pending login. */
  removeHeader(site: SiteAddress, { state }: PendingLogin): string {
    return removeCookieHeader(site, this.#namespace.pendingCookie(state));
  }

  async #create(
    site: SiteAddress,
    { isSilent, ...options }: PendingLoginOptions,
  ): Promise<SealedLogin> {
    const pending = newPendingLogin(await this.#createState(), {
      ...options,
      ...(isSilent && { isSilent }),
    });
    const name = this.#namespace.pendingCookie(pending.state);
    const sealed = await sealPending(this.#sealer, name, pending);
    const cookie = setCookieHeader(site, name, sealed, pendingLifetimeMs / 1000);
    return { pending, cookie };
  }

  /** Begins a login without its page, since the visitor may have chosen a long address. */
  async #createShorter(site: SiteAddress, options: PendingLoginOptions): Promise<SealedLogin> {
    const returnTo = options.returnTo && homeOf(options.returnTo);
    const created = await this.#create(site, { ...options, returnTo });
    if (created.cookie.length <= maxCookieBytes) return created;
    throw new TypeError(
      "data and scope must fit in a cookie: store the data elsewhere and pass an id, or ask for fewer scopes",
    );
  }

  #isPending({ name }: Cookie, site: SiteAddress): boolean {
    return this.#namespace.isPendingCookie(name.slice(site.cookiePrefix.length));
  }

  /**
   * Returns the number of bytes that are free for pending logins in the browser's next `Cookie` header.
   *
   * @param added The `Set-Cookie` headers of the response.
   */
  #room(request: Request, site: SiteAddress, added: readonly string[]): number {
    const replaced = cookiesOf(request, site.cookiePrefix)
      .filter((cookie) => isSetBy(added, cookie) || this.#isPending(cookie, site));
    return freeHeaderBytes(request, added, replaced);
  }
}
