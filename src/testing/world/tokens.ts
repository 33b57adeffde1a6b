/**
 * Issues tokens, and revokes them.
 *
 * @module
 */

import { base64url } from "./encoding.ts";
import type { TokenPayload } from "./payloads/token.ts";
import type { Grant, World } from "./world.ts";
import { applicationUserKey } from "./world.ts";

/** Issues an access token and a refresh token for a user's grant. */
export function issueTokens(
  world: World,
  grant: Grant,
): TokenPayload & { readonly refresh_token: string } {
  return {
    access_token: issueAccessToken(world, grant),
    token_type: "Bearer",
    expires_in: world.tokenLifetimeSeconds,
    refresh_token: issueRefreshToken(world, grant),
    scope: grant.scopes.join(" "),
  };
}

export function issueAccessToken(world: World, grant: Grant): string {
  const value = randomToken("access");
  const expiresAt = world.now() + world.tokenLifetimeSeconds * 1000;
  world.accessTokens.set(value, { grant, expiresAt });
  return value;
}

function issueRefreshToken(world: World, grant: Grant): string {
  const value = randomToken("refresh");
  world.refreshTokens.set(value, grant);
  return value;
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
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `fake_${kind}_${base64url(bytes)}`;
}
