/**
 * Reads the metadata records of linked roles. Each record describes one value about a user.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import { exactObject, list, number, orNull, record, type Schema } from "./schemas.ts";

/**
 * A metadata record of linked roles: the description of one value about a user. A field that is missing or can't be read is
 * `null`; only `key` is always there: a record without a key is left out.
 *
 * @see {@link https://docs.discord.com/developers/resources/application-role-connection-metadata#application-role-connection-metadata-object | The application role connection metadata object in the platform's documentation}
 */
export interface RoleConnectionMetadataObj {
  /** The key of the value in a role connection. */
  readonly key: string;
  /** The kind of comparison with the value that a guild requires, 1 to 8. */
  readonly type: number | null;
  /** The displayed name. */
  readonly name: string | null;
  /** The name by locale, for example `de`. */
  readonly name_localizations: Readonly<Record<string, string>> | null;
  /** The displayed description. */
  readonly description: string | null;
  /** The description by locale. */
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
