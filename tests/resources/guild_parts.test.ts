import { describe, expect, test } from "vitest";
import type { RoleObj } from "../../mod.ts";
import { readGuild } from "../support/models.ts";

const engine = { id: "1200000000000000001", name: "The Analytical Engine" };

async function modelOf(role: unknown): Promise<RoleObj | undefined> {
  return (await readGuild({ ...engine, roles: [role] })).model.roles?.[0];
}

describe("a role", () => {
  test.each<[string, object, string | null]>([
    ["text", { permissions: "66321471" }, "66321471"],
    ["a number", { permissions: 66321471 }, "66321471"],
    [
      "a number, and all of them as text",
      { permissions: 8, permissions_new: "1099511627784" },
      "1099511627784",
    ],
    ["a number, and something else as all of them", { permissions: 8, permissions_new: 9 }, "8"],
    ["a number, and no digits as all of them", { permissions: 8, permissions_new: "0x9" }, "8"],
    ["text, and others beside it", { permissions: "8", permissions_new: "9" }, "8"],
    ["a fraction", { permissions: 1.5 }, null],
    ["a number that has lost digits", { permissions: 2 ** 53 }, null],
    ["null", { permissions: null }, null],
    ["nothing", {}, null],
  ])("has its permissions if the platform sends %s", async (_how, sent, permissions) => {
    expect(await modelOf({ id: "1", ...sent })).toMatchObject({ permissions });
  });

  test("has flags that are true if the platform sends null, and false if it sends nothing", async () => {
    const role = await modelOf({ id: "1", tags: { bot_id: "2", premium_subscriber: null } });
    expect(role?.tags).toEqual({
      bot_id: "2",
      integration_id: null,
      subscription_listing_id: null,
      premium_subscriber: true,
      available_for_purchase: false,
      guild_connections: false,
    });
  });
});
