/**
 * What an application knows of a user for linked roles, as on the wire.
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
  readonly metadata: Readonly<Record<string, string | number>>;
}
