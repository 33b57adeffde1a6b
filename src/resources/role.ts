/**
 * Describes a role of a guild, as the API returns it.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import {
  boolean,
  decimal,
  matches,
  type Mutable,
  number,
  type ObjectShape,
  permissions,
  snowflake,
  string,
  text,
  type ValueShape,
} from "./shapes.ts";

/**
 * A role of a guild. A field that is missing or can't be read is `null`; only `id` is always there: a role without an id is left
 * out.
 *
 * @see {@link https://docs.discord.com/developers/topics/permissions#role-object | The role object in the platform's documentation}
 */
export interface RoleObj {
  /** The role's id, a snowflake. `@everyone` has the id of the guild. */
  readonly id: string;
  /** The role's name. */
  readonly name: string | null;
  /** The role's permissions, as a decimal string for `new Permissions(…)`. */
  readonly permissions: `${bigint}` | null;
  /** The role's position from the bottom: 0 for `@everyone`. Roles at the same position are sorted by id. */
  readonly position: number | null;
  /** The color, as the integer of its hexadecimal notation; 0 for none. The platform prefers `colors`. */
  readonly color: number | null;
  /** The colors. */
  readonly colors: RoleColorsObj | null;
  /** True if the member list shows the role's members separately. */
  readonly hoist: boolean | null;
  /** The hash of the icon. `roleIconUrl` builds the URL. */
  readonly icon: string | null;
  /** The emoji used as the icon. */
  readonly unicode_emoji: string | null;
  /** True if an integration manages the role. */
  readonly managed: boolean | null;
  /** True if everyone may mention the role. */
  readonly mentionable: boolean | null;
  /** The flags of the role. */
  readonly flags: number | null;
  /** The owner of a managed role. */
  readonly tags: RoleTagsObj | null;
}

/**
 * The colors of a role, each as the integer of its hexadecimal notation. A field that is missing or can't be read is `null`.
 *
 * @see {@link https://docs.discord.com/developers/topics/permissions#role-object-role-colors-object | Role colors in the platform's documentation}
 */
export interface RoleColorsObj {
  /** The primary color; 0 for none. */
  readonly primary_color: number | null;
  /** The second color of a gradient. */
  readonly secondary_color: number | null;
  /** The third color of a holographic role. */
  readonly tertiary_color: number | null;
}

/**
 * The owner of a managed role. An id that is missing or can't be read is `null`. The last three fields are always booleans: the
 * platform sends `null` for true and omits the field for false.
 *
 * @see {@link https://docs.discord.com/developers/topics/permissions#role-object-role-tags-structure | Role tags in the platform's documentation}
 */
export interface RoleTagsObj {
  /** The id of the role's bot, a snowflake. */
  readonly bot_id: string | null;
  /** The id of the role's integration, a snowflake. */
  readonly integration_id: string | null;
  /** The id of the role's subscription, a snowflake. */
  readonly subscription_listing_id: string | null;
  /** True if this is the role of the guild's boosters. */
  readonly premium_subscriber: boolean;
  /** True if the role can be bought. */
  readonly available_for_purchase: boolean;
  /** True if this is a linked role. */
  readonly guild_connections: boolean;
}

/** Permissions. In old responses, the field is a number without the higher bits, and `permissions_new` has the whole value. */
const permissionsOrNew: ValueShape<`${bigint}`> = {
  expected: "a decimal string",
  createSchema: () => text(decimal),
  coerce: (found, { permissions_new }) =>
    typeof found === "number" && matches(permissions, permissions_new)
      ? permissions_new
      : permissions.coerce?.(found, {}),
};

/** A flag: the platform sends `null` for true and omits the field for false. */
const flag: ValueShape<boolean> = {
  expected: "null or nothing",
  createSchema: () => v.custom<boolean>((found) => found == null || found === false),
  coerce: (found) => found === true ? null : false,
};

/** The shape of a role. @internal */
export const role: ObjectShape<RoleObj> = {
  required: { id: snowflake },
  optional: {
    name: string,
    permissions: permissionsOrNew,
    position: number,
    color: number,
    colors: {
      optional: {
        primary_color: number,
        secondary_color: number,
        tertiary_color: number,
      },
    } satisfies ObjectShape<RoleColorsObj>,
    hoist: boolean,
    icon: string,
    unicode_emoji: string,
    managed: boolean,
    mentionable: boolean,
    flags: number,
    tags: {
      required: {
        premium_subscriber: flag,
        available_for_purchase: flag,
        guild_connections: flag,
      },
      optional: {
        bot_id: snowflake,
        integration_id: snowflake,
        subscription_listing_id: snowflake,
      },
      derive: readFlags,
    } satisfies ObjectShape<RoleTagsObj>,
  },
};

function readFlags(tags: Mutable<RoleTagsObj>): void {
  for (
    const flag of ["premium_subscriber", "available_for_purchase", "guild_connections"] as const
  ) {
    const sent: unknown = tags[flag];
    tags[flag] = sent === null;
  }
}
