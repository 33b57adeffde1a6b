/**
 * Describes the channel object of the API, for channels of a guild.
 *
 * @module
 */

import * as f from "../schema.ts";
import type { Fields } from "../schema.ts";

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
    id: f.required(f.snowflake),
    name: f.required(f.string),
    type: f.withDefault(f.integer, 0),
    position: f.withDefault(f.integer, 0),
    parent_id: f.withDefault(f.nullable(f.snowflake), null),
    topic: f.withDefault(f.nullable(f.string), null),
    nsfw: f.withDefault(f.boolean, false),
  };
}
