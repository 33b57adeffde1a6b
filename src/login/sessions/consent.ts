/**
 * A consent for further scopes, which changes a session in a store. The session keeps its id, its cookie and its start: only its own
 * person can give it further scopes.
 *
 * @module
 */

import { digestOf } from "../../stores/names.ts";
import type { SiteAddress } from "../site/site_address.ts";
import { withProgress } from "./login_progress.ts";
import { lacksScopes } from "./session_scopes.ts";
import type {
  SavedConsent,
  SessionRecord,
  SessionRecords,
  StoredSession,
} from "./session_records.ts";
import type {
  Begun,
  Completed,
  CreatedSession,
  Decided,
  EndedSession,
  NewSession,
  SessionState,
} from "./session_storage.ts";
import { sealToken } from "./session_token.ts";
import { untilSaved } from "../../tokens/store_loops.ts";

/** A consent whose session is open. */
export interface ConsentDraft {
  readonly kind: "consent";
  readonly site: SiteAddress;
  readonly login: NewSession;
  /** The start that `startedBefore` compares, in milliseconds since the epoch. A consent moves it. */
  readonly at: number;
  readonly session: StoredSession;
  /** The scopes of the person's token once it was saved; otherwise `null`. */
  readonly keptScopes: readonly string[] | null;
  readonly previous: SessionState;
}

/** Finds the session of a consent, and adds the consent to its entry in the person's list, so that `forget` finds its progress. */
export async function beginConsent(
  records: SessionRecords,
  request: Request,
  site: SiteAddress,
  login: NewSession,
): Promise<Begun<ConsentDraft>> {
  const at = Date.now();
  const session = ownSession(records, await records.find(request, site), login);
  if (!session) return { kind: "ended" };
  // An earlier request with this callback has saved the session, and could not finish.
  const { consent } = session.record;
  if (consent?.state === login.state) return await finish(records, site, session, consent);
  const progress = { digest: await digestOf(login.state), at };
  const isListed = await records.indexOf(login.userId).update(session.keys.digest, (entry) => ({
    ...entry,
    progress: withProgress(entry.progress, progress),
  }));
  if (!isListed) return { kind: "ended" };
  const previous = records.toState(session);
  const draft = { kind: "consent", site, login, at, session, keptScopes: null, previous } as const;
  return { kind: "begun", draft };
}

/**
 * Saves the token, the scopes and the user data of a consent under the version that was read, so that no update is lost and no ended session
 * comes back.
 */
export async function completeConsent(
  records: SessionRecords,
  draft: ConsentDraft,
  { user, page }: Decided,
): Promise<Completed<ConsentDraft>> {
  const { backgroundTokens: sharesToken } = records.options;
  const { site, login, at, session: { keys, record: before } } = draft;
  const { token, asked, state } = login;
  const keptScopes = sharesToken ? draft.keptScopes ?? await keepToken(records, draft) : null;
  const scopes = sharesToken ? keptScopes : token.scopes;
  if (!scopes) return { kind: "ended" };
  // Another consent may have saved a token that stays, and lacks scopes of this one.
  if (lacksScopes(login, scopes)) return { kind: "narrower", previous: draft.previous };
  const sealed = sharesToken ? null : await sealToken(keys, token);
  const consent = { state, at, page };
  let session: StoredSession | null = draft.session;
  return await untilSaved("The consent was not saved", async () => {
    const own = ownSession(records, session ?? await records.load(keys), login);
    session = null;
    if (!own) return { kind: "ended" };
    const previous = records.toState(own);
    if (lacksScopes(login, own.record.scopes)) return { kind: "narrower", previous };
    if (hasChanged(before, own.record)) {
      return { kind: "changed", draft: { ...draft, session: own, keptScopes, previous } };
    }
    const usedAt = Date.now();
    const change = { user, scopes, asked, usedAt, sharesToken, token: sealed, consent };
    const version = await records.replace(own, { ...own.record, ...change });
    return version === null ? null : await finish(records, site, own, consent);
  });
}

/** Keeps the token of a consent for all sessions of the person. Returns the scopes of the kept token, or `null` if the session has ended. */
async function keepToken(
  records: SessionRecords,
  { login: { userId, token }, session: { keys }, at }: ConsentDraft,
): Promise<readonly string[] | null> {
  const index = records.indexOf(userId);
  return await records.options.personTokens.keep(userId, token, keys.digest, at, index);
}

/** Moves the start of a saved session to its consent, so that an earlier `startedBefore` does not end it. */
async function finish(
  records: SessionRecords,
  site: SiteAddress,
  { keys, record: { userId, startedAt, endsAt } }: StoredSession,
  { at, page }: SavedConsent,
): Promise<CreatedSession | EndedSession> {
  const isListed = await records.indexOf(userId).update(keys.digest, (entry) => ({
    ...entry,
    loggedInAt: startedAt,
    startedAt: Math.max(entry.startedAt, at),
  }));
  if (!isListed) {
    await records.delete(keys.digest);
    return { kind: "ended" };
  }
  return { kind: "session", cookies: [records.cookieOf(site, keys, endsAt)], page };
}

/** Returns a session that is open and belongs to the person of the consent; otherwise `null`. */
function ownSession(
  records: SessionRecords,
  session: StoredSession | null,
  { userId }: NewSession,
): StoredSession | null {
  const isOwn = session && records.isValid(session.record) && session.record.userId === userId;
  return isOwn ? session : null;
}

/** Returns true if the user data or the scopes differ, and not only the time of the last use or the token. */
function hasChanged(before: SessionRecord, after: SessionRecord): boolean {
  const textOf = ({ user, scopes }: SessionRecord) => JSON.stringify([user, scopes]);
  return textOf(before) !== textOf(after);
}
