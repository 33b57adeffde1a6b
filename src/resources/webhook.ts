/**
 * Describes a webhook that was created in a login.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import { looseObject, number, orNull, type Schema, snowflake } from "./schemas.ts";
import { type UserObj, userSchema } from "./user.ts";

/**
 * A webhook that posts to a channel. The person chose the channel on the consent page. A field that is missing or can't be read
 * is `null`.
 *
 * @see {@link https://docs.discord.com/developers/resources/webhook#webhook-object | The webhook object in the platform's documentation}
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
  /** The URL for posts, a secret. */
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
