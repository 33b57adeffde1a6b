/**
 * Describes the emoji object of the API.
 *
 * @module
 */

import { boolean, type Fields, listOf, nullable, optional, required, string } from "../schema.ts";

/** A custom emoji of a guild. */
export interface EmojiPayload {
  /** The emoji's id. */
  readonly id: string | null;
  /** The emoji's name. */
  readonly name: string | null;
  /** The ids of the roles that may use the emoji. */
  readonly roles?: readonly string[] | undefined;
  /** True if the emoji must be written between colons. */
  readonly require_colons?: boolean | undefined;
  /** True if an integration manages the emoji. */
  readonly managed?: boolean | undefined;
  /** True if the emoji is animated. */
  readonly animated?: boolean | undefined;
  /** True if the emoji can be used. */
  readonly available?: boolean | undefined;
}

export function emojiFields(): Fields<EmojiPayload> {
  return {
    id: required(nullable(string)),
    name: required(nullable(string)),
    roles: optional(listOf(string)),
    require_colons: optional(boolean),
    managed: optional(boolean),
    animated: optional(boolean),
    available: optional(boolean),
  };
}
