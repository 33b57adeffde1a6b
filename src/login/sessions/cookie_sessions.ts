/**
 * Sessions without a store: each is a sealed cookie.
 *
 * @module
 */

import { renewalPeriodSeconds } from "../../http/waits.ts";
import type { TokenObj } from "../../resources/token.ts";
import { format } from "../../stores/names.ts";
import { sealedForm, type Sealer } from "../../stores/sealed.ts";
import type { TokenApi } from "../../tokens/token_api.ts";
import { fromStoredToken, toStoredToken } from "../../tokens/token_record.ts";
import {
  cookieCandidates,
  maxCookieBytes,
  removeCookieHeader,
  setCookieHeader,
} from "../site/cookies.ts";
import { type ReportEvent, reportSessionEnd } from "../base/events.ts";
import type { CheckedLoginOptions } from "../site/checked_options.ts";
import type { Namespace } from "../site/namespace.ts";
import { endWithin, OpenedSessions, type SessionContent, wasAskedFor } from "./open_session.ts";
import type {
  Begun,
  CreatedSession,
  Decided,
  NewSession,
  SessionDraft,
  Sessions,
  SessionState,
  Visit,
} from "./session_storage.ts";
import type { SiteAddress } from "../site/site_address.ts";

/** The content of the cookie. */
interface CookieContent extends SessionContent {
  /** `null` without the option `keepToken`. */
  readonly token: TokenObj | null;
}

/** A session that is to be sealed. */
interface CookieDraft extends SessionDraft {
  readonly site: SiteAddress;
  readonly login: NewSession;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** The open session that ends with the new one. */
  readonly replaced: CookieContent | null;
}

/** Options of {@link CookieSessions}. */
export interface CookieSessionsOptions
  extends Pick<CheckedLoginOptions, "keepToken" | "scope" | "maxAge"> {
  readonly namespace: Namespace;
  readonly sealer: Sealer;
  readonly api: Pick<TokenApi, "revoke">;
  /** `null` without the option `onEvent`. */
  readonly report: ReportEvent | null;
}

/** Keeps sessions in cookies. */
export class CookieSessions implements Sessions<CookieDraft> {
  readonly #options: CookieSessionsOptions;
  readonly #opened = new OpenedSessions<CookieContent>();

  constructor(options: CookieSessionsOptions) {
    this.#options = options;
  }

  /** See {@link Sessions.begin}. */
  async begin(visit: Visit, login: NewSession): Promise<Begun<CookieDraft>> {
    const { purpose, userId } = login;
    const found = await this.#read(visit);
    const previous = found && this.#toState(found);
    const isOpen = previous !== null && previous.session !== null;
    const continued = purpose !== "login" && found?.userId === userId ? found : null;
    // A renewal does not show a page, so it fails if the visitor has logged out or in meanwhile.
    const canContinue = continued !== null && (isOpen || purpose === "renewal");
    if (purpose !== "login" && !canContinue) return { kind: "ended" };
    const replaced = isOpen && purpose !== "consent" ? found : null;
    // A renewal does not show a page, so it does not restart maxAge.
    const startedAt = continued?.startedAt ?? Date.now();
    return { kind: "begun", draft: { site: visit.site, login, startedAt, replaced, previous } };
  }

  /**
   * See {@link Sessions.complete}. The server can't know if the session has changed in another tab meanwhile: the last cookie wins.
   *
   * @throws {TypeError} If the cookie exceeds the size limit of browsers.
   */
  async complete(
    { site, login: { userId, token, asked }, startedAt, replaced }: CookieDraft,
    { user, page }: Decided,
  ): Promise<CreatedSession> {
    const { keepToken, maxAge, report } = this.#options;
    const endsAt = Math.min(token.expires_at ?? Infinity, startedAt + maxAge * 1000);
    const { scopes } = token;
    const kept = keepToken ? toStoredToken(token) : null;
    const content = { user, userId, token: kept, scopes, asked, startedAt, endsAt };
    const header = await this.#header(site, content);
    if (replaced) reportSessionEnd(report, replaced.userId, "replaced", 1);
    return { kind: "session", cookies: [header], bearer: null, page };
  }

  /** See {@link Sessions.abandon}. Nothing is saved before {@link CookieSessions.complete}. */
  async abandon(): Promise<void> {}

  /** See {@link Sessions.find}. A cookie has no idle timeout to prolong. */
  async find(visit: Visit): Promise<SessionState | null> {
    const content = await this.#read(visit);
    return content && this.#toState(content);
  }

  /** See {@link Sessions.update}. */
  async update(visit: Visit, user: unknown): Promise<readonly string[] | null> {
    const content = await this.#read(visit);
    return content && this.#toState(content).session
      ? [await this.#header(visit.site, { ...content, user })]
      : null;
  }

  /** See {@link Sessions.end}. Cookies in other browsers stay. */
  async end(visit: Visit, everywhere: boolean): Promise<readonly string[]> {
    const { api, report } = this.#options;
    const content = everywhere || report ? await this.#read(visit) : null;
    if (everywhere && content?.token) await api.revoke(content.token);
    if (content && this.#toState(content).session) {
      reportSessionEnd(report, content.userId, everywhere ? "end_everywhere" : "end", 1);
    }
    return [removeCookieHeader(visit.site, this.#options.namespace.sessionCookie)];
  }

  #toState(content: CookieContent): SessionState {
    const { scope, maxAge } = this.#options;
    const { userId, scopes, token, startedAt, endsAt } = content;
    const isAskedFor = wasAskedFor(scope, content);
    const sessionForLogin = Date.now() < endsAt
      ? { content, createToken: token && (() => fromStoredToken(token)) }
      : null;
    // A session that maxAge has ended is not renewed.
    const isWithinMaxAge = Date.now() < startedAt + maxAge * 1000;
    return {
      userId,
      scopes,
      session: isAskedFor ? sessionForLogin : null,
      sessionForLogin,
      canBeRenewed: !sessionForLogin && isWithinMaxAge && isAskedFor,
    };
  }

  /** Returns the `Set-Cookie` header of a session. */
  async #header(site: SiteAddress, content: CookieContent): Promise<string> {
    const { namespace: { sessionCookie }, sealer, maxAge } = this.#options;
    const { startedAt, endsAt } = content;
    const canBeRenewedUntil = Math.min(
      endsAt + renewalPeriodSeconds * 1000,
      startedAt + maxAge * 1000,
    );
    const cookieAge = Math.ceil((canBeRenewedUntil - Date.now()) / 1000);
    const sealed = await sealer.seal(sessionCookie, { format, ...content });
    const header = setCookieHeader(site, sessionCookie, sealed, cookieAge);
    if (header.length > maxCookieBytes) {
      throw new TypeError(
        `The session's cookie would have ${header.length} bytes, but browsers keep ${maxCookieBytes}: return less from sessionUser, ` +
          "omit keepToken, or use a store",
      );
    }
    return header;
  }

  async #read({ request, site }: Visit): Promise<CookieContent | null> {
    const { namespace: { sessionCookie }, sealer, maxAge } = this.#options;
    for (const value of cookieCandidates(request, site, sessionCookie, sealedForm)) {
      const content = await this.#opened.open(sealer, sessionCookie, value);
      if (content !== null) return { ...content, endsAt: endWithin(maxAge, content) };
    }
    return null;
  }
}
