/**
 * The nightly job: counts the servers of all people with their own tokens, and cleans up the store. Start it by cron, also while the web
 * processes run.
 *
 * It ends with the exit code 1 if Discord or the database is down. The next run begins with the people who were left.
 *
 * @module
 */

import process from "node:process";
import {
  ApiError,
  LoginRequiredError,
  MissingScopeError,
  RateLimitError,
  User,
} from "@guildpass/sdk";
import { database } from "./database.ts";
import { login } from "./login.ts";
import { platform } from "./settings.ts";

/** The failures in a row that stop the job. */
const maxOutages = 3;

/**
 * The time limit of a call, in milliseconds. A call waits for a refresh for half of it, and a refresh may take 13 seconds. With a shorter
 * limit, the call would use the old token, and the job could end before the new one is saved.
 */
const timeout = 30_000;

try {
  await countServers(AbortSignal.timeout(60 * 60_000));
  console.log(`Removed ${await database.removeExpired()} expired rows`);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await database.close();
}

/** Counts the servers of all people. The signal ends it. */
async function countServers(signal: AbortSignal): Promise<void> {
  const people = await database.listPeople();
  let outages = 0; // in a row
  let counted = 0;
  for (const id of people) {
    try {
      const user = new User(login.tokensOf(id), { platform, timeout });
      const guilds = await user.getUserGuilds({ signal });
      await database.saveServerCount(id, guilds.length);
      counted++;
      outages = 0;
    } catch (error) {
      signal.throwIfAborted();
      if (
        error instanceof LoginRequiredError && error.reason !== "unreadable"
      ) {
        await database.removePerson(id); // until their next login
        continue;
      }
      console.error(error); // the next night tries again
      outages = isOfPerson(error) ? 0 : outages + 1;
      if (outages === maxOutages) {
        throw new Error(`Stopped after ${counted} of ${people.length} people`, {
          cause: error,
        });
      }
    }
  }
  console.log(`Counted the servers of ${counted} people`);
}

/** Returns true if an error is about one person. Every other one counts, also an error of the database. */
function isOfPerson(error: unknown): boolean {
  if (error instanceof RateLimitError) return error.ofPerson;
  return error instanceof LoginRequiredError ||
    error instanceof MissingScopeError ||
    (error instanceof ApiError && !error.isTemporary);
}
