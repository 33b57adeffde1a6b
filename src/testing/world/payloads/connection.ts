/**
 * Describes the connection object of the API: a user's account on another service.
 *
 * @module
 */

import * as f from "../schema.ts";
import type { Fields } from "../schema.ts";

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
    id: f.required(f.string),
    name: f.required(f.nonEmptyString),
    type: f.required(f.string),
    revoked: f.withDefault(f.boolean, false),
    verified: f.withDefault(f.boolean, false),
    friend_sync: f.withDefault(f.boolean, false),
    show_activity: f.withDefault(f.boolean, true),
    two_way_link: f.withDefault(f.boolean, false),
    visibility: f.withDefault(f.integer, 0),
  };
}
