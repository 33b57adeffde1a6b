/**
 * Reads the response of the token endpoint, with the webhook and the scopes that a login grants.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import { hideToken, hideWebhook } from "../core/hide_secrets.ts";
import { expiresAtFor, maxLifetimeSeconds, parseLifetime } from "../core/lifetime.ts";
import { type GuildObj, guildSchema } from "./guild.ts";
import { lazily, readPayload, type Report } from "./reading.ts";
import {
  convert,
  filledOrNull,
  looseObject,
  number,
  orNull,
  printable,
  type Schema,
  snowflake,
} from "./schemas.ts";
import { type UserObj, userSchema } from "./user.ts";

/**
 * The response to a token request, a secret: keep it on the server. A field that is missing or can't be read is `null`; only
 * `access_token`, `token_type`, `scope` and `scopes` are always there.
 *
 * `console.log(token)` shows `[hidden]` for each token, and for the URL and the token of a webhook. `JSON.stringify(token)` keeps
 * all secrets, so a token can be stored as JSON. `{ ...token }` and `console.table()` show them too, and so does `console.log` of
 * a token from `JSON.parse`.
 *
 * @example
 * ```ts
 * import { type TokenObj, User } from "@guildpass/sdk";
 * import { createFakePlatform } from "@guildpass/sdk/testing";
 *
 * const fake = createFakePlatform();
 * const stored = JSON.stringify(
 *   fake.issueToken({ scopes: ["identify"] }),
 * );
 *
 * const token: TokenObj = JSON.parse(stored);
 * const { username } = await new User(token, fake).getCurrentUser();
 * username; // "ada"
 * ```
 *
 * @typeParam Granted The granted scopes, used only in types; `any` if they are not known, as after `JSON.parse`.
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-5.1 | RFC 6749 section 5.1}
 */
// deno-lint-ignore no-explicit-any -- only any fits wherever a list of scopes does, and takes every list
export interface TokenObj<Granted extends string = any> extends GrantedScopes<Granted> {
  /** The access token, for `new User(…)`. */
  readonly access_token: string;
  /** The scheme of the `Authorization` header: `Bearer`. */
  readonly token_type: string;
  /** The lifetime of the access token, in seconds from the response; `null` if the response does not have it. */
  readonly expires_in: number | null;
  /**
   * The time when the access token expires, in milliseconds since the epoch. Computed from `expires_in` when the response arrives;
   * `null` without `expires_in`.
   */
  readonly expires_at: number | null;
  /** The refresh token, which works once; `null` for grants without a refresh token. */
  readonly refresh_token: string | null;
  /** The granted scopes, separated by spaces; the requested scopes if the response does not list any. */
  readonly scope: string;
  /** The granted scopes, as a list. */
  readonly scopes: readonly string[];
  /** The guild that the bot was added to; with the `bot` scope only. */
  readonly guild: GuildObj | null;
  /** The new webhook; with the `webhook.incoming` scope only. */
  readonly webhook: WebhookObj | null;
  /** The user's identity as a signed JWT, not verified yet; with the `openid` scope only. */
  readonly id_token: string | null;
}

/** Creates the schema of a token response. @internal */
export function tokenSchema(cdnUrl: string): Schema<SentToken> {
  return looseObject({
    access_token: printable(),
    token_type: v.string(),
    expires_in: orNull(seconds()),
    refresh_token: filledOrNull(),
    scope: orNull(v.string()),
    guild: orNull(lazily(guildSchema, cdnUrl)),
    webhook: orNull(lazily(webhookSchema, cdnUrl)),
    id_token: orNull(v.string()),
  }, "The token response");
}

/** A token response as Discord sends it. */
type SentToken = Omit<TokenObj, "expires_at" | "scopes" | "scope" | keyof GrantedScopes<never>> & {
  readonly scope: string | null;
};

/** A number of seconds. Text is converted. @internal */
export function seconds(): Schema<number> {
  const expected = "a number of seconds";
  return v.pipe(
    v.number(expected),
    v.minValue(0, expected),
    v.maxValue(maxLifetimeSeconds, expected),
    convert((value) => typeof value === "string" ? parseLifetime(value) ?? undefined : undefined),
  );
}

/**
 * Reads the response of the token endpoint.
 *
 * @param requested The requested scopes. They are the granted scopes if the response does not list any (RFC 6749 section 5.1).
 * @param refreshToken The refresh token to keep if the response does not have a new one (RFC 6749 section 6).
 * @throws {PayloadError} If `access_token` or `token_type` is missing or can't be read.
 */
export function toToken(
  payload: unknown,
  requested: string,
  cdnUrl: string,
  report: Report,
  refreshToken: string | null = null,
): TokenObj {
  const found = readPayload(tokenSchema, payload, report, cdnUrl);
  const { expires_in, webhook } = found;
  const scope = found.scope ?? requested;
  return hideToken({
    ...found,
    refresh_token: found.refresh_token ?? refreshToken,
    scope,
    webhook: webhook && hideWebhook(webhook),
    expires_at: expires_in === null ? null : expiresAtFor(expires_in),
    scopes: Object.freeze(scope.split(" ").filter(Boolean)),
  });
}

/**
 * A webhook that posts to a channel. The user chose the channel on the consent page. A field that is missing or can't be read
 * is `null`.
 *
 * @see {@link https://docs.discord.com/developers/resources/webhook#webhook-object | Discord: Webhook object}
 */
export interface WebhookObj {
  /** The webhook's id, a snowflake. */
  readonly id: string | null;
  /** The type of the webhook: 1 for incoming messages. */
  readonly type: number | null;
  /** The id of the webhook's guild, a snowflake. */
  readonly guild_id: string | null;
  /** The id of the webhook's channel, a snowflake. */
  readonly channel_id: string | null;
  /** The user who created the webhook. */
  readonly user: UserObj | null;
  /** The default name. A message can override it. */
  readonly name: string | null;
  /** The default avatar hash. A message can override it. */
  readonly avatar: string | null;
  /** The secret token of the webhook. */
  readonly token: string | null;
  /** The id of the application that created the webhook, a snowflake. */
  readonly application_id: string | null;
  /** The URL to post to, a secret. */
  readonly url: string | null;
}

/**
 * Creates the schema of a webhook. It lacks `source_guild` and `source_channel`: webhooks from a login do not have them.
 *
 * @internal
 */
export function webhookSchema(cdnUrl: string): Schema<WebhookObj> {
  return looseObject({
    id: orNull(snowflake()),
    type: orNull(number()),
    guild_id: orNull(snowflake()),
    channel_id: orNull(snowflake()),
    user: orNull(userSchema(cdnUrl)),
    name: orNull(v.string()),
    avatar: orNull(v.string()),
    token: orNull(v.string()),
    application_id: orNull(snowflake()),
    url: orNull(v.string()),
  });
}

/**
 * The scopes that satisfy a needed scope: the scope itself, and each scope including it.
 *
 * @typeParam Needed The scope that is needed.
 */
export type SufficientScope<Needed> =
  | Needed
  | (Needed extends "guilds" ? "sdk.social_layer" : never)
  | (Needed extends "identify" ? "sdk.social_layer" | "sdk.social_layer_presence" : never);

/** For each scope, the scopes that include it, the same as in {@link SufficientScope}: the compiler checks this. */
const scopesThatInclude = {
  guilds: { "sdk.social_layer": true },
  identify: { "sdk.social_layer": true, "sdk.social_layer_presence": true },
} satisfies {
  readonly [Name in "guilds" | "identify"]: Record<Exclude<SufficientScope<Name>, Name>, true>;
};

/** Returns true if the granted scopes contain the needed scope, or a scope that includes it. */
export function includesScope(granted: readonly string[], needed: string): boolean {
  const including: Readonly<Record<string, object>> = scopesThatInclude;
  return granted.some((scope) => scope === needed || Object.hasOwn(including[needed] ?? {}, scope));
}

/** The key of a property in types only. The key is not exported, so editors never suggest the property. */
declare const grantedScopes: unique symbol;

/**
 * A type with granted scopes, such as a token. The compiler accepts a token with additional scopes, and rejects a token with
 * missing scopes: the property has the type of a function that takes the scopes.
 *
 * @typeParam Scope The scopes that were granted.
 */
export interface GrantedScopes<Scope> {
  /**
   * Used only in types. The property does not exist at run time.
   *
   * @ignore
   */
  readonly [grantedScopes]?: ((scope: Scope) => void) | undefined;
}
