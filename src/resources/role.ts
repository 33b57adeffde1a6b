/**
 * A role of a guild.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import {
  boolean,
  number,
  object,
  optional,
  permissions,
  required,
  type Shape,
  snowflake,
  string,
} from "./shapes.ts";

/**
 * A role of a guild. A field is `null` when the platform did not send it or sent something that can't be read; only `id` is
 * always there, as a role without it is left out.
 *
 * @see {@link https://docs.discord.com/developers/topics/permissions#role-object | The role object in the platform's documentation}
 */
export interface RoleObj {
  /** The role's id, a snowflake; that of `@everyone` is the guild's. */
  readonly id: string;
  /** The role's name. */
  readonly name: string | null;
  /** The role's permissions, as a decimal string for `new Permissions(…)`. */
  readonly permissions: `${bigint}` | null;
  /** The role's place from the bottom, 0 for `@everyone`; roles in the same place are sorted by id. */
  readonly position: number | null;
  /** The color, as the integer of its hexadecimal notation; 0 for none. The platform prefers `colors`. */
  readonly color: number | null;
  /** The colors. */
  readonly colors: RoleColorsObj | null;
  /** Whether its members are listed apart. */
  readonly hoist: boolean | null;
  /** Hash of the icon. */
  readonly icon: string | null;
  /** The emoji that is the icon. */
  readonly unicode_emoji: string | null;
  /** Whether an integration manages it. */
  readonly managed: boolean | null;
  /** Whether everybody may mention it. */
  readonly mentionable: boolean | null;
  /** Flags of the role. */
  readonly flags: number | null;
  /** What the role belongs to. */
  readonly tags: RoleTagsObj | null;
}

/**
 * The colors of a role, each as the integer of its hexadecimal notation. A field that is missing or can't be read is `null`.
 *
 * @see {@link https://docs.discord.com/developers/topics/permissions#role-object-role-colors-object | Role colors in the platform's documentation}
 */
export interface RoleColorsObj {
  /** The color; 0 for none. */
  readonly primary_color: number | null;
  /** The second color of a gradient. */
  readonly secondary_color: number | null;
  /** The third color, of a holographic role. */
  readonly tertiary_color: number | null;
}

/**
 * What a role belongs to. An id that is missing or can't be read is `null`. The platform sends each of the last three as `null`
 * for yes and leaves it out for no; here they are `true` and `false`.
 *
 * @see {@link https://docs.discord.com/developers/topics/permissions#role-object-role-tags-structure | Role tags in the platform's documentation}
 */
export interface RoleTagsObj {
  /** Id of the bot it belongs to, a snowflake. */
  readonly bot_id: string | null;
  /** Id of the integration it belongs to, a snowflake. */
  readonly integration_id: string | null;
  /** Id of the subscription it is sold with, a snowflake. */
  readonly subscription_listing_id: string | null;
  /** Whether it is the role of those who boost the guild. */
  readonly premium_subscriber: boolean;
  /** Whether it can be bought. */
  readonly available_for_purchase: boolean;
  /** Whether it is a linked role. */
  readonly guild_connections: boolean;
}

/** Whether a tag is there: the platform sends it as `null`, or not at all. */
const presence: Shape<boolean> = {
  expected: "null or nothing",
  schema: v.pipe(
    v.optional(v.nullable(v.literal(false)), false),
    v.transform((found) => found === null),
  ),
  mend: (found) => found === true ? null : false,
};

/** Old answers have the permissions as a number, which lacks the higher bits, and all of them in `permissions_new`. */
const permissionsOrNew: Shape<`${bigint}`> = {
  ...permissions,
  mend: (found, { permissions_new }) =>
    typeof found === "number" && v.is(permissions.schema, permissions_new)
      ? permissions_new
      : permissions.mend?.(found, {}),
};

/** The shape of a role. @internal */
export const role = object<RoleObj>({
  id: required(snowflake),
  name: optional(string),
  permissions: optional(permissionsOrNew),
  position: optional(number),
  color: optional(number),
  colors: optional(
    object<RoleColorsObj>({
      primary_color: optional(number),
      secondary_color: optional(number),
      tertiary_color: optional(number),
    }),
  ),
  hoist: optional(boolean),
  icon: optional(string),
  unicode_emoji: optional(string),
  managed: optional(boolean),
  mentionable: optional(boolean),
  flags: optional(number),
  tags: optional(
    object<RoleTagsObj>({
      bot_id: optional(snowflake),
      integration_id: optional(snowflake),
      subscription_listing_id: optional(snowflake),
      premium_subscriber: required(presence),
      available_for_purchase: required(presence),
      guild_connections: required(presence),
    }),
  ),
});
