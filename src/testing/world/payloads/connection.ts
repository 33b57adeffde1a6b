/**
 * Describes the connection object of the API: a user's account on another service.
 *
 * @module
 */

import type { Fields } from "../schema.ts";
import { boolean, integer, nonEmptyString, required, string, withDefault } from "../schema.ts";

/** An entry of `GET /users/@me/connections`. */
export interface ConnectionPayload {
  /** The id of the account on the other service. */
  readonly id: string;
  /** The name of the account on the other service. */
  readonly name: string;
  /** The service, for example `github`. */
  readonly type: string;
  /** True if the connection was revoked. */
  readonly revoked: boolean;
  /** True if the account is verified. */
  readonly verified: boolean;
  /** True if the platform synchronizes friends with the other service. */
  readonly friend_sync: boolean;
  /** True if the user's presence shows activity on the other service. */
  readonly show_activity: boolean;
  /** True if the other service stores the connection too. */
  readonly two_way_link: boolean;
  /** The visibility on the user's profile: 0 for the user alone, 1 for everyone. */
  readonly visibility: number;
}

/** Returns the fields of a connection, with their checks and default values. */
export function connectionFields(): Fields<ConnectionPayload> {
  return {
    id: required(string),
    name: required(nonEmptyString),
    type: required(string),
    revoked: withDefault(boolean, false),
    verified: withDefault(boolean, false),
    friend_sync: withDefault(boolean, false),
    show_activity: withDefault(boolean, true),
    two_way_link: withDefault(boolean, false),
    visibility: withDefault(integer, 0),
  };
}
