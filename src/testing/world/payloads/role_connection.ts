/**
 * What an application knows of a user for linked roles, and the records it may know that in, as on the wire.
 *
 * @module
 */

/** What the role-connection endpoints answer. */
export interface RoleConnectionPayload {
  /** The vanity name of the connected service, up to 50 characters. */
  readonly platform_name: string | null;
  /** The user's name there, up to 100 characters. */
  readonly platform_username: string | null;
  /** Metadata values by key. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** An entry of what `GET /applications/{id}/role-connections/metadata` answers. */
export interface RoleConnectionMetadataPayload {
  /** How a value is compared with what a guild wants, 1 to 8. */
  readonly type: number;
  /** The key of the value in a role connection. */
  readonly key: string;
  /** The name that people read, up to 100 characters. */
  readonly name: string;
  /** The name by locale. */
  readonly name_localizations?: Readonly<Record<string, string>>;
  /** The description that people read, up to 200 characters. */
  readonly description: string;
  /** The description by locale. */
  readonly description_localizations?: Readonly<Record<string, string>>;
}
