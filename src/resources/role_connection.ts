/**
 * Reads a role connection: an application's data about a user, for linked roles.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import { convert, exactObject, orNull, record, type Schema } from "./schemas.ts";

/**
 * A role connection: an application's data about a user, for linked roles. A field that is missing or can't be read is `null`. Undocumented
 * fields are left out, so it can be changed and written back.
 *
 * @see {@link https://docs.discord.com/developers/resources/user#application-role-connection-object | The application role connection object in the platform's documentation}
 */
export interface RoleConnectionObj {
  /** The name of the application's service. */
  readonly platform_name: string | null;
  /** The user's name on the service. */
  readonly platform_username: string | null;
  /** The values by the key of the metadata record, as text: a number, `1` or `0`, or an ISO 8601 time. */
  readonly metadata: Readonly<Record<string, string>> | null;
}

/** Creates the schema of a role connection: the response to `GET` and `PUT /users/@me/applications/{id}/role-connection`. @internal */
export function roleConnectionSchema(): Schema<RoleConnectionObj> {
  return exactObject({
    platform_name: orNull(v.string()),
    platform_username: orNull(v.string()),
    metadata: orNull(record(valueText())),
  }, "The role connection");
}

/** A value as text. A number is converted. */
function valueText(): Schema<string> {
  return v.pipe(
    v.string("a value as text"),
    convert((value) => Number.isFinite(value) ? String(value) : undefined),
  );
}
