/**
 * Finishes a login: exchanges the code of the callback once, reads the user, and creates the session.
 *
 * @module
 */

import { freeze } from "../../core/freeze.ts";
import type { TokenObj } from "../../resources/token.ts";
import type { UserObj } from "../../resources/user.ts";
import { fromStoredToken, toStoredToken } from "../../tokens/stored_token.ts";
import type { LoginParts } from "./login_parts.ts";
import { type Callback, readCallback } from "./callback.ts";
import { createSession, type LoginSession } from "./create_session.ts";
import { reportLoginFailure } from "../base/events.ts";
import { type Afterwards, exchangeOnce, saveFailure, saveOutcome } from "./exchange_once.ts";
import { otherSessionError } from "../base/login_error.ts";
import type { ProgressRecord } from "../sessions/login_progress.ts";
import type { AddedBot } from "../base/pending_login.ts";
import { readUser } from "./read_user.ts";

/** The outcome of a finished login. */
export interface LoginOutcome extends AddedBot, LoginSession {
  readonly user: UserObj;
  readonly token: TokenObj;
}

/**
 * Finishes the login of a callback. Creates a session unless `onLogin` returns a response. Sends the code once, however often the callback
 * is opened.
 */
export async function finishLogin(
  parts: LoginParts,
  callback: Callback,
  progress: ProgressRecord,
): Promise<LoginOutcome> {
  const { options, report } = parts;
  const { pending } = callback;
  try {
    const { code, bot } = readCallback(options, callback);
    await assertOwnSession(parts, callback);
    const exchanged = await exchangeOnce(parts, callback, code, progress);
    if (exchanged.kind === "done") return restore(exchanged.outcome);
    const { token } = exchanged;
    try {
      const user = await readUser(parts, token, pending);
      const login = { user, token, ...addedBot(parts, callback, token, bot) };
      const outcome = { ...login, ...await createSession(parts, callback, login) };
      await saveOutcome(progress, exchanged, afterwardsOf(outcome));
      return outcome;
    } catch (error) {
      await saveFailure(progress, exchanged, error);
      throw error;
    }
  } catch (error) {
    reportLoginFailure(report, error, pending.purpose);
    throw error;
  }
}

/** @throws {LoginError} If another person has logged in since the session asked for further scopes. */
async function assertOwnSession(
  { sessions }: LoginParts,
  { request, site, pending: { purpose } }: Callback,
): Promise<void> {
  if (purpose.kind !== "consent") return;
  const found = await sessions.find(request, site);
  if (found?.session && found.userId !== purpose.userId) throw otherSessionError();
}

/**
 * Returns the guild that a bot was added to, and the permissions of the bot's role in that guild. Prefers the guild in the token, because
 * the visitor can change the URL of the callback.
 */
function addedBot(
  { options: { clientId } }: LoginParts,
  { pending: { scope, bot } }: Callback,
  { guild }: TokenObj,
  { guildId, permissions }: AddedBot,
): AddedBot {
  if (bot) return bot;
  if (guild) {
    const role = guild.roles?.find(({ tags }) => tags?.bot_id === clientId);
    return { guildId: guild.id, permissions: role?.permissions ?? null };
  }
  return scope.includes("bot") ? { guildId, permissions } : { guildId: null, permissions: null };
}

/**
 * Returns what a repeated request with this callback gets: the same outcome, another run of `onLogin`, or the error `"used"`. A response
 * can be sent only once, so `onLogin` runs again for each request with the callback, and a refused person does not get in. A login that has
 * ended meanwhile must not create a session later.
 */
function afterwardsOf(outcome: LoginOutcome): Afterwards {
  if (outcome.response) return { kind: "again" };
  if (outcome.cookies.length === 0) return { kind: "used" };
  return { kind: "same", outcome: { ...outcome, token: toStoredToken(outcome.token) } };
}

/** Restores an outcome from the value that `afterwardsOf` returned. */
function restore(serialized: unknown): LoginOutcome {
  // The value was serialized from the result of `afterwardsOf`, so it has this type.
  const outcome = serialized as LoginOutcome;
  return { ...outcome, user: freeze(outcome.user), token: fromStoredToken(outcome.token) };
}
