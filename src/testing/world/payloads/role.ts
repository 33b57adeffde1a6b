/**
 * Describes the role object of the API.
 *
 * @module
 */

import { everyonePermissions } from "../permissions.ts";
import {
  applyDefaults,
  boolean,
  type Fields,
  integer,
  nonEmptyString,
  nullable,
  nullOnly,
  objectOf,
  optional,
  permissions,
  required,
  snowflake,
  string,
  withDefault,
} from "../schema.ts";

/** A role of a guild. */
export interface RolePayload {
  /** The role's id. The id of `@everyone` is the guild's id. */
  readonly id: string;
  /** The role's name. */
  readonly name: string;
  /** The role's color as an integer. The platform sends both this field and the newer `colors`. */
  readonly color: number;
  /** The role's colors as integers. */
  readonly colors: {
    readonly primary_color: number;
    readonly secondary_color: number | null;
    readonly tertiary_color: number | null;
  };
  /** True if the member list shows the role's members separately. */
  readonly hoist: boolean;
  /** The hash of the role's icon. */
  readonly icon: string | null;
  /** The emoji used as the role's icon. */
  readonly unicode_emoji: string | null;
  /** The position in the hierarchy; 0 is the lowest. */
  readonly position: number;
  /** The permissions as a decimal string. */
  readonly permissions: string;
  /** True if an integration manages the role. */
  readonly managed: boolean;
  /** True if everyone can mention the role. */
  readonly mentionable: boolean;
  /** The bot, the integration or the subscription to which the role belongs. */
  readonly tags?: {
    readonly bot_id?: string | undefined;
    readonly integration_id?: string | undefined;
    readonly premium_subscriber?: null | undefined;
  };
  /** The role's flags. */
  readonly flags: number;
}

type RoleTags = NonNullable<RolePayload["tags"]>;

/** Returns the role `@everyone`. */
export function everyoneRole(guildId: string): RolePayload {
  return applyDefaults(roleFields(), { id: guildId, name: "@everyone" });
}

/** Returns the managed role of a bot in a guild, at the position of the old one: below all others for a new bot. */
export function botRole(
  application: { id: string; name: string },
  permissions: string,
  old?: RolePayload,
): RolePayload {
  const { id, name } = application;
  return applyDefaults(roleFields(), {
    id,
    name,
    position: old?.position ?? 1,
    permissions,
    managed: true,
    tags: { bot_id: id },
  });
}

/** Returns the fields of a role, with their checks and default values. */
export function roleFields(): Fields<RolePayload> {
  return {
    id: required(snowflake),
    name: required(nonEmptyString),
    color: withDefault(integer, 0),
    colors: withDefault(
      objectOf<RolePayload["colors"]>({
        primary_color: required(integer),
        secondary_color: required(nullable(integer)),
        tertiary_color: required(nullable(integer)),
      }),
      { primary_color: 0, secondary_color: null, tertiary_color: null },
    ),
    hoist: withDefault(boolean, false),
    icon: withDefault(nullable(string), null),
    unicode_emoji: withDefault(nullable(string), null),
    position: withDefault(integer, 0),
    permissions: withDefault(permissions, everyonePermissions),
    managed: withDefault(boolean, false),
    mentionable: withDefault(boolean, false),
    tags: optional(objectOf<RoleTags>({
      bot_id: optional(string),
      integration_id: optional(string),
      premium_subscriber: optional(nullOnly),
    })),
    flags: withDefault(integer, 0),
  };
}
