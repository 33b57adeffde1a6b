/**
 * The sessions of a person in a store, for a page that shows them to this person.
 *
 * @module
 */

import type { IndexEntry } from "./person_index.ts";
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
  const sessions = await Promise.all(
    (await openEntries(records, entries)).map(async (entry): Promise<ListedSession> => {
      const id = entry.digest;
      const startedAt = entry.loggedInAt ?? entry.startedAt;
      return {
        id,
        startedAt,
        endsAt: endWithin(maxAge, { startedAt, endsAt: entry.endsAt }),
        // A label that no secret opens is null. One that opens was sealed by `sealLabel`, so it is text.
        label: await labelSealer.open(id, entry.label) as string | null,
        isCurrent: id === current,
      };
    }),
  );
  return sessions.filter(({ endsAt }) => endsAt > Date.now())
    .sort((a, b) => b.startedAt - a.startedAt);
}

/** Returns the sessions that have a record. An unused session has lost its record, and a login in `onLogin` has none yet. */
async function openEntries(
  records: SessionRecords,
  entries: readonly IndexEntry[],
): Promise<readonly IndexEntry[]> {
  const hasRecord = await Promise.all(entries.map(({ digest }) => records.has(digest)));
  return entries.filter((_, at) => hasRecord[at]);
}
