/**
 * The users of the fake platform.
 *
 * @module
 */

import type { ConnectionPayload } from "./payloads/connection.ts";
import type { UserPayload } from "./payloads/user.ts";
import { connectionFields } from "./payloads/connection.ts";
import { userFields, userForScopes } from "./payloads/user.ts";
import {
  anyValue,
  applyDefaults,
  type Fields,
  listOf,
  objectOf,
  optional,
  recordOf,
} from "./schema.ts";

/** A user of the fake platform. Only `id` and `username` must be given. */
export interface FakeUser extends Partial<UserPayload> {
  /** The user's id, a snowflake. */
  readonly id: string;
  /** The user's name; unique. */
  readonly username: string;
  /**
   * The email address, answered with the `email` scope.
   * @default the username at `example.com`
   */
  readonly email?: string | null;
  /**
   * The kind of subscription. The platform answers it to applications that have `identify.premium`; to
   * every other it answers 0, and so does the fake.
   * @default 0
   */
  readonly premium_type?: number;
  /** The user's accounts elsewhere, answered with the `connections` scope. */
  readonly connections?: readonly FakeConnection[];
  /** Fields laid over the answer as they are, for fields nobody has typed yet or with wrong types. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** A user's account elsewhere. What is not given is filled in. */
export interface FakeConnection extends Partial<ConnectionPayload> {
  /** The id of the account on the other service. */
  readonly id: string;
  /** The account's name there. */
  readonly name: string;
  /** The service, for example `github`. */
  readonly type: string;
}

export interface User {
  readonly payload: UserPayload;
  readonly connections: readonly ConnectionPayload[];
  readonly extra: Readonly<Record<string, unknown>>;
}

/** The user as the application may see them. */
export function userObject(user: User, scopes: readonly string[]): Record<string, unknown> {
  return { ...userForScopes(user.payload, scopes), ...user.extra };
}

export function fakeUserFields(): Fields<FakeUser> {
  return {
    ...userFields(),
    connections: optional(listOf(objectOf<FakeConnection>(connectionFields()))),
    extra: optional(recordOf(anyValue)),
  };
}

export function buildUser(given: FakeUser): User {
  const { connections = [], extra = {}, ...fields } = structuredClone(given);
  const { email = `${given.username}@example.com` } = fields;
  return {
    payload: applyDefaults(userFields(), { ...fields, email }),
    connections: connections.map((connection) => applyDefaults(connectionFields(), connection)),
    extra,
  };
}
