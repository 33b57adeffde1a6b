/**
 * What an application says about a user for linked roles.
 *
 * @module
 */

import { freeze, readAnswer, type Report } from "./reading.ts";
import { object, optional, type Shape, string, table } from "./shapes.ts";

/**
 * What an application says about a user for linked roles. A field is `null` when the platform did not send it or sent something
 * that can't be read.
 *
 * @see {@link https://docs.discord.com/developers/resources/user#application-role-connection-object | The application role connection object in the platform's documentation}
 */
export interface RoleConnectionObj {
  /** What the application calls its service. */
  readonly platform_name: string | null;
  /** The user's name there. */
  readonly platform_username: string | null;
  /** The values by the keys of the application's records, as text: numbers, `1` or `0`, or ISO 8601 times. */
  readonly metadata: Readonly<Record<string, string>> | null;
}

/** A value as text. A number becomes its text. */
const valueText: Shape<string> = {
  ...string,
  expected: "a value as text",
  mend: (found) => typeof found === "number" && Number.isFinite(found) ? String(found) : undefined,
};

/** The shape of a role connection. @internal */
export const roleConnection = object<RoleConnectionObj>({
  platform_name: optional(string),
  platform_username: optional(string),
  metadata: optional(table(valueText)),
});

/**
 * Reads the answer to `GET` and `PUT /users/@me/applications/{id}/role-connection`.
 *
 * @throws {PayloadError} When it is not an object.
 */
export function toRoleConnection(payload: unknown, report: Report): RoleConnectionObj {
  return freeze(readAnswer("The role connection", roleConnection, payload, report));
}
