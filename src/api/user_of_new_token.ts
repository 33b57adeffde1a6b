/**
 * Reads the user of a token that the platform has just issued.
 *
 * @module
 */

import type { ObservedOptions } from "../http/options.ts";
import { sharedReads } from "../http/shared_reads.ts";
import type { TokenObj } from "../resources/token.ts";
import type { UserObj } from "../resources/user.ts";
import { readAccessToken, requireScope } from "./access_token.ts";
import {
  authorizationOf,
  cacheKeyOf,
  createAuthorizedClient,
  requestModel,
} from "./authorized_client.ts";
import { operations, readerOf, requestOf } from "./operations.ts";

/**
 * Reads the user of a new token, as `User.getCurrentUser()` does, and caches the model for it. No other call has the token yet, so there is
 * no read to share.
 *
 * @param freshFor The lifetime of the cached model, in seconds; 0 for none.
 * @throws The errors of `User.getCurrentUser()`.
 */
export async function readUserOfNewToken(
  given: TokenObj,
  options: ObservedOptions,
  freshFor: number,
): Promise<UserObj> {
  const client = createAuthorizedClient(options, "Bearer");
  const token = readAccessToken(given);
  const request = requestOf("getCurrentUser", {});
  requireScope(token, request.operation, operations.getCurrentUser.scope);
  const user = await requestModel(client, token, request, readerOf("getCurrentUser"));
  if (freshFor > 0) {
    const digest = client.digests.of(authorizationOf(token, "Bearer"));
    const { cdnUrl } = client.options;
    sharedReads.put(client.options, digest, cacheKeyOf(request, cdnUrl), user);
  }
  return user;
}
