/**
 * A webhook.
 *
 * @module
 */

import { hideSecrets } from "../core/hide_secrets.ts";
import { number, object, optional, snowflake, string } from "./shapes.ts";
import { user, type UserObj, type WithSentUser } from "./user.ts";

/**
 * The webhook that a person chose a channel for. A field is `null` when the platform did not send it or sent something that
 * can't be read.
 *
 * @see {@link https://docs.discord.com/developers/resources/webhook#webhook-object | The webhook object in the platform's documentation}
 */
export interface WebhookObj {
  /** The webhook's id, a snowflake. */
  readonly id: string | null;
  /** Type of the webhook: 1, as it is for messages that come in. */
  readonly type: number | null;
  /** Id of the guild it posts to, a snowflake. */
  readonly guild_id: string | null;
  /** Id of the channel it posts to, a snowflake. */
  readonly channel_id: string | null;
  /** Who made it. */
  readonly user: UserObj | null;
  /** The name it posts with, unless a message has another one. */
  readonly name: string | null;
  /** Hash of the avatar it posts with, unless a message has another one. */
  readonly avatar: string | null;
  /** The token that posts to the webhook: a secret. */
  readonly token: string | null;
  /** Id of the application that made it, a snowflake. */
  readonly application_id: string | null;
  /** The URL that posts to the webhook: a secret. */
  readonly url: string | null;
}

/** The shape of a webhook. `source_guild` and `source_channel` belong to webhooks that no login makes. @internal */
export const webhook = object<WithSentUser<WebhookObj>>({
  id: optional(snowflake),
  type: optional(number),
  guild_id: optional(snowflake),
  channel_id: optional(snowflake),
  user: optional(user),
  name: optional(string),
  avatar: optional(string),
  token: optional(string),
  application_id: optional(snowflake),
  url: optional(string),
});

const shownOfWebhook: readonly string[] = [
  "id",
  "type",
  "guild_id",
  "channel_id",
  "user",
  "name",
  "avatar",
  "application_id",
];

/** A copy of a webhook that prints without its secrets. */
export function hideWebhook(webhook: WebhookObj): WebhookObj {
  return hideSecrets(webhook, shownOfWebhook);
}
