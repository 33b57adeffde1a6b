/**
 * Describes the entitlement object of the API.
 *
 * @module
 */

import * as f from "../schema.ts";
import type { Fields } from "../schema.ts";

/** An entitlement, as `GET /applications/{id}/entitlements` lists it. */
export interface EntitlementPayload {
  /** The id, a snowflake. */
  readonly id: string;
  /** The id of the item. */
  readonly sku_id: string;
  /** The id of the owner, if it is a user. */
  readonly user_id?: string;
  /** The id of the owner, if it is a guild. */
  readonly guild_id?: string;
  /** The origin: 8 is a subscription, 4 is a test purchase. Only a test purchase can be deleted. */
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
    id: f.required(f.snowflake),
    sku_id: f.required(f.snowflake),
    user_id: f.optional(f.snowflake),
    guild_id: f.optional(f.snowflake),
    type: f.withDefault(f.integer, 8),
    deleted: f.withDefault(f.boolean, false),
    starts_at: f.withDefault(f.nullable(f.string), null),
    ends_at: f.withDefault(f.nullable(f.string), null),
    consumed: f.optional(f.boolean),
  };
}
