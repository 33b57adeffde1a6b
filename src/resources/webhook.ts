/**
 * A webhook.
 *
 * @module
 */

import { number, object, snowflake, string } from "./shapes.ts";
import { user, type UserObj } from "./user.ts";

/**
 * A webhook for posts to a person's chosen channel. A field that is missing or can't be read is `null`.
 *
 * @see {@link https://docs.discord.com/developers/resources/webhook#webhook-object | The webhook object in the platform's documentation}
 */
export interface WebhookObj {
  /** The webhook's id, a snowflake. */
  readonly id: string | null;
  /** The type of the webhook: 1 for incoming messages. */
  readonly type: number | null;
  /** The id of the guild that it posts to, a snowflake. */
  readonly guild_id: string | null;
  /** The id of the channel that it posts to, a snowflake. */
  readonly channel_id: string | null;
  /** The user who made it. */
  readonly user: UserObj | null;
  /** The name under which it posts, unless a message has its own. */
  readonly name: string | null;
  /** The hash of the avatar under which it posts, unless a message has its own. */
  readonly avatar: string | null;
  /** The secret token for posts to the webhook. */
  readonly token: string | null;
  /** The id of the application that made it, a snowflake. */
  readonly application_id: string | null;
  /** The secret URL for posts to the webhook. */
  readonly url: string | null;
}

/** The shape of a webhook. It lacks `source_guild` and `source_channel`, since no login makes webhooks that have them. @internal */
export const webhook = /* @__PURE__ */ object<WebhookObj>({}, {
  id: snowflake,
  type: number,
  guild_id: snowflake,
  channel_id: snowflake,
  user,
  name: string,
  avatar: string,
  token: string,
  application_id: snowflake,
  url: string,
});
