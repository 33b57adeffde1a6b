/**
 * Reads the permissions of an application's command in a guild.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import { exactObject, number, orNull, type Schema, snowflake } from "./schemas.ts";

/**
 * The permissions of a command in a guild. `guild_id` and `application_id` are `null` if they are missing or can't be read.
 *
 * @see {@link https://docs.discord.com/developers/interactions/application-commands#application-command-permissions-object | Discord: Application command permissions}
 */
export interface CommandPermissionsObj {
  /** The command's id, or the application's id for all commands without their own permissions. */
  readonly id: string;
  /** The id of the application. */
  readonly application_id: string | null;
  /** The id of the guild. */
  readonly guild_id: string | null;
  /** The permissions, at most 100. An entry that can't be read is left out. */
  readonly permissions: readonly CommandPermissionObj[];
}

/** The permission of a role, a user or a channel for a command. */
export interface CommandPermissionObj {
  /** The id. The guild's id means `@everyone`. The guild's id minus 1 means all channels. */
  readonly id: string;
  /** 1 for a role, 2 for a user, 3 for a channel. */
  readonly type: number;
  /** True to allow the command, false to disallow it. */
  readonly permission: boolean;
}

/** Creates the schema of the response to `GET` and `PUT /applications/{id}/guilds/{id}/commands/{id}/permissions`. @internal */
export function commandPermissionsSchema(): Schema<CommandPermissionsObj> {
  return exactObject({
    id: snowflake(),
    permissions: v.array(exactObject({ id: snowflake(), type: number(), permission: v.boolean() })),
    application_id: orNull(snowflake()),
    guild_id: orNull(snowflake()),
  }, "The permissions of the command");
}
