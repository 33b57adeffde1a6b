/**
 * An emoji of a guild.
 *
 * @module
 */

import {
  boolean,
  list,
  nullable,
  object,
  optional,
  required,
  snowflake,
  string,
} from "./shapes.ts";
import { user, type UserObj, type WithSentUser } from "./user.ts";

/**
 * An emoji of a guild. A field is `null` when the platform did not send it or sent something that can't be read. An emoji
 * without an `id` field, or with an unreadable one, is left out.
 *
 * @see {@link https://docs.discord.com/developers/resources/emoji#emoji-object | The emoji object in the platform's documentation}
 */
export interface EmojiObj {
  /** The emoji's id, a snowflake; `null` for a standard emoji. */
  readonly id: string | null;
  /** The emoji's name; the character itself for a standard emoji. */
  readonly name: string | null;
  /** Ids of the roles that may use it. */
  readonly roles: readonly string[] | null;
  /** Who made it. */
  readonly user: UserObj | null;
  /** Whether it must be written between colons. */
  readonly require_colons: boolean | null;
  /** Whether an integration manages it. */
  readonly managed: boolean | null;
  /** Whether it is animated. */
  readonly animated: boolean | null;
  /** Whether it can be used now; it may not be after boosts have ended. */
  readonly available: boolean | null;
}

/** The shape of an emoji. @internal */
export const emoji = object<WithSentUser<EmojiObj>>({
  // Read as null, an unreadable id would make a standard emoji of a custom one.
  id: required(nullable(snowflake)),
  name: optional(string),
  roles: optional(list(snowflake)),
  user: optional(user),
  require_colons: optional(boolean),
  managed: optional(boolean),
  animated: optional(boolean),
  available: optional(boolean),
});
