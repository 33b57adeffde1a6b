/**
 * Describes the objects of the API for linked roles: role connections and metadata records.
 *
 * @module
 */

/** A role connection: an application's data about a user, as `GET /users/@me/applications/{id}/role-connection` returns it. */
export interface RoleConnectionPayload {
  /** The name of the connected service, up to 50 characters. */
  readonly platform_name: string | null;
  /** The user's name on that service, up to 100 characters. */
  readonly platform_username: string | null;
  /** The values, by the key of the metadata record. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** A metadata record, as `GET /applications/{id}/role-connections/metadata` lists it. */
export interface RoleConnectionMetadataPayload {
  /** The kind of comparison with the value that a guild requires, 1 to 8. */
  readonly type: number;
  /** The key of the value in a role connection. */
  readonly key: string;
  /** The displayed name, up to 100 characters. */
  readonly name: string;
  /** The name by locale. */
  readonly name_localizations?: Readonly<Record<string, string>>;
  /** The displayed description, up to 200 characters. */
  readonly description: string;
  /** The description by locale. */
  readonly description_localizations?: Readonly<Record<string, string>>;
}
