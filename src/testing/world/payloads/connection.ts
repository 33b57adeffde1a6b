/**
 * A user's account on another service, as on the wire.
 *
 * @module
 */

import type { Fields } from "../schema.ts";
import { boolean, integer, nonEmptyString, required, string, withDefault } from "../schema.ts";

/** An entry of `GET /users/@me/connections`. */
export interface ConnectionPayload {
  /** The id of the account on the other service. */
  readonly id: string;
  /** The account's name there. */
  readonly name: string;
  /** The service, for example `github`. */
  readonly type: string;
  /** Whether the connection was revoked. */
  readonly revoked: boolean;
  /** Whether the account is verified. */
  readonly verified: boolean;
  /** Whether friends are kept in step. */
  readonly friend_sync: boolean;
  /** Whether activity is shown in presence updates. */
  readonly show_activity: boolean;
  /** Whether the other service knows of the connection too. */
  readonly two_way_link: boolean;
  /** 0 nobody, 1 everybody. */
  readonly visibility: number;
}

/** What a connection has when little is given. */
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
