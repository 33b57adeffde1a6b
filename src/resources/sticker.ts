/**
 * Describes a sticker of a guild, as the API returns it.
 *
 * @module
 */

import { boolean, number, type ObjectShape, snowflake, string } from "./shapes.ts";
import { user, type UserObj } from "./user.ts";

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

/** The shape of a sticker. @internal */
export const sticker: ObjectShape<StickerObj> = {
  required: { id: snowflake },
  optional: {
    pack_id: snowflake,
    name: string,
    description: string,
    tags: string,
    type: number,
    format_type: number,
    available: boolean,
    guild_id: snowflake,
    user,
    sort_value: number,
  },
};
