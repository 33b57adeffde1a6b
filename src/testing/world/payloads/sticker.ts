/**
 * Describes the sticker object of the API.
 *
 * @module
 */

import {
  boolean,
  type Fields,
  integer,
  nonEmptyString,
  nullable,
  optional,
  required,
  string,
} from "../schema.ts";

/** A custom sticker of a guild. */
export interface StickerPayload {
  /** The sticker's id. */
  readonly id: string;
  /** The sticker's name. */
  readonly name: string;
  /** The sticker's description. */
  readonly description: string | null;
  /** The search keywords. */
  readonly tags: string;
  /** The type: 1 for a standard sticker, 2 for a guild's. */
  readonly type: number;
  /** The file format: 1 PNG, 2 APNG, 3 Lottie, 4 GIF. */
  readonly format_type: number;
  /** True if the sticker can be used. */
  readonly available?: boolean | undefined;
  /** The id of the sticker's guild. */
  readonly guild_id?: string | undefined;
}

export function stickerFields(): Fields<StickerPayload> {
  return {
    id: required(string),
    name: required(nonEmptyString),
    description: required(nullable(string)),
    tags: required(string),
    type: required(integer),
    format_type: required(integer),
    available: optional(boolean),
    guild_id: optional(string),
  };
}
