/**
 * Reads what linked roles need: an application's data about a user, and the metadata records, each of which describes one value about a user.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import { convert, exactObject, list, number, orNull, record, type Schema } from "./schemas.ts";

/**
 * A role connection: an application's data about a user, for linked roles. A field that is missing or can't be read is `null`. Undocumented
 * fields are left out, so it can be changed and written back.
 *
 * @see {@link https://docs.discord.com/developers/resources/user#application-role-connection-object | Discord: Application role connection object}
 */
export interface RoleConnectionObj {
  /** The name of the application's service. */
  readonly platform_name: string | null;
  /** The user's name on the service. */
  readonly platform_username: string | null;
  /** The values, keyed by the metadata record's `key`, as text: a number, `1` or `0`, or an ISO 8601 time. */
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

/**
 * A metadata record of linked roles: the description of one value about a user. A field that is missing or can't be read is
 * `null`; only `key` is always there: a record without a key is left out.
 *
 * @see {@link https://docs.discord.com/developers/resources/application-role-connection-metadata#application-role-connection-metadata-object | Discord: Application role connection metadata object}
 */
export interface RoleConnectionMetadataObj {
  /** The key of the value in a role connection. */
  readonly key: string;
  /** The kind of comparison with the guild's required value, 1 to 8. */
  readonly type: number | null;
  /** The displayed name. */
  readonly name: string | null;
  /** The names, keyed by locale, for example `de`. */
  readonly name_localizations: Readonly<Record<string, string>> | null;
  /** The displayed description. */
  readonly description: string | null;
  /** The descriptions, keyed by locale. */
  readonly description_localizations: Readonly<Record<string, string>> | null;
}

/** Creates the schema of a metadata record. @internal */
export function roleConnectionMetadataSchema(): Schema<RoleConnectionMetadataObj> {
  return exactObject({
    key: v.string(),
    type: orNull(number()),
    name: orNull(v.string()),
    name_localizations: orNull(record(v.string())),
    description: orNull(v.string()),
    description_localizations: orNull(record(v.string())),
  });
}

/** Creates the schema of the response to `GET` and `PUT /applications/{id}/role-connections/metadata`. @internal */
export function roleConnectionRecordsSchema(): Schema<readonly RoleConnectionMetadataObj[]> {
  return list(roleConnectionMetadataSchema(), "The list of records");
}
