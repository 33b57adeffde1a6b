/**
 * Lets the application decide about the session of a confirmed login.
 *
 * @module
 */

import type { User } from "../../api/user.ts";
import type { Scope } from "../../links/scopes.ts";
import { beginLogin } from "./begin_login.ts";
import type { Callback } from "./callback.ts";
import type { LoginParts } from "./login_parts.ts";
import type { ConfirmedLogin } from "../base/options.ts";
import { pageOfSite } from "../site/page_after_login.ts";
import { withCookies } from "../pages/responses.ts";
import { sessionOf } from "../sessions/open_session.ts";
import type { LoginDecisions, Reply, SessionState } from "../sessions/session_storage.ts";
import { scopesOfSession, withoutInstalls } from "../sessions/session_scopes.ts";
import { defaultUserData, jsonFrom } from "../sessions/session_user.ts";

/** The parts of a confirmed login that come from the platform. */
type Confirmation = Pick<ConfirmedLogin<Scope>, "user" | "token" | "guildId" | "permissions">;

/** The decisions about one session. */
export class Decisions implements LoginDecisions {
  readonly #parts: LoginParts;
  readonly #callback: Callback;
  readonly #login: Confirmation;
  #api: User | null = null;

  constructor(parts: LoginParts, callback: Callback, login: Confirmation) {
    this.#parts = parts;
    this.#callback = callback;
    this.#login = login;
  }

  /** See {@link LoginDecisions.respond}. */
  async respond(previous: SessionState | null): Promise<Reply | null> {
    const { options, personTokens } = this.#parts;
    if (previous && this.#callback.pending.purpose.kind === "consent") {
      const granted = await scopesOfSession(personTokens, previous);
      if (this.isNarrowerThan(granted)) return await this.askAgain(previous, []);
    }
    const response = await options.onLogin?.(this.#confirmedBy(previous)) ?? null;
    // In JavaScript, an arrow function may return the result of its last call, such as the number of `endAll`.
    return typeof response === "object" && response ? { response, isRefusal: true } : null;
  }

  /** See {@link LoginDecisions.isNarrowerThan}. The session has these scopes from another consent meanwhile. */
  isNarrowerThan(scopes: readonly string[]): boolean {
    const { token } = this.#login;
    // The platform may grant fewer scopes than it was asked for.
    const own = [...this.#callback.pending.scope, ...token.scopes];
    // The platform returns a webhook only once, so the application gets it now.
    return token.webhook === null && withoutInstalls(scopes).some((one) => !own.includes(one));
  }

  /**
   * See {@link LoginDecisions.userData}.
   *
   * @throws {TypeError} If `sessionUser` returns something other than a JSON value.
   */
  async userData(previous: SessionState | null): Promise<unknown> {
    const { sessionUser } = this.#parts.options;
    const { user } = this.#login;
    if (!sessionUser) return defaultUserData(user);
    const value: unknown = await sessionUser(user, this.#confirmedBy(previous));
    jsonFrom("sessionUser", value);
    return value;
  }

  /**
   * See {@link LoginDecisions.page}. A renewal returns to its own page: the person does not notice it.
   *
   * @throws {TypeError} If `afterLogin` returns something other than a path or a URL.
   */
  async page(previous: SessionState | null): Promise<string | undefined> {
    const { options } = this.#parts;
    const { site, pending: { purpose, returnTo } } = this.#callback;
    if (purpose.kind === "renewal" || typeof options.afterLogin !== "function") return undefined;
    const confirmed = this.#confirmedBy(previous);
    const page: unknown = await options.afterLogin({ ...confirmed, returnTo });
    if (typeof page === "string" || page instanceof URL) {
      return pageOfSite(page, site, options) ?? "/";
    }
    throw new TypeError(
      `afterLogin must return a path or a URL, received ${
        page === null ? page : typeof page
      }; for a Response in place of a session, use onLogin`,
    );
  }

  /** See {@link LoginDecisions.askAgain}. The new login asks for the scopes of this login and of the session. */
  async askAgain(previous: SessionState, cookies: readonly string[]): Promise<Reply> {
    const { request, site, pending } = this.#callback;
    const { guildId, permissions } = this.#login;
    const granted = await scopesOfSession(this.#parts.personTokens, previous);
    const next = {
      ...pending,
      scope: withoutInstalls([...new Set([...pending.scope, ...granted])]),
      ...(guildId !== null && { bot: { guildId, permissions } }),
    };
    const response = await beginLogin(this.#parts, request, site, next, { prompt: "none" });
    return { response: withCookies(response, cookies), isRefusal: false };
  }

  /** The argument of the application's functions. A login without them does not create the API client. */
  #confirmedBy(previous: SessionState | null): ConfirmedLogin<Scope> {
    const { token, user } = this.#login;
    const { request, pending: { data } } = this.#callback;
    const { clients } = this.#parts;
    // Data of another person's session must not get into the new session.
    const session = previous?.userId === user.id ? previous.sessionForLogin : null;
    return {
      ...this.#login,
      data,
      request,
      // The token has this type in both kinds of sessions.
      session: session && sessionOf(session, clients) as ConfirmedLogin<Scope>["session"],
      api: this.#api ??= clients.user(token, user.id),
    };
  }
}
