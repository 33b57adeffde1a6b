/**
 * Reads the person of an `id_token`.
 *
 * @module
 */

import { createReport } from "../../http/options.ts";
import { checkIdToken } from "../../openid/verify_id_token.ts";
import type { TokenObj } from "../../resources/token.ts";
import type { ApiClients } from "../sessions/api_clients.ts";
import type { CheckedLoginOptions } from "../site/checked_options.ts";
import type { PendingLogin } from "../base/pending_login.ts";

/**
 * Checks the `id_token`, and returns the id of its person. If the `id_token` is missing, the code comes from an authorization URL without
 * `openid`, and so not from this login.
 *
 * @throws {IdTokenError} If the `id_token` is missing or not for this login.
 */
export async function readSubject(
  { clientId, onUnexpected }: CheckedLoginOptions,
  clients: ApiClients,
  { id_token: idToken, access_token: accessToken }: TokenObj,
  { nonce }: PendingLogin,
): Promise<string> {
  if (idToken === null) {
    const report = createReport(onUnexpected, { method: "POST", path: "/oauth2/token" });
    report([{ path: "id_token", message: "expected text for the scope openid, received null" }]);
  }
  return await checkIdToken(idToken, { ...clients.options(), clientId, nonce, accessToken });
}
