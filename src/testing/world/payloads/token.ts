/**
 * Describes the response of the token endpoint.
 *
 * @module
 */

import type { GuildPayload } from "./guild.ts";

/** The response of the token endpoint. */
export interface TokenPayload {
  /** The access token. It starts with `fake_`. */
  readonly access_token: string;
  /** The type of the token. */
  readonly token_type: "Bearer";
  /** The lifetime of the access token, in seconds. */
  readonly expires_in: number;
  /** The refresh token; absent for client credentials. */
  readonly refresh_token?: string;
  /** The granted scopes, separated by spaces. */
  readonly scope: string;
  /** The guild that the bot was added to, with the scope `bot`. */
  readonly guild?: GuildPayload;
  /** The new webhook, with the scope `webhook.incoming`. */
  readonly webhook?: WebhookPayload;
  /** The user's identity as a signed JWT, with the scope `openid`. */
  readonly id_token?: string;
}

/** The webhook from the scope `webhook.incoming`. */
export interface WebhookPayload {
  /** The webhook's id. */
  readonly id: string;
  /** The type: 1 for an incoming webhook. */
  readonly type: 1;
  /** The id of the webhook's guild. */
  readonly guild_id: string;
  /** The id of the webhook's channel. */
  readonly channel_id: string;
  /** The webhook's name: the name of the application. */
  readonly name: string;
  /** The avatar hash. */
  readonly avatar: string | null;
  /** The secret token. */
  readonly token: string;
  /** The id of the webhook's application. */
  readonly application_id: string;
  /** The URL for posts. The URL contains the secret token. */
  readonly url: string;
}
