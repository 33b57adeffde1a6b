/**
 * Converts the permissions of a command to the body of a request.
 *
 * @module
 */

import { checkBoolean, checkSnowflake } from "../core/arguments.ts";
import { bodyOf, checked, kind, list } from "./body.ts";

/** The permission of a role, a user or a channel for a command. An entry of a response fits, too. */
export interface CommandPermissionParams {
  /** The id. The id of the guild stands for `@everyone`, and the id before it for all channels. */
  readonly id: string;
  /** The kind of the id, as a name or the platform's number: 1 for a role, 2 for a user, 3 for a channel. */
  readonly type: CommandPermissionType | number;
  /** True to allow the command, false to disallow it. */
  readonly permission: boolean;
}

/** The kind of an id in the permissions of a command. */
export type CommandPermissionType = "role" | "user" | "channel";

/** The maximum number of permissions of a command. */
const maxPermissions = 100;

/**
 * Returns the body of the request that replaces the permissions of a command.
 *
 * @throws {TypeError} If a field is wrong, or a name is unknown. The message names the field.
 * @throws {RangeError} If there are more than 100 permissions.
 */
export function commandPermissionsBody(
  permissions: readonly CommandPermissionParams[],
): Record<string, unknown> {
  const toPermission = (place: string, entry: unknown) =>
    bodyOf(place, entry, `${place}.`, {
      id: checked(checkSnowflake),
      type: kind(["role", "user", "channel"], "role, user, channel or a number from 1 to 3"),
      permission: checked(checkBoolean),
    });
  return { permissions: list(maxPermissions, toPermission)("permissions", permissions) };
}
