/**
 * Describes the emoji object of the API.
 *
 * @module
 */

import * as f from "../schema.ts";
import type { Fields } from "../schema.ts";

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
    id: f.required(f.nullable(f.string)),
    name: f.required(f.nullable(f.string)),
    roles: f.optional(f.listOf(f.string)),
    require_colons: f.optional(f.boolean),
    managed: f.optional(f.boolean),
    animated: f.optional(f.boolean),
    available: f.optional(f.boolean),
  };
}
