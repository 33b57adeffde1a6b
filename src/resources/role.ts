/**
 * Describes a role of a guild, as the API returns it.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import {
  convert,
  decimal,
  fromSafeInteger,
  looseObject,
  number,
  orNull,
  type Schema,
  snowflake,
} from "./schemas.ts";

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

/** Creates the schema of a role. @internal */
export function roleSchema(): Schema<RoleObj> {
  return looseObject({
    id: snowflake(),
    name: orNull(v.string()),
    permissions: orNull(v.pipe(decimal(), convert(fromOldPermissions))),
    position: orNull(number()),
    color: orNull(number()),
    colors: orNull(looseObject({
      primary_color: orNull(number()),
      secondary_color: orNull(number()),
      tertiary_color: orNull(number()),
    })),
    hoist: orNull(v.boolean()),
    icon: orNull(v.string()),
    unicode_emoji: orNull(v.string()),
    managed: orNull(v.boolean()),
    mentionable: orNull(v.boolean()),
    flags: orNull(number()),
    tags: orNull(looseObject({
      premium_subscriber: presence(),
      available_for_purchase: presence(),
      guild_connections: presence(),
      bot_id: orNull(snowflake()),
      integration_id: orNull(snowflake()),
      subscription_listing_id: orNull(snowflake()),
    })),
  });
}

/** In old responses, `permissions` is a number without the higher bits, and `permissions_new` has the whole value. */
function fromOldPermissions(value: unknown, role: object): unknown {
  const permissions_new: unknown = Reflect.get(role, "permissions_new");
  if (typeof value === "number" && v.is(decimal(), permissions_new)) return permissions_new;
  return fromSafeInteger(value);
}

/** A field whose presence means true: the platform sends `null` for true and omits the field for false. */
function presence(): Schema<boolean> {
  const sent = v.nullable(v.literal(false, "null or nothing"));
  return v.pipe(
    v.optional(sent, false),
    v.transform((value) => value === null),
    convert((value) => value === true ? null : undefined),
  );
}
