/**
 * Describes the subscription object of the API.
 *
 * @module
 */

import { type Fields, integer, listOf, nullable, required } from "../schema.ts";
import { snowflake, string, withDefault } from "../schema.ts";

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
    id: required(snowflake),
    user_id: required(snowflake),
    sku_ids: required(listOf(snowflake)),
    entitlement_ids: withDefault(listOf(snowflake), []),
    renewal_sku_ids: withDefault(nullable(listOf(snowflake)), null),
    current_period_start: withDefault(string, "2026-01-01T00:00:00.000000+00:00"),
    current_period_end: withDefault(string, "2026-02-01T00:00:00.000000+00:00"),
    status: withDefault(integer, 0),
    canceled_at: withDefault(nullable(string), null),
  };
}
