/**
 * Issues tokens without a login.
 *
 * @module
 */

import type { Scope, SpelledScope } from "../../links/scopes.ts";
import { findApplication, findUser } from "../world/find.ts";
import type { TokenPayload } from "../world/payloads/token.ts";
import { type Fields, listOf, optional, string, throwUnless } from "../world/schema.ts";
import { issueTokens, newGrant } from "../world/tokens.ts";
import type { World } from "../world/world.ts";

/**
 * The options of {@link FakePlatform.issueToken}.
 *
 * @typeParam Granted The scopes of the option `scopes`.
 */
// deno-lint-ignore no-explicit-any -- as for TokenObj
export interface FakeTokenRequest<Granted extends Scope = any> {
  /**
   * The id or the username of the user.
   * @default the first user
   */
  readonly as?: string | undefined;
  /**
   * The granted scopes. Scopes that need the platform's approval are allowed.
   * @default ["identify"]
   */
  readonly scopes?: (readonly SpelledScope<Granted>[] & readonly Scope[]) | undefined;
  /**
   * The id of the application.
   * @default the first application
   */
  readonly clientId?: string | undefined;
}

export function tokenRequestFields(): Fields<FakeTokenRequest> {
  return { as: optional(string), scopes: optional(listOf(string)), clientId: optional(string) };
}

/** Issues a user's tokens to an application, as if the user had consented. */
export function issueToken(world: World, request: FakeTokenRequest): TokenPayload {
  const { as, clientId, scopes = ["identify"] } = request;
  const user = findUser(world, as);
  const application = findApplication(world, clientId);
  const unknown = scopes.find((scope) => !world.knownScopes.has(scope));
  throwUnless(unknown === undefined, "known to the platform", unknown, "scopes");
  return issueTokens(world, newGrant(application, user, [...scopes]));
}
