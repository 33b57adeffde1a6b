/**
 * Lists the OAuth2 scopes of Discord, and checks lists of scopes.
 *
 * @module
 */

import { kindOf, throwBadArgument, throwBadValue } from "../core/arguments.ts";
import { misspelledName } from "../core/did_you_mean.ts";

/**
 * Every scope that Discord documents. {@link approvalScopes} lists the scopes that need Discord's approval.
 *
 * @see {@link https://docs.discord.com/developers/topics/oauth2#shared-resources-oauth2-scopes | Discord: Scopes}
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

/**
 * The known scopes that need Discord's approval. Without approval, the consent page looks as usual, but ends with the error
 * `invalid_scope`. Some of these scopes work for invited testers of the application, so test with another account.
 *
 * @see {@link https://docs.discord.com/developers/topics/oauth2#shared-resources-oauth2-scopes | Discord: Scopes}
 */
export const approvalScopes: readonly KnownScope[] = [
  "activities.invites.write",
  "activities.read",
  "activities.write",
  "applications.builds.upload",
  "dm_channels.read",
  "gdm.join",
  "identify.premium",
  "messages.read",
  "relationships.read",
  "rpc",
  "rpc.activities.write",
  "rpc.notifications.read",
  "rpc.screenshare.read",
  "rpc.screenshare.write",
  "rpc.video.read",
  "rpc.video.write",
  "rpc.voice.read",
  "rpc.voice.write",
  "voice",
];

/** A scope that Discord documents. */
export type KnownScope = (typeof knownScopes)[number];

/**
 * A scope: a {@link KnownScope}, or any other string without whitespace, since Discord keeps adding scopes.
 *
 * @see {@link https://docs.discord.com/developers/topics/oauth2#shared-resources-oauth2-scopes | Discord: Scopes}
 */
export type Scope = KnownScope | (string & Record<never, never>);

/**
 * A scope, or, if it misspells a known scope by one letter, the known scope. The compiler then rejects the misspelling and shows the
 * known scope. It rejects several scopes in one string too.
 *
 * @typeParam Name The scope, as it is written.
 */
export type SpelledScope<Name extends Scope> = string extends Name ? Scope
  : Name extends KnownScope ? Name
  : Name extends `${string} ${string}` ? "one scope in each string"
  // The compiler computes these types for a known `Name` only, since a check of all known scopes for each type parameter takes long.
  : MeantScope<Name> extends infer Meant ? [Meant] extends [never] ? Name : Meant
  : never;

/** The known scopes that differ from a name in one letter. */
type MeantScope<Name extends string> = Name extends string ? NearScope<Name, KnownScope> : never;

type NearScope<Name extends string, Known extends string> = Known extends string
  ? IsNear<Name, Known> extends true ? Known : never
  : never;

/**
 * True if two texts differ in one letter: after their common start, both or one of them has a letter of its own, or two letters are
 * swapped.
 */
type IsNear<One extends string, Other extends string> = One extends `${infer First}${infer Rest}`
  ? Other extends `${First}${infer OtherRest}` ? IsNear<Rest, OtherRest>
  : Rest extends Other | WithoutFirst<Other> ? true
  : Other extends WithFirstTwoSwapped<One> ? true
  : One extends WithoutFirst<Other> ? true
  : false
  : One extends WithoutFirst<Other> ? true
  : false;

type WithFirstTwoSwapped<Text extends string> = Text extends
  `${infer First}${infer Second}${infer Rest}` ? `${Second}${First}${Rest}` : never;

type WithoutFirst<Text extends string> = Text extends `${string}${infer Rest}` ? Rest : never;

/** Checks a list of scopes, and joins the scopes without duplicates (RFC 6749 section 3.3). */
export function joinScopes(scopes: readonly string[]): string {
  if (!Array.isArray(scopes) || !scopes.length) {
    // It does not ask if a variable is set, since variables hold text only.
    throwBadValue("scope", 'a list like ["identify"]', kindOf(scopes, ""));
  }
  for (const [index, scope] of scopes.entries()) {
    if (typeof scope !== "string" || !/^[!-+.-~-]+$/.test(scope)) {
      throwBadArgument(`scope[${index}]`, 'one scope like "identify"', scope);
    }
  }
  return [...new Set(scopes)].join(" ");
}

/** Checks and joins the scopes of a link. It rejects `applications.commands.update`, a scope for client credentials only. */
export function joinLinkScopes(scopes: readonly string[]): string {
  const text = joinScopes(scopes);
  if (scopes.includes("applications.commands.update")) {
    throw new TypeError(
      'scope "applications.commands.update" needs clientCredentials(), not a link',
    );
  }
  return text;
}

/** Checks the scopes of a link, and their spelling. */
export function checkLinkScopes(scopes: readonly string[]): void {
  joinLinkScopes(scopes);
  checkScopeSpelling(scopes);
}

/**
 * Throws if a scope is a misspelled known scope. It accepts other unknown scopes.
 *
 * {@link joinScopes} does not do this, since a page would then download the list of known scopes.
 */
export function checkScopeSpelling(scopes: readonly string[]): void {
  scopes.forEach((scope, index) => checkOneSpelling(`scope[${index}]`, scope));
}

/** Throws if one scope is a misspelled known scope. */
export function checkOneSpelling(argument: string, scope: string): void {
  const known: readonly string[] = knownScopes;
  const meant = known.includes(scope) ? undefined : misspelledName(scope, known);
  if (meant) throw new TypeError(`${argument} is not a known scope: did you mean "${meant}"?`);
}
