/**
 * Creates the session of a confirmed login, or changes the session of a consent, as the application decides.
 *
 * @module
 */

import type { Scope } from "../../links/scopes.ts";
import { eventScopes } from "../base/events.ts";
import { furtherScopesError, otherSessionError } from "../base/login_error.ts";
import { checkJson } from "../base/json_value.ts";
import type { ConfirmedLogin } from "../base/options.ts";
import { sessionOf } from "../sessions/open_session.ts";
import { defaultUserData } from "../sessions/session_user.ts";
import { lacksScopes, scopesOfSession, withoutInstalls } from "../sessions/session_scopes.ts";
import type {
  CreatedSession,
  Decided,
  EndedSession,
  NewSession,
  SessionDraft,
  SessionState,
} from "../sessions/session_storage.ts";
import { checkedResponse } from "../pages/responses.ts";
import { pageOfSite } from "../site/page_after_login.ts";
import { beginLogin } from "./begin_login.ts";
import type { Callback, LoginParts } from "./login_parts.ts";

/** The argument of the application's functions. */
type Confirmed = ConfirmedLogin<Scope>;

/** Discord's parts of a confirmed login. */
type Confirmation = Pick<Confirmed, "user" | "token" | "guildId" | "permissions">;

/** The session of a login, or the response instead of it. Both are `null` if the person's sessions have ended in the meantime. */
export interface LoginSession {
  readonly session: CreatedSession | null;
  readonly response: Response | null;
}

/**
 * Creates the session of a login, or changes the session of a consent, unless the application refuses.
 *
 * @throws {LoginError} If the session of a consent or a renewal has ended.
 */
export async function createSession(
  parts: LoginParts,
  callback: Callback,
  confirmation: Confirmation,
): Promise<LoginSession> {
  const { sessions } = parts;
  const { purpose: { kind: purpose }, state, scope: asked } = callback.pending;
  const { user: { id: userId }, token } = confirmation;
  const login: NewSession = { userId, token, asked, purpose, state };

  const begun = await sessions.begin(callback, login);
  if (begun.kind !== "begun") return outcomeOf(parts, login, begun);
  const { draft } = begun;
  const { previous } = draft;
  const isNarrower = previous !== null && purpose === "consent" &&
    lacksScopes(login, await scopesOfSession(parts.personTokens, previous));
  if (isNarrower) return await askAgain(parts, callback, confirmation, previous);

  const decided = await decide(parts, callback, confirmation, draft);
  if (decided.kind === "response") {
    parts.report?.({ kind: "login_refused", userId, purpose, reason: "response" });
    return { session: null, response: decided.response };
  }

  let created = await sessions.complete(draft, decided);
  while (created.kind === "changed") {
    // The new user data must not undo an update of the session.
    const confirmed = confirmedLogin(parts, callback, confirmation, created.draft.previous);
    const user = await userDataOf(parts, confirmed);
    created = await sessions.complete(created.draft, { ...decided, user });
  }
  return created.kind === "narrower"
    ? await askAgain(parts, callback, confirmation, created.previous)
    : outcomeOf(parts, login, created);
}

/** Asks the application for its decisions. Removes what the storage has saved unless the application accepts the login. */
async function decide(
  parts: LoginParts,
  callback: Callback,
  confirmation: Confirmation,
  draft: SessionDraft,
): Promise<Decided & { readonly kind: "accepted" } | Refused> {
  let isAccepted = false;
  try {
    const confirmed = confirmedLogin(parts, callback, confirmation, draft.previous);
    const response = await refusalOf(parts, confirmed);
    if (response) return { kind: "response", response };
    const user = await userDataOf(parts, confirmed);
    const page = await decidedPage(parts, callback, confirmed);
    isAccepted = true;
    return { kind: "accepted", user, page };
  } finally {
    if (!isAccepted) await parts.sessions.abandon(draft);
  }
}

interface Refused {
  readonly kind: "response";
  readonly response: Response;
}

/** Returns the argument of the application's functions. */
function confirmedLogin(
  { clients }: LoginParts,
  { request, pending: { data } }: Callback,
  login: Confirmation,
  previous: SessionState | null,
): Confirmed {
  const { user, token } = login;
  let api: Confirmed["api"] | null = null;
  // Data of another person's session must not get into the new session.
  const session = previous?.userId === user.id ? previous.sessionForLogin : null;
  return {
    ...login,
    data,
    request,
    // The token has this type in both kinds of sessions.
    session: session && sessionOf(session, clients) as Confirmed["session"],
    // Most applications do not use it.
    get api() {
      return api ??= clients.user(token, user.id);
    },
  };
}

/**
 * Returns the response of `onLogin` instead of a session, or `null`.
 *
 * @throws {TypeError} If `onLogin` returns anything else. The result `false`, for example, means to refuse the user.
 */
async function refusalOf(
  { options: { onLogin } }: LoginParts,
  confirmed: Confirmed,
): Promise<Response | null> {
  const expected = "onLogin must return a Response to turn the user away, or nothing";
  return checkedResponse(expected, await onLogin?.(confirmed));
}

/**
 * Returns the user data of the session.
 *
 * @throws {TypeError} If `sessionUser` returns something other than a JSON value.
 */
async function userDataOf(
  { options: { sessionUser } }: LoginParts,
  confirmed: Confirmed,
): Promise<unknown> {
  if (!sessionUser) return defaultUserData(confirmed.user);
  const value: unknown = await sessionUser(confirmed.user, confirmed);
  checkJson("sessionUser must return", value);
  return value;
}

/**
 * Returns the page after the login if the option `afterLogin` is a function. A renewal returns to its own page: the person does not notice
 * it.
 *
 * @throws {TypeError} If `afterLogin` returns something other than a path or a URL.
 */
async function decidedPage(
  { options }: LoginParts,
  { site, pending: { purpose, returnTo } }: Callback,
  confirmed: Confirmed,
): Promise<string | undefined> {
  if (purpose.kind === "renewal" || typeof options.afterLogin !== "function") return undefined;
  const page: unknown = await options.afterLogin({ ...confirmed, returnTo });
  if (typeof page === "string" || page instanceof URL) {
    const path = pageOfSite(page, site, options);
    if (path === null) {
      console.warn(
        'afterLogin must return a path like "/app" outside the login itself, or a URL of a frontend: used / instead',
      );
    }
    return path ?? "/";
  }
  throw new TypeError(
    `afterLogin must return a path or a URL, received ${
      page && typeof page
    }; for a Response instead of a session, use onLogin`,
  );
}

/**
 * Returns the outcome of a login without a response of the application, and reports it.
 *
 * @throws {LoginError} If the session of a consent or a renewal has ended.
 */
function outcomeOf(
  { report }: LoginParts,
  { userId, token, purpose, asked }: NewSession,
  created: CreatedSession | EndedSession,
): LoginSession {
  if (created.kind === "ended") {
    report?.({ kind: "login_refused", userId, purpose, reason: "sessions_ended" });
    if (purpose !== "login") throw otherSessionError();
    return { session: null, response: null };
  }
  const scopes = eventScopes(token.scopes, asked);
  report?.({ kind: "login_completed", userId, purpose, scopes });
  return { session: created, response: null };
}

/**
 * Asks the person once more, without a consent page, because another consent has added scopes in the meantime. The new login asks for the
 * scopes of this login and of the session.
 */
async function askAgain(
  parts: LoginParts,
  { request, site, pending, isApp }: Callback,
  { guildId, permissions }: Confirmation,
  previous: SessionState,
): Promise<LoginSession> {
  if (isApp) throw furtherScopesError();
  const granted = await scopesOfSession(parts.personTokens, previous);
  const next = {
    ...pending,
    scope: withoutInstalls([...new Set([...pending.scope, ...granted])]),
    ...(guildId !== null && { bot: { guildId, permissions } }),
  };
  const response = await beginLogin(parts, request, site, next, { prompt: "none" });
  return { session: null, response };
}
