/**
 * Reads the person of a new token, and checks that the person may finish the login.
 *
 * @module
 */

import { ApiError, IdTokenError } from "../../core/errors.ts";
import type { TokenObj } from "../../resources/token.ts";
import type { UserObj } from "../../resources/user.ts";
import { readSubject } from "./id_token_subject.ts";
import type { LoginParts } from "./login_parts.ts";
import { otherPersonError, refusedNewTokenError } from "../base/login_error.ts";
import { type PendingLogin, personOf } from "../base/pending_login.ts";

/**
 * Reads the person of a new token.
 *
 * @throws {IdTokenError} If the `id_token` is not for this login.
 * @throws {LoginError} If the platform refuses the token, or the login renews or extends the session of another person.
 */
export async function readUser(
  { options, clients }: LoginParts,
  token: TokenObj,
  pending: PendingLogin,
): Promise<UserObj> {
  const { purpose } = pending;
  const subject = pending.scope.includes("openid")
    ? await readSubject(options, clients, token, pending)
    : null;
  // The session's `api` reads this response from the cache.
  const user = await clients.readUser(token, personOf(purpose)).catch((error) => {
    throw error instanceof ApiError && error.httpStatus === 401 ? refusedNewTokenError() : error;
  });
  if (subject !== null && user.id !== subject) throw otherSubjectError();
  // A renewal does not show a page, so it must not log the visitor in as another person. A consent for further scopes must not either.
  if (purpose.kind !== "login" && user.id !== purpose.userId) {
    throw otherPersonError(purpose.kind);
  }
  return user;
}

function otherSubjectError(): IdTokenError {
  return new IdTokenError(
    "The id_token was refused: it names another person than the access token",
    { reason: "claim", claim: "sub", hint: "Start a new login" },
  );
}
