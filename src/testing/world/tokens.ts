/**
 * Giving out tokens, and taking them back.
 *
 * @module
 */

import { base64url } from "./encoding.ts";
import type { Grant, World } from "./world.ts";
import { applicationUserKey } from "./world.ts";

export function issueAccessToken(world: World, grant: Grant, scopes: readonly string[]): string {
  const value = randomToken("access");
  const expiresAt = world.now() + world.tokenLifetime * 1000;
  world.accessTokens.set(value, { grant, scopes, expiresAt });
  return value;
}

function issueRefreshToken(world: World, grant: Grant): string {
  const value = randomToken("refresh");
  world.refreshTokens.set(value, grant);
  return value;
}

/** The tokens that every grant made by a person gets. */
export function issueTokens(
  world: World,
  grant: Grant,
  scopes: readonly string[],
): {
  access_token: string;
  token_type: "Bearer";
  expires_in: number;
  refresh_token: string;
  scope: string;
} {
  return {
    access_token: issueAccessToken(world, grant, scopes),
    token_type: "Bearer",
    expires_in: world.tokenLifetime,
    refresh_token: issueRefreshToken(world, grant),
    scope: scopes.join(" "),
  };
}

/**
 * Takes an authorization back: every token and every unused code that the application has of that person ends, on all
 * devices, and the next login asks for consent again.
 *
 * @returns Whether there was an authorization.
 */
export function revokeAuthorization(
  world: World,
  revoked: Pick<Grant, "application" | "user">,
): boolean {
  const { application, user } = revoked;
  const grants = [
    ...Array.from(world.codes.values(), ({ grant }) => grant),
    ...Array.from(world.accessTokens.values(), ({ grant }) => grant),
    ...world.refreshTokens.values(),
  ];
  const ended = grants.filter((grant) =>
    grant.consented && !grant.revoked && grant.application === application && grant.user === user
  );
  for (const grant of ended) grant.revoked = true;
  return world.grantedScopes.delete(applicationUserKey(application, user)) || ended.length > 0;
}

/** 256 random bits. The prefix shows whoever finds it in a log that it is not a real token. */
export function randomToken(kind: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `fake_${kind}_${base64url(bytes)}`;
}
