/**
 * An entitlement: access to something that the application sells.
 *
 * @module
 */

import { boolean, number, object, optional, required, snowflake, string } from "./shapes.ts";

/**
 * Access to something that the application sells. A field is `null` when the platform did not send it or sent something that
 * can't be read; only `id` is always there.
 *
 * @see {@link https://docs.discord.com/developers/resources/entitlement#entitlement-object | The entitlement object in the platform's documentation}
 */
export interface EntitlementObj {
  /** The entitlement's id, a snowflake. */
  readonly id: string;
  /** Id of the SKU that was sold, a snowflake. */
  readonly sku_id: string | null;
  /** Id of the application that sells it, a snowflake. */
  readonly application_id: string | null;
  /** Id of the user who has access, a snowflake. */
  readonly user_id: string | null;
  /** Id of the guild that has access, a snowflake. */
  readonly guild_id: string | null;
  /** How it was obtained, for example 1 for a purchase and 8 for a subscription of the application. */
  readonly type: number | null;
  /** Whether it was deleted. */
  readonly deleted: boolean | null;
  /** Since when it counts, in ISO 8601. */
  readonly starts_at: string | null;
  /** Until when it counts, in ISO 8601. */
  readonly ends_at: string | null;
  /** Whether it was used up, where that can happen. */
  readonly consumed: boolean | null;
}

/** How an entitlement is read. */
export const entitlement = object<EntitlementObj>({
  id: required(snowflake),
  sku_id: optional(snowflake),
  application_id: optional(snowflake),
  user_id: optional(snowflake),
  guild_id: optional(snowflake),
  type: optional(number),
  deleted: optional(boolean),
  starts_at: optional(string),
  ends_at: optional(string),
  consumed: optional(boolean),
});
