/**
 * Describes the sticker object of the API.
 *
 * @module
 */

import * as f from "../schema.ts";
import type { Fields } from "../schema.ts";

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
    id: f.required(f.string),
    name: f.required(f.nonEmptyString),
    description: f.required(f.nullable(f.string)),
    tags: f.required(f.string),
    type: f.required(f.integer),
    format_type: f.required(f.integer),
    available: f.optional(f.boolean),
    guild_id: f.optional(f.string),
  };
}
