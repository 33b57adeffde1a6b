/**
 * Describes a sticker of a guild, as the API returns it.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import { looseObject, number, orNull, type Schema, snowflake } from "./schemas.ts";
import { type UserObj, userSchema } from "./user.ts";

/**
 * A sticker of a guild. A field that is missing or can't be read is `null`; only `id` is always there: a sticker without an id is
 * left out.
 *
 * @see {@link https://docs.discord.com/developers/resources/sticker#sticker-object | The sticker object in the platform's documentation}
 */
export interface StickerObj {
  /** The sticker's id, a snowflake. */
  readonly id: string;
  /** The id of a standard sticker's pack, a snowflake. */
  readonly pack_id: string | null;
  /** The sticker's name. */
  readonly name: string | null;
  /** The description. */
  readonly description: string | null;
  /** The search keywords, separated by commas; for a guild's sticker, the name of an emoji. */
  readonly tags: string | null;
  /** The sticker's origin: 1 for a standard pack, 2 for a guild. */
  readonly type: number | null;
  /** The image format: 1 PNG, 2 APNG, 3 Lottie, 4 GIF. `stickerUrl` builds the URL. */
  readonly format_type: number | null;
  /** True if the sticker can be used. May be false after the guild lost boosts. */
  readonly available: boolean | null;
  /** The id of the sticker's guild, a snowflake. */
  readonly guild_id: string | null;
  /** The user who uploaded the sticker. */
  readonly user: UserObj | null;
  /** The position of a standard sticker in its pack. */
  readonly sort_value: number | null;
}

/** Creates the schema of a sticker. @internal */
export function stickerSchema(cdnUrl: string): Schema<StickerObj> {
  return looseObject({
    id: snowflake(),
    pack_id: orNull(snowflake()),
    name: orNull(v.string()),
    description: orNull(v.string()),
    tags: orNull(v.string()),
    type: orNull(number()),
    format_type: orNull(number()),
    available: orNull(v.boolean()),
    guild_id: orNull(snowflake()),
    user: orNull(userSchema(cdnUrl)),
    sort_value: orNull(number()),
  });
}
