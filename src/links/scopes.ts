/**
 * The OAuth2 scopes the platform documents, and the check of a list of scopes.
 *
 * @module
 */

import { refuse } from "../core/arguments.ts";

/**
 * Every scope that the platform documents.
 *
 * @see {@link https://docs.discord.com/developers/topics/oauth2#shared-resources-oauth2-scopes | Scopes in the platform's documentation}
 */
export const knownScopes = [
  "activities.invites.write",
  "activities.read",
  "activities.write",
  "applications.builds.read",
  "applications.builds.upload",
  "applications.commands",
  "applications.commands.permissions.update",
  "applications.commands.update",
  "applications.entitlements",
  "applications.store.update",
  "bot",
  "connections",
  "dm_channels.read",
  "email",
  "gdm.join",
  "guilds",
  "guilds.join",
  "guilds.members.read",
  "identify",
  "identify.premium",
  "messages.read",
  "openid",
  "relationships.read",
  "role_connections.write",
  "rpc",
  "rpc.activities.write",
  "rpc.notifications.read",
  "rpc.screenshare.read",
  "rpc.screenshare.write",
  "rpc.video.read",
  "rpc.video.write",
  "rpc.voice.read",
  "rpc.voice.write",
  "sdk.social_layer",
  "sdk.social_layer_presence",
  "voice",
  "webhook.incoming",
] as const;

/** A scope that the platform documents. */
export type KnownScope = (typeof knownScopes)[number];

/**
 * A scope: a {@link KnownScope}, or any other string without white space, since the platform keeps adding new ones.
 *
 * @see {@link https://docs.discord.com/developers/topics/oauth2#shared-resources-oauth2-scopes | Scopes in the platform's documentation}
 */
export type Scope = KnownScope | (string & Record<never, never>);

/** Checks a list of scopes, and joins it as the platform takes it, each scope once (RFC 6749 section 3.3). */
export function scopeText(scopes: readonly string[]): string {
  const expected = "one scope per entry";
  if (!Array.isArray(scopes) || scopes.length === 0) refuse("scope", expected, scopes);
  for (const scope of scopes) {
    if (typeof scope !== "string" || !/^[!-+.-~-]+$/.test(scope)) refuse("scope", expected, scope);
  }
  return [...new Set(scopes)].join(" ");
}

/**
 * Checks that no scope is one slip away from a known one; other unknown scopes pass. Apart from {@link scopeText}, since
 * pages, which call only that, would ship the list of known scopes.
 */
export function checkSpelling(scopes: readonly string[]): void {
  scopes.forEach((scope, index) => {
    const meant = likelyMeant(scope);
    if (meant) {
      throw new TypeError(`scope[${index}] is no scope of the platform: did you mean "${meant}"?`);
    }
  });
}

/** The known scope that was probably meant; `undefined` for a known one, and for one that resembles none of them. */
function likelyMeant(scope: string): string | undefined {
  const known: readonly string[] = knownScopes;
  if (known.includes(scope)) return undefined;
  const simple = simplified(scope);
  return known.find((candidate) => isOneSlipAway(simple, simplified(candidate)));
}

/** Without what is easily confused: case, and the characters between words. */
function simplified(scope: string): string {
  return scope.toLowerCase().replace(/[^a-z]/g, "");
}

/** Whether a letter too many, a missing or a wrong one, or two that swapped places are all that differs. */
function isOneSlipAway(text: string, known: string): boolean {
  let start = 0;
  while (start < text.length && text[start] === known[start]) start++;
  const rest = text.slice(start);
  const knownRest = known.slice(start);
  if (rest === knownRest) return true;
  // A slip turns a word of four letters into too many others.
  if (known.length < 5) return false;
  const swapped = `${rest[1]}${rest[0]}${rest.slice(2)}`;
  return rest.slice(1) === knownRest || rest === knownRest.slice(1) ||
    rest.slice(1) === knownRest.slice(1) || swapped === knownRest;
}
