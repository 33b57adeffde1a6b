/**
 * Describes the subscription object of the API.
 *
 * @module
 */

import * as f from "../schema.ts";
import type { Fields } from "../schema.ts";

/** A subscription, as `GET /skus/{id}/subscriptions` lists it. */
export interface SubscriptionPayload {
  /** The id, a snowflake. */
  readonly id: string;
  /** The id of the subscribed user. */
  readonly user_id: string;
  /** The ids of the items. */
  readonly sku_ids: readonly string[];
  /** The ids of the entitlements. */
  readonly entitlement_ids: readonly string[];
  /** The ids of the items after the renewal. */
  readonly renewal_sku_ids: readonly string[] | null;
  /** The start of the current period, as an ISO 8601 time. */
  readonly current_period_start: string;
  /** The end of the current period, as an ISO 8601 time. */
  readonly current_period_end: string;
  /** 0 active, 1 inactive, 2 active without a renewal. */
  readonly status: number;
  /** The time of the cancellation, as an ISO 8601 time. */
  readonly canceled_at: string | null;
}

/** Returns the fields of a subscription, with their checks and default values. */
export function subscriptionFields(): Fields<SubscriptionPayload> {
  return {
    id: f.required(f.snowflake),
    user_id: f.required(f.snowflake),
    sku_ids: f.required(f.listOf(f.snowflake)),
    entitlement_ids: f.withDefault(f.listOf(f.snowflake), []),
    renewal_sku_ids: f.withDefault(f.nullable(f.listOf(f.snowflake)), null),
    current_period_start: f.withDefault(f.string, "2026-01-01T00:00:00.000000+00:00"),
    current_period_end: f.withDefault(f.string, "2026-02-01T00:00:00.000000+00:00"),
    status: f.withDefault(f.integer, 0),
    canceled_at: f.withDefault(f.nullable(f.string), null),
  };
}
