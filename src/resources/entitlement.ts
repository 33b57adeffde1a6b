/**
 * Reads an entitlement: what a person or a guild owns of an application's store.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import { list, looseObject, number, orNull, type Schema, snowflake } from "./schemas.ts";

/**
 * An entitlement: the access of a user or a guild to an item in the store of an application. A field that is missing or can't be read
 * is `null`; only `id` and `sku_id` are always there.
 *
 * @see {@link https://docs.discord.com/developers/resources/entitlement#entitlement-object | Discord: Entitlement object}
 */
export interface EntitlementObj {
  /** The id, a snowflake. */
  readonly id: string;
  /** The id of the item (SKU). */
  readonly sku_id: string;
  /** The id of the application whose store has the item. */
  readonly application_id: string | null;
  /** The id of the user who owns the item. */
  readonly user_id: string | null;
  /** The id of the guild that owns the item. */
  readonly guild_id: string | null;
  /**
   * The origin, such as 1 for a purchase, 3 for the developer's gift, 4 for a test purchase, or 8 for a subscription. Discord uses
   * more types than it documents.
   */
  readonly type: number | null;
  /** True if the entitlement was deleted. */
  readonly deleted: boolean | null;
  /** The start, as an ISO 8601 time; `null` if the entitlement has no start. */
  readonly starts_at: string | null;
  /** The end, as an ISO 8601 time; `null` if the entitlement has no end. */
  readonly ends_at: string | null;
  /** True if a consumable item was consumed; `null` for other items. */
  readonly consumed: boolean | null;
  /** The state of the delivery of an item that the application delivers itself, 0 to 7. */
  readonly fulfillment_status: number | null;
  /** The time of the delivery, in ISO 8601. */
  readonly fulfilled_at: string | null;
  /** The id of the user who gave the item as a gift. */
  readonly gifter_user_id: string | null;
  /** The id of the entitlement that this one belongs to. */
  readonly parent_id: string | null;
}

/** Creates the schema of an entitlement. @internal */
export function entitlementSchema(): Schema<EntitlementObj> {
  return looseObject({
    id: snowflake(),
    sku_id: snowflake(),
    application_id: orNull(snowflake()),
    user_id: orNull(snowflake()),
    guild_id: orNull(snowflake()),
    type: orNull(number()),
    deleted: orNull(v.boolean()),
    starts_at: orNull(v.string()),
    ends_at: orNull(v.string()),
    consumed: orNull(v.boolean()),
    fulfillment_status: orNull(number()),
    fulfilled_at: orNull(v.string()),
    gifter_user_id: orNull(snowflake()),
    parent_id: orNull(snowflake()),
  });
}

/** Creates the schema of a list of entitlements. @internal */
export function entitlementsSchema(): Schema<readonly EntitlementObj[]> {
  return list(entitlementSchema(), "The list of entitlements");
}
