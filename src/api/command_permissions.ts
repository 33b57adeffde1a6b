/**
 * Converts the permissions of a command to the body of a request.
 *
 * `User` loads this module at the first use.
 *
 * @module
 */

import {
  checkBoolean,
  checkSnowflake,
  throwBadArgument,
  throwBadObject,
} from "../core/arguments.ts";

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

/** The kinds in the order of their numbers, which begin with 1. */
const types: readonly unknown[] = ["role", "user", "channel"];

/** The maximum number of permissions of a command. */
const maxPermissions = 100;

/**
 * Returns the body of the request that replaces the permissions of a command.
 *
 * @throws {TypeError} If a field is wrong. The message names the field.
 * @throws {RangeError} If there are more than 100 permissions.
 */
export function commandPermissionsBody(
  permissions: readonly CommandPermissionParams[],
): Readonly<Record<string, unknown>> {
  if (!Array.isArray(permissions)) throwBadObject("permissions", "a list", permissions);
  if (permissions.length > maxPermissions) {
    throw new RangeError(
      `permissions must have at most ${maxPermissions} entries, received ${permissions.length}`,
    );
  }
  return {
    permissions: permissions.map((entry, index) => {
      const place = `permissions[${index}]`;
      if (typeof entry !== "object" || entry === null) throwBadObject(place, "an object", entry);
      const { id, type, permission } = entry;
      const number = typeof type === "number" ? type : types.indexOf(type) + 1;
      checkSnowflake(`${place}.id`, id);
      if (types[number - 1] === undefined) {
        throwBadArgument(`${place}.type`, "role, user, channel or a number from 1 to 3", type);
      }
      checkBoolean(`${place}.permission`, permission);
      return { id, type: number, permission };
    }),
  };
}
