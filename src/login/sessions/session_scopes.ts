/**
 * Finds the scopes of a session, which the next consent asks for again.
 *
 * @module
 */

import { usesPkce } from "../../links/pkce.ts";
import type { NewSession, SessionState } from "./session_storage.ts";

/**
 * The scopes that are granted for one guild at a time. A later consent to these scopes would install the application once more, and a token
 * without them has the same access.
 */
export const installScopes: readonly string[] = [
  "bot",
  "webhook.incoming",
  "applications.commands",
];

/**
 * Returns the scopes of a session and of its person's kept token, without the install scopes.
 *
 * @param personTokens The tokens for background jobs, or `null`.
 */
export async function scopesOfSession(
  personTokens: { scopesOf(userId: string): Promise<readonly string[]> } | null,
  { userId, scopes }: SessionState,
): Promise<readonly string[]> {
  // Another session may have brought a token with more scopes, which all sessions of the person share.
  const kept = await personTokens?.scopesOf(userId) ?? [];
  const granted = withoutInstalls([...scopes, ...kept]);
  // The application may have saved a token without `openid`.
  return usesPkce(granted) ? granted : [...granted, "openid"];
}

/** Returns scopes without the ones that would install the application once more. */
export function withoutInstalls(scopes: readonly string[]): readonly string[] {
  return scopes.filter((scope) => !installScopes.includes(scope));
}

/**
 * Returns true if another consent has given the session scopes that this consent neither asked for nor got.
 */
export function lacksScopes(
  { token, asked }: Pick<NewSession, "token" | "asked">,
  scopes: readonly string[],
): boolean {
  // Discord may grant fewer scopes than it was asked for.
  const own = [...asked, ...token.scopes];
  // Discord returns a webhook only once, so the application gets it now.
  return token.webhook === null && withoutInstalls(scopes).some((one) => !own.includes(one));
}
