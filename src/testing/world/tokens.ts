/**
 * Issues tokens, and revokes them.
 *
 * @module
 */

import { randomText } from "../../core/base64url.ts";
import type { Application } from "./application.ts";
import type { TokenPayload } from "./payloads/token.ts";
import type { User } from "./user.ts";
import type { Grant, World } from "./world.ts";
import { applicationUserKey } from "./world.ts";

/** Creates the grant of a user who has consented. */
export function newGrant(application: Application, user: User, scopes: readonly string[]): Grant {
  return { application, user, scopes, consented: true, revoked: false };
}

/** Issues an access token and a refresh token for a user's grant. */
export function issueTokens(
  world: World,
  grant: Grant,
): TokenPayload & { readonly refresh_token: string } {
  const refresh_token = randomToken("refresh");
  world.refreshTokens.set(refresh_token, grant);
  return { ...issueAccessToken(world, grant), refresh_token };
}

/** Issues an access token alone. */
export function issueAccessToken(
  world: World,
  grant: Grant,
): Pick<TokenPayload, "access_token" | "token_type" | "expires_in" | "scope"> {
  const access_token = randomToken("access");
  const expires_in = world.tokenLifetimeSeconds;
  world.accessTokens.set(access_token, { grant, expiresAt: world.now() + expires_in * 1000 });
  return { access_token, token_type: "Bearer", expires_in, scope: grant.scopes.join(" ") };
}

/**
 * Revokes an authorization: ends all tokens and unused codes of the application for this user, on all devices. The next login
 * asks for consent again.
 *
 * @returns True if the user had authorized the application.
 */
export function revokeAuthorization(
  world: World,
  { application, user }: Pick<Grant, "application" | "user">,
): boolean {
  const grants = [
    ...Array.from(world.codes.values(), ({ grant }) => grant),
    ...Array.from(world.accessTokens.values(), ({ grant }) => grant),
    ...world.refreshTokens.values(),
  ];
  const revoked = grants.filter((grant) =>
    grant.consented && !grant.revoked && grant.application === application && grant.user === user
  );
  for (const grant of revoked) grant.revoked = true;
  return world.grantedScopes.delete(applicationUserKey(application, user)) || revoked.length > 0;
}

/** Creates a token of 256 random bits. The prefix marks the token as fake in logs. */
export function randomToken(kind: string): string {
  return `fake_${kind}_${randomText()}`;
}
