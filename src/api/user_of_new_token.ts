/**
 * Reads the user of a token that the platform has just issued.
 *
 * @module
 */

import { createHttp } from "../http/http.ts";
import { Digests } from "../http/keyed_digest.ts";
import { checkOptions, type ObservedOptions } from "../http/options.ts";
import { Queue } from "../http/queue.ts";
import { createReport } from "../http/report.ts";
import { sharedReads } from "../http/shared_reads.ts";
import type { TokenObj } from "../resources/token.ts";
import type { UserObj } from "../resources/user.ts";
import { readPayload } from "../resources/reading.ts";
import { readAccessToken, requireScope } from "./access_token.ts";
import { cacheKeyOf, hintFor } from "./authorized_http.ts";
import { operations, requestOf } from "./operations.ts";

/**
 * Reads the user of a new token, as `User.getCurrentUser()` does, and caches the model for it. No other call has the token yet, so there is
 * no read to share.
 *
 * @param options The options of the client, with the lifetime of cached results in seconds.
 * @throws The errors of `User.getCurrentUser()`.
 */
export async function readUserOfNewToken(
  given: TokenObj,
  options: ObservedOptions & { readonly freshFor: number },
): Promise<UserObj> {
  const checked = checkOptions(options);
  const token = readAccessToken(given);
  const request = requestOf("getCurrentUser", {});
  requireScope(token, request.operation, operations.getCurrentUser.scope);
  const authorization = `Bearer ${token.token}`;
  const digests = new Digests();
  const queue = new Queue(checked, digests);
  const payload = await createHttp(checked, () => queue)({
    ...request,
    authorization,
    hint: (httpStatus) => hintFor(token, "Bearer", httpStatus, request),
  });
  const { cdnUrl } = checked;
  const report = createReport(options.onUnexpected, { method: "GET", path: request.path });
  const user = readPayload(operations.getCurrentUser.response, payload, report, cdnUrl);
  if (options.freshFor > 0) {
    sharedReads.put(checked, digests.of(authorization), cacheKeyOf(request, cdnUrl), user);
  }
  return user;
}
