import { describe, expect, test } from "vitest";
import { memberAvatarUrl } from "../../mod.ts";
import { readMember } from "../support/models.ts";

const ada = { id: "1000000000000000001", username: "ada" };

/** A value for every property of a member that the platform may leave out. */
const memberFields = {
  nick: "Countess",
  avatar: "a_1",
  banner: "b1",
  roles: ["7", "8"],
  joined_at: "2024-01-01T00:00:00.000000+00:00",
  premium_since: "2024-02-01T00:00:00.000000+00:00",
  deaf: true,
  mute: true,
  flags: 2,
  pending: true,
  permissions: "1024",
  communication_disabled_until: "2024-03-01T00:00:00.000000+00:00",
  avatar_decoration_data: { asset: "d1", sku_id: "2" },
  collectibles: { nameplate: { sku_id: "3", asset: "n/1/", label: "", palette: "cobalt" } },
};

describe("a member", () => {
  test("has no nickname if the platform sends an empty one", async () => {
    expect(await readMember({ nick: "" })).toMatchObject({ model: { nick: null }, issues: [] });
  });

  test("has all its properties", async () => {
    const { model, issues } = await readMember({ ...memberFields, user: ada });
    expect(model).toMatchObject({ ...memberFields, user: ada });
    expect(Object.keys(model)).toHaveLength(15);
    expect(issues).toEqual([]);
  });

  test("has null for fields that the platform left out", async () => {
    const nothing = Object.fromEntries(Object.keys(memberFields).map((name) => [name, null]));
    const { model, issues } = await readMember({});
    expect(model).toEqual({ ...nothing, user: null });
    expect(issues).toEqual([]);
  });

  test("has a user with the avatar's URL, and an avatar of its own for the guild", async () => {
    const user = { ...ada, avatar: "u1" };
    const { model } = await readMember({ avatar: "m1", roles: [], user });
    expect(model.user?.avatar_url)
      .toBe("https://cdn.discordapp.com/avatars/1000000000000000001/u1.png");
    expect(memberAvatarUrl("1", model))
      .toBe("https://cdn.discordapp.com/guilds/1/users/1000000000000000001/avatars/m1.png");
  });

  test("has null, not an empty list, for roles that are missing or can't be read", async () => {
    for (
      const [wrong, places] of [
        [{}, []],
        [{ roles: null }, []],
        [{ roles: "7" }, ["roles"]],
        [{ roles: { 0: "7" } }, ["roles"]],
      ] as const
    ) {
      const { model, issues } = await readMember({ ...wrong, user: ada });
      expect(model).toMatchObject({ roles: null, user: ada });
      expect(issues.map(({ path }) => path)).toEqual(places);
    }
  });

  test("leaves out a role that can't be read", async () => {
    const { model, issues } = await readMember({ roles: ["7", 8, "x", null, "9"], user: ada });
    expect(model.roles).toEqual(["7", "9"]);
    expect(issues.map(({ path }) => path)).toEqual(["roles.1", "roles.2", "roles.3"]);
  });
});
