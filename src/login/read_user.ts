/**
 * Reads the person of a new token, and checks that the person may finish the login.
 *
 * @module
 */

import { ApiError, IdTokenError } from "../core/errors.ts";
import { createReport } from "../http/report.ts";
import { checkIdToken } from "../openid/verify_id_token.ts";
import type { TokenObj } from "../resources/token.ts";
import type { UserObj } from "../resources/user.ts";
import type { LoginParts } from "./assembly.ts";
import { otherPersonError, refusedNewTokenError } from "./login_error.ts";
import { type PendingLogin, personOf } from "./pending_logins.ts";

/**
 * Reads the person of a new token.
 *
 * @throws {IdTokenError} If the `id_token` is not for this login.
 * @throws {LoginError} If the platform refuses the token, or the login renews or extends the session of another person.
 */
export async function readUser(
  parts: LoginParts,
  token: TokenObj,
  pending: PendingLogin,
): Promise<UserObj> {
  const { purpose } = pending;
  const subject = await readSubject(parts, token, pending);
  // The session's `api` reads this response from the cache.
  const user = await parts.clients.readUser(token, personOf(purpose)).catch((error) => {
    throw error instanceof ApiError && error.httpStatus === 401 ? refusedNewTokenError() : error;
  });
  if (subject !== null && user.id !== subject) throw otherSubjectError();
  // A renewal does not show a page, so it must not log the visitor in as another person. A consent for further scopes must not either.
  if (purpose.kind !== "login" && user.id !== purpose.userId) {
    throw otherPersonError(purpose.kind);
  }
  return user;
}

/**
 * Checks the `id_token`, and returns the id of its person, or `null` if the login did not ask for `openid`. If the `id_token` is missing,
 * the code comes from an authorization URL without `openid`, and so not from this login.
 *
 * @throws {IdTokenError} If the `id_token` is missing or not for this login.
 */
async function readSubject(
  { options: { clientId, onUnexpected }, clients }: LoginParts,
  token: TokenObj,
  { nonce, scope }: PendingLogin,
): Promise<string | null> {
  if (!scope.includes("openid")) return null;
  const { id_token: idToken, access_token: accessToken } = token;
  if (idToken === null) {
    const report = createReport(onUnexpected, { method: "POST", path: "/oauth2/token" });
    report([{ path: "id_token", message: "expected text for the scope openid, received null" }]);
  }
  return await checkIdToken(idToken, { ...clients.options(), clientId, nonce, accessToken });
}

function otherSubjectError(): IdTokenError {
  return new IdTokenError(
    "The id_token was refused: it names another person than the access token",
    { reason: "claim", claim: "sub", hint: "Start a new login" },
  );
}
