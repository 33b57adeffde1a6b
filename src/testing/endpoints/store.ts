/**
 * Serves the API endpoints for an application's store: entitlements and subscriptions.
 *
 * @module
 */

import {
  findBot,
  requireApplication,
  requireApplicationInPath,
  requireBearer,
  requireInPath,
} from "../http/authentication.ts";
import type { Call, Routes } from "../http/call.ts";
import { readBoolean, readLimit, readPathId, readQueryId } from "../http/parameters.ts";
import { apiError, json, requiredError } from "../http/responses.ts";
import type { Application } from "../world/application.ts";
import type { EntitlementPayload } from "../world/payloads/entitlement.ts";
import type { SubscriptionPayload } from "../world/payloads/subscription.ts";

export const storeRoutes: Routes = {
  "/applications/{application_id}/entitlements": { GET: listEntitlements },
  "/applications/{application_id}/entitlements/{entitlement_id}": {
    GET: getEntitlement,
    DELETE: deleteEntitlement,
  },
  "/applications/{application_id}/entitlements/{entitlement_id}/consume": { POST: consume },
  "/users/@me/applications/{application_id}/entitlements": { GET: listOwnEntitlements },
  "/skus/{sku_id}/subscriptions": { GET: listSubscriptions },
  "/skus/{sku_id}/subscriptions/{subscription_id}": { GET: getSubscription },
};

const scope = "applications.entitlements";

/** The type of a purchase in the test mode, which can be deleted. */
const testPurchase = 4;

function listEntitlements(call: Call): Response {
  const application = requireApplicationInPath(call, scope);
  const query = call.url.searchParams;
  const userId = readQueryId(query, "user_id");
  const guildId = readQueryId(query, "guild_id");
  const excludesEnded = readBoolean(query, "exclude_ended");
  const excludesDeleted = readBoolean(query, "exclude_deleted", true);
  const found = withSkus(call, [...application.entitlements.values()]).filter((entitlement) =>
    (userId === null || entitlement.user_id === String(userId)) &&
    (guildId === null || entitlement.guild_id === String(guildId)) &&
    !(excludesEnded && hasEnded(call, entitlement)) &&
    !(excludesDeleted && entitlement.deleted)
  );
  return json(pageOf(call, found, 100).map((entitlement) => objectOf(application, entitlement)));
}

function getEntitlement(call: Call): Response {
  const application = requireApplicationInPath(call, scope);
  return json(objectOf(application, requireEntitlement(call, application)));
}

function deleteEntitlement(call: Call): Response {
  const application = requireApplicationInPath(call, scope);
  const entitlement = requireEntitlement(call, application);
  if (entitlement.type !== testPurchase) {
    throw apiError(403, 40019, "You can only delete sandbox entitlements.");
  }
  application.entitlements.delete(entitlement.id);
  return new Response(null, { status: 204 });
}

function consume(call: Call): Response {
  const application = requireApplicationInPath(call, scope);
  const entitlement = requireEntitlement(call, application);
  if (entitlement.consumed === undefined) {
    throw apiError(400, 40018, "Only consumable SKUs can be consumed");
  }
  application.entitlements.set(entitlement.id, { ...entitlement, consumed: true });
  return new Response(null, { status: 204 });
}

/** Returns the entitlements of the person. They include deleted ones, since the description has no parameter for these. */
function listOwnEntitlements(call: Call): Response {
  const { user, application } = requireBearer(call, null).grant;
  requireInPath(call, application);
  const query = call.url.searchParams;
  const excludesConsumed = readBoolean(query, "exclude_consumed", true);
  const found = withSkus(call, [...application.entitlements.values()]).filter((entitlement) =>
    entitlement.user_id === user.payload.id && !(excludesConsumed && entitlement.consumed)
  );
  return json(found.map((entitlement) => objectOf(application, entitlement)));
}

function listSubscriptions(call: Call): Response {
  const { searchParams } = call.url;
  const named = readQueryId(searchParams, "user_id");
  if (findBot(call) !== null && named === null) throw requiredError("user_id");
  const found = ownSubscriptions(call).filter(({ user_id }) =>
    named === null || user_id === String(named)
  );
  return json(pageOf(call, found, 50));
}

function getSubscription(call: Call): Response {
  const id = readPathId(call, "subscription_id");
  const subscription = ownSubscriptions(call).find((entry) => entry.id === id);
  return subscription ? json(subscription) : apiError(404, 0, "404: Not Found");
}

/** Returns the subscriptions to the item in the path that the token may see: those of its person, or all for a bot. */
function ownSubscriptions(call: Call): SubscriptionPayload[] {
  const skuId = readPathId(call, "sku_id");
  const { application, user } = requireApplication(call, null);
  return [...application.subscriptions.values()].filter(({ sku_ids, user_id }) =>
    sku_ids.includes(skuId) && (user === null || user_id === user.payload.id)
  );
}

function objectOf({ id }: Application, entitlement: EntitlementPayload): Record<string, unknown> {
  return { application_id: id, ...entitlement };
}

function requireEntitlement(call: Call, application: Application): EntitlementPayload {
  const entitlement = application.entitlements.get(readPathId(call, "entitlement_id"));
  if (entitlement === undefined) throw apiError(404, 10029, "Unknown Entitlement");
  return entitlement;
}

/** Keeps only the items in the query, which separates their ids by commas or repeats the name. */
function withSkus(call: Call, entitlements: readonly EntitlementPayload[]): EntitlementPayload[] {
  const named = call.url.searchParams.getAll("sku_ids").flatMap((text) => text.split(","));
  return entitlements.filter(({ sku_id }) => named.length === 0 || named.includes(sku_id));
}

function hasEnded(call: Call, { ends_at: end }: EntitlementPayload): boolean {
  return end !== null && Date.parse(end) <= call.world.now();
}

/** Returns the entries of a page, ordered by id. */
function pageOf<Entry extends { readonly id: string }>(
  call: Call,
  entries: readonly Entry[],
  defaultLimit: number,
): Entry[] {
  const query = call.url.searchParams;
  const limit = readLimit(query, { max: 100, defaultLimit });
  const before = readQueryId(query, "before");
  const after = readQueryId(query, "after");
  return entries
    .map((entry) => ({ entry, id: BigInt(entry.id) }))
    .filter(({ id }) => (before === null || id < before) && (after === null || id > after))
    .sort((a, b) => a.id < b.id ? -1 : 1)
    .slice(0, limit)
    .map(({ entry }) => entry);
}
