/**
 * A sticker of a guild.
 *
 * @module
 */

import { boolean, number, object, optional, required, snowflake, string } from "./shapes.ts";
import { user, type UserObj, type WithSentUser } from "./user.ts";

/**
 * A sticker of a guild. A field is `null` when the platform did not send it or sent something that can't be read; only `id` is
 * always there, as a sticker without it is left out.
 *
 * @see {@link https://docs.discord.com/developers/resources/sticker#sticker-object | The sticker object in the platform's documentation}
 */
export interface StickerObj {
  /** The sticker's id, a snowflake. */
  readonly id: string;
  /** Id of the pack of a standard sticker, a snowflake. */
  readonly pack_id: string | null;
  /** The sticker's name. */
  readonly name: string | null;
  /** The description. */
  readonly description: string | null;
  /** Words to find it by, separated by commas; the name of an emoji for a sticker of a guild. */
  readonly tags: string | null;
  /** Where it is from: 1 a standard pack, 2 a guild. */
  readonly type: number | null;
  /** Its format: 1 PNG, 2 APNG, 3 Lottie, 4 GIF. */
  readonly format_type: number | null;
  /** Whether it can be used now; it may not be after boosts have ended. */
  readonly available: boolean | null;
  /** Id of the guild it belongs to, a snowflake. */
  readonly guild_id: string | null;
  /** Who uploaded it. */
  readonly user: UserObj | null;
  /** The place of a standard sticker in its pack. */
  readonly sort_value: number | null;
}

/** The shape of a sticker. @internal */
export const sticker = object<WithSentUser<StickerObj>>({
  id: required(snowflake),
  pack_id: optional(snowflake),
  name: optional(string),
  description: optional(string),
  tags: optional(string),
  type: optional(number),
  format_type: optional(number),
  available: optional(boolean),
  guild_id: optional(snowflake),
  user: optional(user),
  sort_value: optional(number),
});
