/**
 * Creates the session of a confirmed login, or changes the session of a consent, as the application decides.
 *
 * @module
 */

import { eventScopes } from "../base/events.ts";
import { otherSessionError } from "../base/login_error.ts";
import { lacksScopes, scopesOfSession, withoutInstalls } from "../sessions/session_scopes.ts";
import type {
  CreatedSession,
  Decided,
  EndedSession,
  NewSession,
  SessionDraft,
  SessionState,
} from "../sessions/session_storage.ts";
import { beginLogin } from "./begin_login.ts";
import type { Callback } from "./callback.ts";
import {
  type Confirmation,
  confirmedLogin,
  decidedPage,
  refusalOf,
  userDataOf,
} from "./login_decisions.ts";
import type { LoginParts } from "./login_parts.ts";

/** The session of a login, or the response in place of it. */
export interface LoginSession {
  /** The `Set-Cookie` headers of the session. Empty without a session. */
  readonly cookies: readonly string[];
  /** The response in place of a session, or `null`. */
  readonly response: Response | null;
  /** The page that the function `afterLogin` has decided; `undefined` if it has not. */
  readonly page?: string | undefined;
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
  const { request, site, pending: { purpose: { kind: purpose }, state, scope: asked } } = callback;
  const { user: { id: userId }, token } = confirmation;
  const login: NewSession = { userId, token, asked, purpose, state };

  const begun = await sessions.begin(request, site, login);
  if (begun.kind !== "begun") return await outcomeOf(parts, callback, login, begun);
  const { draft } = begun;
  const { previous } = draft;
  const isNarrower = previous !== null && purpose === "consent" &&
    lacksScopes(login, await scopesOfSession(parts.personTokens, previous));
  if (isNarrower) return await askAgain(parts, callback, confirmation, previous);

  const decided = await decide(parts, callback, confirmation, draft);
  if (decided.kind === "response") {
    parts.report?.({ kind: "login_refused", userId, purpose, reason: "response" });
    return { cookies: [], response: decided.response };
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
    : await outcomeOf(parts, callback, login, created);
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

/**
 * Returns the outcome of a login without a response of the application, and reports it.
 *
 * @throws {LoginError} If the session of a consent or a renewal has ended.
 */
async function outcomeOf(
  { pendingLogins, report }: LoginParts,
  { request, site, pending }: Callback,
  { userId, token, purpose }: NewSession,
  created: CreatedSession | EndedSession,
): Promise<LoginSession> {
  if (created.kind === "ended") {
    report?.({ kind: "login_refused", userId, purpose, reason: "sessions_ended" });
    if (purpose !== "login") throw otherSessionError();
    return { cookies: [], response: null };
  }
  const scopes = eventScopes(token.scopes, pending.scope);
  report?.({ kind: "login_completed", userId, purpose, scopes });
  const { cookies, page } = created;
  // Old pending logins make room for the session.
  const removePending = pendingLogins.removeHeader(site, pending);
  const room = await pendingLogins.makeRoom(request, site, [removePending, ...cookies]);
  return { cookies: [...room, ...cookies], response: null, page };
}

/**
 * Asks the person once more, without a consent page, because another consent has brought scopes meanwhile. The new login asks for the
 * scopes of this login and of the session.
 */
async function askAgain(
  parts: LoginParts,
  { request, site, pending }: Callback,
  { guildId, permissions }: Confirmation,
  previous: SessionState,
): Promise<LoginSession> {
  const granted = await scopesOfSession(parts.personTokens, previous);
  const next = {
    ...pending,
    scope: withoutInstalls([...new Set([...pending.scope, ...granted])]),
    ...(guildId !== null && { bot: { guildId, permissions } }),
  };
  const response = await beginLogin(parts, request, site, next, { prompt: "none" });
  return { cookies: [], response };
}
