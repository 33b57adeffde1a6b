/**
 * Describes the role object of the API.
 *
 * @module
 */

import { everyonePermissions } from "../permissions.ts";
import * as f from "../schema.ts";
import { applyDefaults, type Fields } from "../schema.ts";

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
  /** The bot, the integration or the subscription that the role belongs to. */
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
    id: f.required(f.snowflake),
    name: f.required(f.nonEmptyString),
    color: f.withDefault(f.integer, 0),
    colors: f.withDefault(
      f.objectOf<RolePayload["colors"]>({
        primary_color: f.required(f.integer),
        secondary_color: f.required(f.nullable(f.integer)),
        tertiary_color: f.required(f.nullable(f.integer)),
      }),
      { primary_color: 0, secondary_color: null, tertiary_color: null },
    ),
    hoist: f.withDefault(f.boolean, false),
    icon: f.withDefault(f.nullable(f.string), null),
    unicode_emoji: f.withDefault(f.nullable(f.string), null),
    position: f.withDefault(f.integer, 0),
    permissions: f.withDefault(f.permissions, everyonePermissions),
    managed: f.withDefault(f.boolean, false),
    mentionable: f.withDefault(f.boolean, false),
    tags: f.optional(f.objectOf<RoleTags>({
      bot_id: f.optional(f.string),
      integration_id: f.optional(f.string),
      premium_subscriber: f.optional(f.nullOnly),
    })),
    flags: f.withDefault(f.integer, 0),
  };
}
