/**
 * Finishes a login: exchanges the code of the callback once, reads the user, and creates the session.
 *
 * @module
 */

import { ApiError } from "../../core/response_errors.ts";
import { IdTokenError } from "../../core/signature_errors.ts";
import { freeze } from "../../core/freeze.ts";
import { createReport } from "../../http/options.ts";
import { invalidResponseError } from "../../links/authorization_response.ts";
import { codeForm, parseCallback } from "../../links/parse_callback.ts";
import { discord } from "../../links/platform.ts";
import { checkIdToken } from "../../openid/verify_id_token.ts";
import { includesScope, type TokenObj } from "../../resources/token.ts";
import type { UserObj } from "../../resources/user.ts";
import { fromStoredToken, toStoredToken } from "../../tokens/token_record.ts";
import type { Callback, LoginParts } from "./login_parts.ts";
import { createSession, type LoginSession } from "./create_session.ts";
import { reportLoginFailure } from "../base/events.ts";
import { exchangeOnce } from "./exchange_once.ts";
import {
  LoginError,
  notMemberError,
  otherPersonError,
  otherSessionError,
  refusedNewTokenError,
} from "../base/login_error.ts";
import { type Progress, usedProgress } from "../sessions/login_progress.ts";
import { type AddedBot, type PendingLogin, personOf } from "../base/pending_login.ts";
import type { CheckedLoginOptions } from "../site/checked_options.ts";

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
): Promise<LoginOutcome> {
  const { report } = parts;
  const { pending, code, progress } = callback;
  try {
    const bot = readBot(parts.options, callback);
    // A visitor can write any text into the URL of a callback.
    if (!codeForm.test(code)) throw invalidResponseError("The callback has no valid code");
    if (pending.purpose.kind === "consent") {
      await assertOwnSession(parts, callback, pending.purpose);
    }
    const exchanged = await exchangeOnce(parts, callback, code);
    if (exchanged.kind === "done") return restore(exchanged.outcome);
    const { token, version } = exchanged;
    try {
      const user = await readUser(parts, token, pending);
      const login = { user, token, ...addedBot(parts, callback, token, bot) };
      await assertMember(parts, login);
      const outcome = { ...login, ...await createSession(parts, callback, login) };
      await progress.tryToSave(progressAfter(outcome), version);
      return outcome;
    } catch (error) {
      await progress.tryToSave(progressAfterError(error, token), version);
      throw error;
    }
  } catch (error) {
    reportLoginFailure(report, error, pending.purpose);
    throw error;
  }
}

/**
 * Returns the added bot in the URL of a callback. The visitor can change it. For an app, only the token names a bot.
 *
 * @throws {OAuthError} If the callback has an error, or does not have exactly one code.
 */
function readBot(
  { platform }: CheckedLoginOptions,
  { request, pending, isApp }: Callback,
): AddedBot {
  if (isApp) return { guildId: null, permissions: null };
  const { searchParams } = new URL(request.url);
  const { issuer } = platform ?? discord;
  return parseCallback(searchParams, {
    state: pending.state,
    // Not every platform sends its issuer (RFC 9207).
    issuer: searchParams.has("iss") ? issuer : null,
  });
}

/** @throws {LoginError} If another person has logged in since the session asked for additional scopes. */
async function assertOwnSession(
  { sessions }: LoginParts,
  callback: Callback,
  { userId }: { readonly userId: string },
): Promise<void> {
  const found = await sessions.find(callback);
  if (found?.session && found.userId !== userId) throw otherSessionError();
}

/** @throws {LoginError} If the person is not a member of the option `members`, or the visitor has removed its scope from the URL. */
async function assertMember(
  { memberships, clients }: LoginParts,
  { user, token }: { readonly user: UserObj; readonly token: TokenObj },
): Promise<void> {
  if (!memberships) return;
  const isMember = includesScope(token.scopes, "guilds.members.read") &&
    await memberships.admit(user.id, clients.user(token, user.id));
  if (!isMember) throw notMemberError();
}

/**
 * Reads the person of a new token.
 *
 * @throws {IdTokenError} If the `id_token` is not for this login.
 * @throws {LoginError} If Discord refuses the token, or the login renews or extends the session of another person.
 */
async function readUser(
  parts: LoginParts,
  token: TokenObj,
  pending: PendingLogin,
): Promise<UserObj> {
  const { purpose } = pending;
  const subject = pending.scope.includes("openid")
    ? await readSubject(parts, token, pending)
    : null;
  // The session's `api` reads this response from the cache.
  const client = parts.clients.user(token, personOf(purpose));
  const user = await client.getCurrentUser({ fresh: true }).catch((error) => {
    throw error instanceof ApiError && error.httpStatus === 401 ? refusedNewTokenError() : error;
  });
  if (subject !== null && user.id !== subject) throw otherSubjectError();
  // A renewal does not show a page, so it must not log the visitor in as another person. A consent for additional scopes must not either.
  if (purpose.kind !== "login" && user.id !== purpose.userId) {
    throw otherPersonError(purpose.kind);
  }
  return user;
}

/**
 * Checks the `id_token`, and returns the id of its person. If the `id_token` is missing, the code belongs to an authorization URL without
 * `openid`, and so not from this login.
 *
 * @throws {IdTokenError} If the `id_token` is missing or not for this login.
 */
async function readSubject(
  { options: { clientId, platform, onUnexpected }, clients }: LoginParts,
  { id_token: idToken, access_token: accessToken }: TokenObj,
  { nonce }: PendingLogin,
): Promise<string> {
  if (idToken === null) {
    const report = createReport(onUnexpected, { method: "POST", path: "/oauth2/token" });
    report([{ path: "id_token", message: "expected text for the scope openid, received null" }]);
  }
  // An Activity's `id_token` has no nonce.
  const options = { ...clients.options(), platform, clientId, nonce: nonce || null, accessToken };
  return await checkIdToken(idToken, options);
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

/** Returns the progress after a finished login, which decides what a repeated request with this callback gets. */
function progressAfter(outcome: LoginOutcome): Progress {
  const { token, response, session } = outcome;
  // A response can be sent only once, so `onLogin` runs again, and a refused person does not get in.
  if (response) return retainedToken(token);
  // The sessions were ended meanwhile, and a repeated request must not create one.
  if (!session) return usedProgress;
  return { status: "done", outcome: { ...outcome, token: toStoredToken(token) } };
}

/**
 * Returns the progress after an error in the steps with the token. Later requests with the callback run these steps again, or get the error
 * again after a {@link LoginError} with the reason `"refused_token"` or `"other_person"`.
 */
export function progressAfterError(error: unknown, token: TokenObj): Progress {
  const reason = error instanceof LoginError ? error.reason : null;
  if (reason === "refused_token") return { status: "failed", reason };
  return reason === "other_person"
    ? { status: "failed", reason: "session_ended" }
    : retainedToken(token);
}

/** Returns the progress with the token, so that another request with this callback can continue the login. */
function retainedToken(token: TokenObj): Progress {
  return { status: "exchanged", token, until: 0 };
}

/** Restores an outcome from its progress. */
function restore(serialized: unknown): LoginOutcome {
  // The value was serialized by `progressAfter`, so it has this type.
  const outcome = serialized as LoginOutcome;
  return { ...outcome, user: freeze(outcome.user), token: fromStoredToken(outcome.token) };
}

function otherSubjectError(): IdTokenError {
  return new IdTokenError(
    "The id_token was refused: it names another person than the access token",
    { reason: "claim", claim: "sub", hint: "Start a new login" },
  );
}
