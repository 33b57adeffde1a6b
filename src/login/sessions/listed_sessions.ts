/**
 * The sessions of a person in a store, for a page that shows them to this person.
 *
 * @module
 */

import { type IndexEntry, isOpen, sessionIdOf } from "./person_index.ts";
import type { ListedSession } from "../base/session.ts";
import { endWithin } from "./open_session.ts";
import type { SessionRecords } from "./session_records.ts";

/**
 * Lists the sessions of a person, with the newest login first.
 *
 * @param current The digest of the current session, or `null`.
 */
export async function listSessions(
  records: SessionRecords,
  userId: string,
  current: string | null,
): Promise<readonly ListedSession[]> {
  const { labelSealer, maxAge } = records.options;
  const entries = await records.indexOf(userId).entries();
  const currentEntry = entries.find(({ digest }) => digest === current);
  const currentId = currentEntry && sessionIdOf(currentEntry);
  const sessions = await Promise.all(
    (await openEntries(records, entries)).map(async (entry): Promise<ListedSession> => {
      const id = sessionIdOf(entry);
      const startedAt = entry.loggedInAt ?? entry.startedAt;
      return {
        id,
        startedAt,
        endsAt: endWithin(maxAge, { startedAt, endsAt: entry.endsAt }),
        // A label that no secret opens is null. One that opens was sealed by `sealLabel`, so it is text.
        label: await labelSealer.open(id, entry.label) as string | null,
        isCurrent: id === currentId,
      };
    }),
  );
  return sessions.filter(({ endsAt }) => endsAt > Date.now())
    .sort((a, b) => b.startedAt - a.startedAt);
}

/**
 * Returns one entry for each session that has a record. An unused session has lost its record, and a login in `onLogin` has none yet.
 */
async function openEntries(
  records: SessionRecords,
  entries: readonly IndexEntry[],
): Promise<readonly IndexEntry[]> {
  const open = entries.filter(isOpen);
  const hasRecord = await Promise.all(open.map(({ digest }) => records.has(digest)));
  // A consent that is not finished has two entries with one id. They differ only in the time of the consent.
  const byId = new Map(
    open.filter((_, at) => hasRecord[at]).map((entry) => [sessionIdOf(entry), entry]),
  );
  return [...byId.values()];
}
