/**
 * Describes the users of the fake platform, and builds them from options.
 *
 * @module
 */

import { connectionFields, type ConnectionPayload } from "./payloads/connection.ts";
import { userFields, userForScopes, type UserPayload } from "./payloads/user.ts";
import * as f from "./schema.ts";
import { applyDefaults, type FakeFields, type Fields } from "./schema.ts";

/** A user of the fake platform. Only `id` and `username` are required. */
export interface FakeUser extends FakeFields<UserPayload> {
  /** The user's id, a snowflake. */
  readonly id: string;
  /** The user's unique name. */
  readonly username: string;
  /**
   * The email address. Only applications with the scope `email` receive it.
   * @default the username at `example.com`
   */
  readonly email?: string | null | undefined;
  /**
   * The kind of subscription. Applications without the scope `identify.premium` receive 0, as on the platform.
   * @default 0
   */
  readonly premium_type?: number | undefined;
  /** The user's accounts on other services. Only applications with the scope `connections` receive them. */
  readonly connections?: readonly FakeConnection[] | undefined;
  /** Extra or replaced fields of the response, with any value: for untyped fields, and for wrong values. */
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
}

/** A user's account on another service. Absent fields get default values. */
export interface FakeConnection extends FakeFields<ConnectionPayload> {
  /** The id of the account on the other service. */
  readonly id: string;
  /** The name of the account on the other service. */
  readonly name: string;
  /** The service, for example `github`. */
  readonly type: string;
}

/** A user of the world. {@link updateWorld} replaces the fields of this object. */
export interface User {
  readonly payload: UserPayload;
  readonly connections: readonly ConnectionPayload[];
  readonly extra: Readonly<Record<string, unknown>>;
}

export function fakeUserFields(): Fields<FakeUser> {
  return {
    ...userFields(),
    connections: f.optional(f.listOf(f.objectOf<FakeConnection>(connectionFields()))),
    extra: f.optional(f.recordOf(f.anyValue)),
  };
}

export function buildUser(options: FakeUser): User {
  const { connections = [], extra = {}, ...fields } = structuredClone(options);
  const { email = `${options.username}@example.com` } = fields;
  return {
    payload: applyDefaults(userFields(), { ...fields, email }),
    connections: connections.map((connection) => applyDefaults(connectionFields(), connection)),
    extra,
  };
}

/** Returns the user object for an application with these scopes. */
export function userObject(user: User, scopes: readonly string[]): Record<string, unknown> {
  return { ...userForScopes(user.payload, scopes), ...user.extra };
}
