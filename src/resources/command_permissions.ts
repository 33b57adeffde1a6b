/**
 * Reads the permissions of an application's command in a guild.
 *
 * @module
 */

import { readPayload, type Report } from "./reading.ts";
import { boolean, list, number, object, snowflake } from "./shapes.ts";

/**
 * The permissions of a command in a guild. `guild_id` and `application_id` are `null` if they are missing or can't be read.
 *
 * @see {@link https://docs.discord.com/developers/interactions/application-commands#application-command-permissions-object | Application command permissions in the platform's documentation}
 */
export interface CommandPermissionsObj {
  /** The id of the command; or of the application, for all commands without permissions of their own. */
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
  /** The id. The id of the guild stands for `@everyone`, and the id before it for all channels. */
  readonly id: string;
  /** 1 for a role, 2 for a user, 3 for a channel. */
  readonly type: number;
  /** True to allow the command, false to disallow it. */
  readonly permission: boolean;
}

/** The shape of the permissions of a command. @internal */
export const commandPermissions = /* @__PURE__ */ object<CommandPermissionsObj>({
  id: snowflake,
  permissions: /* @__PURE__ */ list(
    /* @__PURE__ */ object<CommandPermissionObj>({
      id: snowflake,
      type: number,
      permission: boolean,
    }, {}),
  ),
}, {
  application_id: snowflake,
  guild_id: snowflake,
});

/**
 * Reads the response to `GET` and `PUT /applications/{id}/guilds/{id}/commands/{id}/permissions`.
 *
 * @throws {PayloadError} If the response has no readable `id` or `permissions`.
 */
export function toCommandPermissions(payload: unknown, report: Report): CommandPermissionsObj {
  return readPayload("The permissions of the command", commandPermissions, payload, report);
}
