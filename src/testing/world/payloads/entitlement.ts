/**
 * Describes the entitlement object of the API.
 *
 * @module
 */

import { boolean, type Fields, integer, nullable, optional, required } from "../schema.ts";
import { snowflake, string, withDefault } from "../schema.ts";

/** An entitlement, as `GET /applications/{id}/entitlements` lists it. */
export interface EntitlementPayload {
  /** The id, a snowflake. */
  readonly id: string;
  /** The id of the item. */
  readonly sku_id: string;
  /** The id of the owner, if this is a user. */
  readonly user_id?: string;
  /** The id of the owner, if this is a guild. */
  readonly guild_id?: string;
  /** The origin: 8 is a subscription, 4 a purchase in the test mode, the only one that can be deleted. */
  readonly type: number;
  /** True if the entitlement was deleted. */
  readonly deleted: boolean;
  /** The start, as an ISO 8601 time. */
  readonly starts_at: string | null;
  /** The end, as an ISO 8601 time. */
  readonly ends_at: string | null;
  /** True if the item was consumed, false if it can be; absent if the item can't be consumed. */
  readonly consumed?: boolean;
}

/** Returns the fields of an entitlement, with their checks and default values. */
export function entitlementFields(): Fields<EntitlementPayload> {
  return {
    id: required(snowflake),
    sku_id: required(snowflake),
    user_id: optional(snowflake),
    guild_id: optional(snowflake),
    type: withDefault(integer, 8),
    deleted: withDefault(boolean, false),
    starts_at: withDefault(nullable(string), null),
    ends_at: withDefault(nullable(string), null),
    consumed: optional(boolean),
  };
}
