/**
 * Tokens and what comes with them, as on the wire.
 *
 * @module
 */

import type { GuildPayload } from "./guild.ts";

/** What the token endpoint answers. */
export interface TokenPayload {
  /** The access token; always starts with `fake_`. */
  readonly access_token: string;
  /** Always `Bearer`. */
  readonly token_type: "Bearer";
  /** The lifetime in seconds. */
  readonly expires_in: number;
  /** The refresh token; absent for client credentials. */
  readonly refresh_token?: string;
  /** The granted scopes, separated by spaces. */
  readonly scope: string;
  /** The guild the bot was added to, for the `bot` scope. */
  readonly guild?: GuildPayload;
  /** The webhook that was created, for the `webhook.incoming` scope. */
  readonly webhook?: WebhookPayload;
  /** The signed identity, for the `openid` scope. */
  readonly id_token?: string;
}

/** The webhook that `webhook.incoming` creates. */
export interface WebhookPayload {
  /** The webhook's id. */
  readonly id: string;
  /** 1: incoming. */
  readonly type: 1;
  /** The guild it posts to. */
  readonly guild_id: string;
  /** The channel it posts to. */
  readonly channel_id: string;
  /** Its name: the application's. */
  readonly name: string;
  /** Its avatar hash. */
  readonly avatar: string | null;
  /** Its secret token. */
  readonly token: string;
  /** The application that created it. */
  readonly application_id: string;
  /** Where to post to; holds the secret token. */
  readonly url: string;
}
