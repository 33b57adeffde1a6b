/**
 * Creates the session of a login in a store, and changes the session of a consent for additional scopes. A consent keeps the session's id, its
 * cookie and its start: only its own person can give it additional scopes.
 *
 * @module
 */

import { checkReturnedText } from "../../core/arguments.ts";
import { generateState } from "../../links/pkce.ts";
import { digestOf } from "../../stores/names.ts";
import { bearerStart } from "../site/bearer.ts";
import type { SessionKeys } from "../site/namespace.ts";
import type { SiteAddress } from "../site/site_address.ts";
import {
  type SavedConsent,
  sealToken,
  type SessionRecord,
  type SessionRecords,
  type StoredSession,
} from "./session_records.ts";
import type {
  Begun,
  Completed,
  CreatedSession,
  Decided,
  EndedSession,
  NewSession,
  SessionState,
  Visit,
} from "./session_storage.ts";
import type { PersonIndex } from "./person_index.ts";
import { cleanText } from "../../core/safe_text.ts";
import { withProgress } from "./login_progress.ts";
import { lacksScopes } from "./session_scopes.ts";
import { untilSaved } from "../../tokens/store_loops.ts";

/** The maximum length of a label, in characters. */
const maxLabelLength = 200;

/** A session that is in the person's list, and has no record yet. */
export interface LoginDraft {
  readonly kind: "login";
  readonly site: SiteAddress;
  readonly login: NewSession;
  /** The keys of a new id, so that a planted session id never becomes a session of the person. */
  readonly keys: SessionKeys;
  /** The list of the person's sessions. */
  readonly index: PersonIndex;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
  /** The session of the browser, which ends. */
  readonly replaced: StoredSession | null;
  readonly previous: SessionState | null;
}

/** Adds a new session to the list of its person. Without an entry in the list, `endAll` could not end the session. */
export async function beginSession(
  records: SessionRecords,
  visit: Visit,
  login: NewSession,
): Promise<Begun<LoginDraft>> {
  const { namespace, maxAge } = records.options;
  const { userId, state } = login;
  const replaced = await records.find(visit);
  const keys = await namespace.sessionKeys((visit.isApp ? bearerStart : "") + generateState());
  const startedAt = Date.now();
  const endsAt = startedAt + maxAge * 1000;
  const index = await records.indexOf(userId);
  const { removed: ended } = await index.add({
    digest: keys.digest,
    startedAt,
    endsAt,
    progress: [{ digest: await digestOf(state), at: startedAt }],
    label: await sealLabel(records, visit.request, keys),
  });
  records.reportEnd(userId, "too_many", ended);
  const previous = replaced && records.toState(replaced);
  const { site } = visit;
  const times = { startedAt, endsAt };
  const draft = { kind: "login", site, login, keys, index, ...times, replaced, previous } as const;
  return { kind: "begun", draft };
}

/** Saves the token and the record of a new session. Takes both back if the session has ended in the meantime, or the store fails. */
export async function completeSession(
  records: SessionRecords,
  draft: LoginDraft,
  { user, page }: Decided,
): Promise<Completed<LoginDraft>> {
  const { site, login: { userId, token }, keys, index, startedAt, endsAt } = draft;
  const { digest } = keys;
  const { personTokens, backgroundTokens } = records.options;
  let isListed = false;
  try {
    const scopes = backgroundTokens
      ? await personTokens.keep(userId, token, startedAt, { digest, index })
      : token.scopes;
    isListed = scopes !== null && await saveSession(records, draft, scopes, user);
  } finally {
    if (!isListed) await abandonSession(records, draft);
  }
  return isListed
    ? { kind: "session", ...records.accessTo(site, keys, endsAt), page }
    : { kind: "ended" };
}

/**
 * Saves the record of a new session, and ends the previous session of the browser. Returns true if the new session is still in the list of
 * its person.
 */
async function saveSession(
  records: SessionRecords,
  { login: { userId, token, asked }, keys, index, startedAt, endsAt, replaced }: LoginDraft,
  scopes: readonly string[],
  user: unknown,
): Promise<boolean> {
  const { backgroundTokens: sharesToken } = records.options;
  const sealed = sharesToken ? null : await sealToken(keys, token);
  const times = { startedAt, endsAt, usedAt: startedAt };
  const record = {
    user,
    userId,
    scopes,
    asked,
    ...times,
    sharesToken,
    token: sealed,
  };
  await records.save(keys, record, null);
  if (!replaced) return await index.has(keys.digest);
  const { record: previous, keys: { digest } } = replaced;
  await records.delete(digest);
  const previousIndex = await records.indexOf(previous.userId);
  const { removed, others } = await previousIndex.remove(digest);
  if (records.isValid(previous)) records.reportEnd(previous.userId, "replaced", removed);
  return previous.userId === userId ? others.includes(keys.digest) : await index.has(keys.digest);
}

/**
 * Removes what a login without a session has saved, and nothing else. Its entry in the list goes last, so that a repeated call still finds
 * the rest. A kept token may belong to this login because another abandoned login has passed it on.
 */
export async function abandonSession(
  records: SessionRecords,
  { login: { userId }, keys: { digest }, index }: LoginDraft,
): Promise<void> {
  const { personTokens, backgroundTokens } = records.options;
  await records.delete(digest);
  if (backgroundTokens) await personTokens.takeBack(userId, digest, index);
  await index.remove(digest);
}

/** A consent whose session is open. */
export interface ConsentDraft {
  readonly kind: "consent";
  readonly site: SiteAddress;
  readonly login: NewSession;
  /** The list of the person's sessions. */
  readonly index: PersonIndex;
  /** The start that `startedBefore` compares, in milliseconds since the epoch. A consent moves it. */
  readonly at: number;
  readonly session: StoredSession;
  /** The scopes of the session once the token was saved; otherwise `null`. */
  readonly keptScopes: readonly string[] | null;
  readonly previous: SessionState;
}

/** Finds the session of a consent, and adds the consent to its entry in the person's list, so that `forget` finds its progress. */
export async function beginConsent(
  records: SessionRecords,
  visit: Visit,
  login: NewSession,
): Promise<Begun<ConsentDraft>> {
  const at = Date.now();
  const session = ownSession(records, await records.find(visit), login);
  if (!session) return { kind: "ended" };
  const index = await records.indexOf(login.userId);
  const previous = records.toState(session);
  const common = { kind: "consent", site: visit.site, login, index, session, previous } as const;
  const { consent } = session.record;
  // An earlier request with this callback has saved the consent, and only the list is still missing.
  if (consent?.state === login.state) return await finish(records, common, session, consent);
  const progress = { digest: await digestOf(login.state), at };
  const isListed = await index.update(session.keys.digest, (entry) => ({
    ...entry,
    progress: withProgress(entry.progress, progress),
  }));
  return isListed
    ? { kind: "begun", draft: { ...common, at, keptScopes: null } }
    : { kind: "ended" };
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
  const { personTokens, backgroundTokens: sharesToken } = records.options;
  const { login, index, at, session: { keys, record: before } } = draft;
  const { userId, token, asked, state } = login;
  const listed = { digest: keys.digest, index };
  const scopes = sharesToken
    ? draft.keptScopes ?? await personTokens.keep(userId, token, at, listed)
    : token.scopes;
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
      return { kind: "changed", draft: { ...draft, session: own, keptScopes: scopes, previous } };
    }
    const usedAt = Date.now();
    const change = {
      user,
      scopes,
      asked,
      usedAt,
      sharesToken,
      token: sealed,
      consent,
    };
    const version = await records.save(keys, { ...own.record, ...change }, own.version);
    return version === null ? null : await finish(records, draft, own, consent);
  });
}

/** Moves the start of a saved session to its consent, so that an earlier `startedBefore` does not end it. */
async function finish(
  records: SessionRecords,
  { site, index }: Pick<ConsentDraft, "site" | "index">,
  { keys, record: { startedAt, endsAt } }: StoredSession,
  { at, page }: SavedConsent,
): Promise<CreatedSession | EndedSession> {
  const isListed = await index.update(keys.digest, (entry) => ({
    ...entry,
    loggedInAt: startedAt,
    startedAt: Math.max(entry.startedAt, at),
  }));
  if (!isListed) {
    await records.delete(keys.digest);
    return { kind: "ended" };
  }
  return { kind: "session", ...records.accessTo(site, keys, endsAt), page };
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

/** Returns true if the user data or the scopes differ. Ignores the token and the time of the last use. */
function hasChanged(before: SessionRecord, after: SessionRecord): boolean {
  const textOf = ({ user, scopes }: SessionRecord) => JSON.stringify([user, scopes]);
  return textOf(before) !== textOf(after);
}

/**
 * Encrypts the label of a new session. Returns `undefined` without one.
 *
 * @throws {TypeError} If `sessionLabel` returns something other than text or `null`.
 */
async function sealLabel(
  { options: { sessionLabel, labelSealer } }: SessionRecords,
  request: Request,
  { digest }: SessionKeys,
): Promise<string | undefined> {
  const given = checkReturnedText("sessionLabel", sessionLabel?.(request));
  const characters = [...cleanText(given).replace(/\p{Cs}/gu, "\ufffd").trim()];
  const label = characters.slice(0, maxLabelLength).join("");
  return label ? await labelSealer.seal(digest, label) : undefined;
}
