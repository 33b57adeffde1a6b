/**
 * Describes the welcome screen of a community guild, as the API returns it.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import { looseObject, orNull, type Schema, snowflake } from "./schemas.ts";

/**
 * The welcome screen of a community guild. A field that is missing or can't be read is `null`.
 *
 * @see {@link https://docs.discord.com/developers/resources/guild#welcome-screen-object | The welcome screen in the platform's documentation}
 */
export interface WelcomeScreenObj {
  /** The description of the guild. */
  readonly description: string | null;
  /** The channels on the screen, up to five. */
  readonly welcome_channels: readonly WelcomeChannelObj[] | null;
}

/**
 * A channel on a welcome screen. A field that is missing or can't be read is `null`; only `channel_id` is always there: a channel
 * without an id is left out.
 */
export interface WelcomeChannelObj {
  /** The channel's id, a snowflake. */
  readonly channel_id: string;
  /** The description of the channel. */
  readonly description: string | null;
  /** The id of a custom emoji, a snowflake. */
  readonly emoji_id: string | null;
  /** The name of a custom emoji, or the character of a standard one. */
  readonly emoji_name: string | null;
}

/** Creates the schema of a welcome screen. @internal */
export function welcomeScreenSchema(): Schema<WelcomeScreenObj> {
  return looseObject({
    description: orNull(v.string()),
    welcome_channels: orNull(v.array(looseObject({
      channel_id: snowflake(),
      description: orNull(v.string()),
      emoji_id: orNull(snowflake()),
      emoji_name: orNull(v.string()),
    }))),
  });
}
