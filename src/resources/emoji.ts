/**
 * Describes an emoji of a guild, as the API returns it.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import { looseObject, orNull, type Schema, snowflake } from "./schemas.ts";
import { type UserObj, userSchema } from "./user.ts";

/**
 * An emoji of a guild. A field that is missing or can't be read is `null`. An emoji without an `id` field, or with an unreadable
 * one, is left out.
 *
 * @see {@link https://docs.discord.com/developers/resources/emoji#emoji-object | The emoji object in the platform's documentation}
 */
export interface EmojiObj {
  /** The emoji's id, a snowflake; `null` for a standard emoji. */
  readonly id: string | null;
  /** The emoji's name; for a standard emoji, the character itself. */
  readonly name: string | null;
  /** The ids of the roles that may use the emoji, each a snowflake. */
  readonly roles: readonly string[] | null;
  /** The user who created the emoji. */
  readonly user: UserObj | null;
  /** True if the emoji must be written between colons. */
  readonly require_colons: boolean | null;
  /** True if an integration manages the emoji. */
  readonly managed: boolean | null;
  /** True if the emoji is animated. */
  readonly animated: boolean | null;
  /** True if the emoji can be used. May be false after the guild lost boosts. */
  readonly available: boolean | null;
}

/** Creates the schema of an emoji. @internal */
export function emojiSchema(cdnUrl: string): Schema<EmojiObj> {
  return looseObject({
    // An unreadable id must not become null, which would make a custom emoji a standard one.
    id: v.nullable(snowflake()),
    name: orNull(v.string()),
    roles: orNull(v.array(snowflake())),
    user: orNull(userSchema(cdnUrl)),
    require_colons: orNull(v.boolean()),
    managed: orNull(v.boolean()),
    animated: orNull(v.boolean()),
    available: orNull(v.boolean()),
  });
}
