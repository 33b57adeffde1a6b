/**
 * Creates the session of a login in a store.
 *
 * @module
 */

import { generateState } from "../../links/pkce.ts";
import { digestOf } from "../../stores/names.ts";
import type { SessionKeys } from "../site/namespace.ts";
import type { SiteAddress } from "../site/site_address.ts";
import type { IndexEntry } from "./person_index.ts";
import type { SessionRecords, StoredSession } from "./session_records.ts";
import { sealToken } from "./session_token.ts";
import type {
  Begun,
  Completed,
  Decided,
  EndedSession,
  NewSession,
  SessionState,
} from "./session_storage.ts";
import { cleanText } from "../../core/safe_text.ts";
import type { Sealer } from "../../stores/sealed.ts";

/** A session that is in the person's list, and has no record yet. */
export interface LoginDraft {
  readonly kind: "login";
  readonly site: SiteAddress;
  readonly login: NewSession;
  /** The keys of a new id, so that a planted session id never becomes a session of the person. */
  readonly keys: SessionKeys;
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
  request: Request,
  site: SiteAddress,
  login: NewSession,
): Promise<Begun<LoginDraft>> {
  const { namespace, maxAge } = records.options;
  const { userId, state } = login;
  const replaced = await records.find(request, site);
  const keys = await namespace.sessionKeys(generateState());
  const startedAt = Date.now();
  const endsAt = startedAt + maxAge * 1000;
  const ended = await records.indexOf(userId).add({
    digest: keys.digest,
    startedAt,
    endsAt,
    progress: [{ digest: await digestOf(state), at: startedAt }],
    ...await labelOf(records, request, keys),
  });
  records.reportEnd(userId, "too_many", ended);
  const previous = replaced && records.toState(replaced);
  const draft = {
    kind: "login",
    site,
    login,
    keys,
    startedAt,
    endsAt,
    replaced,
    previous,
  } as const;
  return { kind: "begun", draft };
}

/** Saves the record of a new session, and ends the previous session of the browser. */
export async function completeSession(
  records: SessionRecords,
  draft: LoginDraft,
  { user, page }: Decided,
): Promise<Completed<LoginDraft>> {
  const { site, login: { userId, token, asked }, keys, startedAt, endsAt, replaced } = draft;
  const { personTokens, backgroundTokens: sharesToken } = records.options;
  const index = records.indexOf(userId);
  const scopes = sharesToken
    ? await personTokens.keep(userId, token, keys.digest, startedAt, index)
    : token.scopes;
  if (!scopes) return await takeBack(records, draft);
  const sealed = sharesToken ? null : await sealToken(keys, token);
  const times = { startedAt, endsAt, usedAt: startedAt };
  await records.create(keys, {
    user,
    userId,
    scopes,
    asked,
    ...times,
    sharesToken,
    token: sealed,
  });
  const isListed = replaced
    ? await endReplaced(records, draft, replaced)
    : await index.has(keys.digest);
  return isListed
    ? { kind: "session", cookies: [records.cookieOf(site, keys, endsAt)], page }
    : await takeBack(records, draft);
}

/** Removes the data of a session that has ended before its cookie was set, and no other data. */
async function takeBack(records: SessionRecords, draft: LoginDraft): Promise<EndedSession> {
  await records.delete(draft.keys.digest);
  await abandonSession(records, draft);
  return { kind: "ended" };
}

/** Removes a session without a record from the list. First, it removes a kept token that belongs to this session, even after another login was abandoned. */
export async function abandonSession(
  records: SessionRecords,
  { login: { userId }, keys: { digest } }: LoginDraft,
): Promise<void> {
  const { personTokens, backgroundTokens } = records.options;
  const index = records.indexOf(userId);
  if (backgroundTokens) await personTokens.takeBack(userId, digest, index);
  await index.remove(digest);
}

/** Ends the previous session of the browser. Returns true if the new session is still in the list of its person. */
async function endReplaced(
  records: SessionRecords,
  { keys, login }: LoginDraft,
  replaced: StoredSession,
): Promise<boolean> {
  const { record, keys: { digest } } = replaced;
  const { userId } = record;
  await records.delete(digest);
  const { count, others } = await records.indexOf(userId).remove(digest);
  if (count > 0 && records.isValid(record)) records.reportEnd(userId, "replaced", 1);
  return userId === login.userId
    ? others.includes(keys.digest)
    : await records.indexOf(login.userId).has(keys.digest);
}

/** Returns the label of a new session, if there is one. */
async function labelOf(
  { options: { sessionLabel, labelSealer } }: SessionRecords,
  request: Request,
  { digest }: SessionKeys,
): Promise<Pick<IndexEntry, "label">> {
  if (!sessionLabel) return {};
  const label = await sealLabel(labelSealer, digest, sessionLabel(request));
  return label === undefined ? {} : { label };
}

/** The maximum length of a label, in characters. */
const maxLabelLength = 200;

/**
 * Encrypts the text that `sessionLabel` has returned.
 *
 * @param sessionId The id of the session in the list for the person.
 * @returns `undefined` without a text.
 * @throws {TypeError} If the text is something else.
 */
export async function sealLabel(
  sealer: Sealer,
  sessionId: string,
  text: unknown,
): Promise<string | undefined> {
  const given = text ?? "";
  if (typeof given !== "string") {
    throw new TypeError(
      `sessionLabel must return text or null, and not a promise, received ${typeof given}`,
    );
  }
  const characters = [...cleanText(given).replace(/\p{Cs}/gu, "\ufffd").trim()];
  const label = characters.slice(0, maxLabelLength).join("");
  return label ? await sealer.seal(sessionId, label) : undefined;
}
