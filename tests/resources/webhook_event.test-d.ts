import type { APIEntitlement, ApplicationWebhookEventType } from "discord-api-types/v10";
import { describe, expectTypeOf, test } from "vitest";
import type { UserObj } from "../../mod.ts";
import type { EntitlementObj, WebhookEvent } from "../../src/webhook_events/mod.ts";

/** The names that `discord-api-types` has for events, apart from PING, which has none there. */
type Documented = `${ApplicationWebhookEventType}`;

describe("WebhookEvent", () => {
  test("says by its type what it holds", () => {
    const read = (event: WebhookEvent): UserObj | string | null => {
      switch (event.type) {
        case "PING":
          // @ts-expect-error nothing is in it
          return event.data;
        case "APPLICATION_AUTHORIZED":
          return event.data.guild?.name ?? event.data.user;
        case "APPLICATION_DEAUTHORIZED":
          return event.data.user;
        case "ENTITLEMENT_CREATE":
        case "ENTITLEMENT_UPDATE":
        case "ENTITLEMENT_DELETE":
          return event.data.sku_id;
        case "UNKNOWN":
          // @ts-expect-error nobody knows what is in it
          return event.data.user ?? event.event_type;
        default:
          return event.timestamp;
      }
    };
    expectTypeOf(read).toBeFunction();
  });

  test("has every event that discord-api-types has", () => {
    expectTypeOf<Exclude<Documented, WebhookEvent["type"]>>().toBeNever();
  });

  test("can't be changed", () => {
    const change = (event: WebhookEvent): void => {
      // @ts-expect-error every property is read-only
      event.type = "PING";
    };
    expectTypeOf(change).toBeFunction();
  });
});

describe("EntitlementObj", () => {
  test("has the fields that discord-api-types has", () => {
    expectTypeOf<keyof EntitlementObj>().toEqualTypeOf<keyof APIEntitlement>();
  });
});
