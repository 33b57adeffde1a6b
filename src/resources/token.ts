/**
 * The answer of the token endpoint.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import { hideToken } from "../core/hide_secrets.ts";
import { expiresAtFor, longestLifetime, parseLifetime } from "../core/lifetime.ts";
import { guild, type GuildObj, type SentGuild, wholeGuild } from "./guild.ts";
import { freeze, readAnswer, type Report } from "./reading.ts";
import type { GrantedScopes } from "./granted_scopes.ts";
import { object, optional, printable, required, type Shape, string } from "./shapes.ts";
import { type WithSentUser, withUserAvatarUrl } from "./user.ts";
import { hideWebhook, webhook, type WebhookObj } from "./webhook.ts";

/**
 * The answer to a token request. It *is* the secret: keep it on the server. A field is `null` when the platform did not send it
 * or sent something that can't be read: what comes beside a token never costs the token.
 *
 * `console.log(token)` shows `[hidden]` for the tokens in it, and for the URL and the token of a webhook. `JSON.stringify(token)`,
 * a copy such as `{ ...token }` and `console.table()` have all of it. So a token is stored as JSON, and what `JSON.parse` gives is a
 * `TokenObj` again, but one that prints its secrets.
 *
 * @example Storing a token
 * ```ts
 * import { type TokenObj, User } from "@guildpass/sdk";
 * import { createFakePlatform } from "@guildpass/sdk/testing";
 *
 * const fake = createFakePlatform();
 * const stored = JSON.stringify(fake.issueToken({ scopes: ["identify"] }));
 *
 * const token: TokenObj = JSON.parse(stored);
 * const { username } = await new User(token, fake).getCurrentUser();
 * username; // "ada"
 * ```
 *
 * @typeParam Granted The scopes it was granted, for the compiler; `any` when they are not known, as after `JSON.parse`.
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-5.1 | RFC 6749 section 5.1}
 */
// deno-lint-ignore no-explicit-any -- only any fits wherever a list of scopes does, and takes every list
export interface TokenObj<Granted extends string = any> extends GrantedScopes<Granted> {
  /** The access token, for `new User(…)`. */
  readonly access_token: string;
  /** How the access token is sent: `Bearer`. */
  readonly token_type: string;
  /** Seconds from the answer on for which the access token works; `null` when the platform does not say. */
  readonly expires_in: number | null;
  /**
   * When the access token ends, in milliseconds since the epoch; fixed when the answer came, and `null` when the platform does
   * not say.
   */
  readonly expires_at: number | null;
  /** The single-use token for a new access token; `null` for grants that have none. */
  readonly refresh_token: string | null;
  /** What was granted, separated by spaces; what was asked for, when the platform does not say. */
  readonly scope: string;
  /** What was granted, as a list. */
  readonly scopes: readonly string[];
  /** The guild a bot was added to, when the login had the `bot` scope. */
  readonly guild: GuildObj | null;
  /** The webhook that was made, when the login had the `webhook.incoming` scope. */
  readonly webhook: WebhookObj | null;
  /** Who logged in, as a signed JWT, when the login had the `openid` scope. Not verified here. */
  readonly id_token: string | null;
}

/** A number of seconds; text that is one becomes one. @internal */
export const seconds: Shape<number> = {
  expected: "a number of seconds",
  schema: v.pipe(v.number(), v.minValue(0), v.maxValue(longestLifetime)),
  mend: (found) => typeof found === "string" ? parseLifetime(found) ?? undefined : undefined,
};

/** The fields of a token answer, as the platform sends them. */
type SentToken =
  & Omit<
    TokenObj,
    "expires_at" | "scopes" | "scope" | "guild" | "webhook" | keyof GrantedScopes<never>
  >
  & {
    readonly scope: string | null;
    readonly guild: SentGuild | null;
    readonly webhook: WithSentUser<WebhookObj> | null;
  };

/** The shape of a token answer. @internal */
export const token = object<SentToken>({
  access_token: required(printable),
  token_type: required(string),
  expires_in: optional(seconds),
  refresh_token: optional(string),
  scope: optional(string),
  guild: optional(guild),
  webhook: optional(webhook),
  id_token: optional(string),
});

/**
 * Reads the answer of the token endpoint.
 *
 * @param requested The scopes that were asked for: they are granted when the answer does not say (RFC 6749 section 5.1).
 * @param refreshToken The refresh token when the answer has none: after a refresh, the one that was sent (RFC 6749 section 6).
 * @throws {PayloadError} When `access_token` or `token_type` is missing or can't be read.
 */
export function toToken(
  payload: unknown,
  requested: string,
  cdnUrl: string,
  report: Report,
  refreshToken: string | null = null,
): TokenObj {
  const found = readAnswer("The token answer", token, payload, report);
  const { expires_in } = found;
  const scope = found.scope ?? requested;
  return freeze(hideToken({
    ...found,
    refresh_token: found.refresh_token ?? refreshToken,
    scope,
    guild: found.guild && wholeGuild(found.guild, cdnUrl),
    webhook: found.webhook && hideWebhook(withUserAvatarUrl(found.webhook, cdnUrl)),
    expires_at: expires_in === null ? null : expiresAtFor(expires_in),
    scopes: scope.split(" ").filter(Boolean),
  }));
}
