/**
 * Describes the channel object of the API, for channels of a guild.
 *
 * @module
 */

import { boolean, type Fields, integer, nullable, required, string } from "../schema.ts";
import { snowflake, withDefault } from "../schema.ts";

/** A channel, as `GET /guilds/{id}/channels` lists it. */
export interface ChannelPayload {
  /** The id, a snowflake. */
  readonly id: string;
  /** The name. */
  readonly name: string;
  /** The type: 0 for text, 2 for voice, 4 for a category. */
  readonly type: number;
  /** The place in the list. */
  readonly position: number;
  /** The id of the category. */
  readonly parent_id: string | null;
  /** The topic. */
  readonly topic: string | null;
  /** True if the channel is age-restricted. */
  readonly nsfw: boolean;
}

/** Returns the fields of a channel, with their checks and default values. */
export function channelFields(): Fields<ChannelPayload> {
  return {
    id: required(snowflake),
    name: required(string),
    type: withDefault(integer, 0),
    position: withDefault(integer, 0),
    parent_id: withDefault(nullable(snowflake), null),
    topic: withDefault(nullable(string), null),
    nsfw: withDefault(boolean, false),
  };
}
