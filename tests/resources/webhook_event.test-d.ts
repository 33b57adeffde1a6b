import { describe, expectTypeOf, test } from "vitest";
import type { UserObj } from "../../mod.ts";
import type { WebhookEvent } from "../../src/webhook_events/mod.ts";

describe("WebhookEvent", () => {
  test("narrows by its type to the data that it holds", () => {
    const read = (event: WebhookEvent): UserObj | string | null => {
      switch (event.type) {
        case "PING":
          // @ts-expect-error a PING has no data
          return event.data;
        case "APPLICATION_AUTHORIZED":
          return event.data.guild?.name ?? event.data.user;
        case "APPLICATION_DEAUTHORIZED":
          return event.data.user;
        case "ENTITLEMENT_CREATE":
        case "ENTITLEMENT_UPDATE":
        case "ENTITLEMENT_DELETE":
          return event.data.sku_id;
        case "LOBBY_MESSAGE_CREATE":
        case "LOBBY_MESSAGE_UPDATE":
        case "LOBBY_MESSAGE_DELETE":
        case "GAME_DIRECT_MESSAGE_CREATE":
        case "GAME_DIRECT_MESSAGE_UPDATE":
        case "GAME_DIRECT_MESSAGE_DELETE":
          return event.data.author ?? event.data.content;
        case "QUEST_USER_ENROLLMENT":
          expectTypeOf(event.data).toBeUnknown();
          return null;
        case "UNKNOWN":
          // @ts-expect-error its data is unknown
          return event.data.user ?? event.event_type;
      }
    };
    expectTypeOf(read).toBeFunction();
  });

  test("is read-only", () => {
    const change = (event: WebhookEvent): void => {
      // @ts-expect-error every property is read-only
      event.type = "PING";
    };
    expectTypeOf(change).toBeFunction();
  });
});
