import { describe, expect, test } from "vitest";
import { User, type UserObj } from "../../mod.ts";
import { createFakePlatform } from "../../src/testing/mod.ts";
import { thrownBy } from "../support/responders.ts";
import { readGuild, readToken, readUser } from "../support/models.ts";

const ada = { id: "1000000000000000001", username: "ada" };

const modelOf = async (payload: unknown): Promise<UserObj> => (await readUser(payload)).model;

/** A value of the right type for every property of a user, those that the platform has to send apart. */
const userFields = {
  discriminator: "0",
  global_name: "Ada",
  avatar: "a_1",
  bot: true,
  system: true,
  mfa_enabled: true,
  banner: "b1",
  accent_color: 0xff0000,
  locale: "en-GB",
  verified: true,
  email: "ada@example.com",
  flags: 64,
  premium_type: 2,
  public_flags: 64,
  avatar_decoration: "d1",
  avatar_decoration_data: { asset: "d2", sku_id: "2" },
  collectibles: { nameplate: { sku_id: "3", asset: "n/1/", label: "", palette: "cobalt" } },
  primary_guild: { identity_guild_id: "4", identity_enabled: true, tag: "COGS", badge: "b2" },
};

/** The same properties, none of them with a value. */
function empty(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, null]));
}

describe("a user", () => {
  test("has no display name if the platform sends an empty one", async () => {
    const { model, issues } = await readUser({ ...ada, global_name: "" });
    expect(model.global_name).toBeNull();
    expect(issues).toEqual([]);
  });

  const decoration = { asset: "d2", sku_id: "1" };

  test("has all its properties", async () => {
    const user = await modelOf({ ...ada, ...userFields });
    const avatar_url = `https://cdn.discordapp.com/avatars/${ada.id}/a_1.webp?animated=true`;
    expect(user).toEqual({ ...ada, ...userFields, avatar_url });
    expect(Object.keys(user)).toHaveLength(21);
  });

  test("has null for fields that the platform left out, and false for bot and system", async () => {
    const nothing = {
      ...ada,
      ...empty(userFields),
      bot: false,
      system: false,
      avatar_url: "https://cdn.discordapp.com/embed/avatars/1.png",
    };
    expect(await modelOf(ada)).toEqual(nothing);
    expect(await modelOf({ ...ada, ...empty(userFields) })).toEqual(nothing);
  });

  test.each<[string, object, string]>([
    ["a static avatar", { avatar: "1c2d" }, `avatars/${ada.id}/1c2d.png`],
    ["an animated avatar", { avatar: "a_1c2d" }, `avatars/${ada.id}/a_1c2d.webp?animated=true`],
    [
      "an avatar of another form",
      { avatar: "../a\ud83c" },
      `avatars/${ada.id}/..%2Fa%EF%BF%BD.png`,
    ],
    ["an empty avatar", { avatar: "" }, "embed/avatars/1.png"],
    ["no avatar, by the id", { avatar: null, discriminator: "0" }, "embed/avatars/1.png"],
    ["no avatar, by the tag", { avatar: null, discriminator: "1337" }, "embed/avatars/2.png"],
    ["no avatar, by another tag", { avatar: null, discriminator: "0003" }, "embed/avatars/3.png"],
    ["an avatar that can't be read", { avatar: 5 }, "embed/avatars/1.png"],
  ])("has the URL of %s", async (_what, payload, path) => {
    const expected = `https://cdn.discordapp.com/${path}`;
    expect(await modelOf({ ...ada, ...payload })).toMatchObject({ avatar_url: expected });
  });

  test("has the avatar's URL at the platform that sent it", async () => {
    const fake = createFakePlatform({ origin: "https://chat.test" });
    const user = new User(fake.issueToken({ as: "ada" }).access_token, fake);
    expect((await user.getCurrentUser()).avatar_url)
      .toMatch(
        /^https:\/\/chat\.test\/cdn\/avatars\/1000000000000000001\/a_\w+\.webp\?animated=true$/,
      );
  });

  test("has the avatar's URL within another model, too", async () => {
    const inside = { ...ada, avatar: "1c2d" };
    const avatar_url = `https://cdn.discordapp.com/avatars/${ada.id}/1c2d.png`;
    const guild = {
      id: "1",
      name: "Looms",
      emojis: [{ id: "2", user: inside }, { id: "3" }],
      stickers: [{ id: "4", user: inside }, { id: "5" }],
    };
    const models = {
      emojis: [{ id: "2", user: { ...inside, avatar_url } }, { id: "3", user: null }],
      stickers: [{ id: "4", user: { ...inside, avatar_url } }, { id: "5", user: null }],
    };
    expect((await readGuild(guild)).model).toMatchObject(models);
    const token = { access_token: "t0ken", token_type: "Bearer", guild };
    const webhook = { id: "6", user: inside };
    expect((await readToken({ ...token, webhook })).model).toMatchObject({
      guild: models,
      webhook: { id: "6", user: { ...inside, avatar_url } },
    });
  });

  test.each<[string, object, string | null]>([
    ["in the old form", { avatar_decoration: "d1" }, "d1"],
    ["in the new form", { avatar_decoration_data: decoration }, "d2"],
    ["in both forms", { avatar_decoration: "d1", avatar_decoration_data: decoration }, "d1"],
    ["in the old form, empty", { avatar_decoration: "", avatar_decoration_data: decoration }, ""],
    ["as null in both", { avatar_decoration: null, avatar_decoration_data: null }, null],
    ["not at all", {}, null],
  ])(
    "has the avatar decoration that the platform sent %s",
    async (_how, payload, avatar_decoration) => {
      expect(await modelOf({ ...ada, ...payload })).toEqual({
        ...await modelOf(ada),
        ...payload,
        avatar_decoration,
      });
    },
  );

  test("is read without the asset of the avatar decoration", async () => {
    const { model, issues } = await readUser({ ...ada, avatar_decoration_data: { sku_id: "1" } });
    expect(model).toMatchObject({
      ...ada,
      avatar_decoration: null,
      avatar_decoration_data: { asset: null, sku_id: "1" },
    });
    expect(issues).toEqual([]);
  });

  test("is repaired in the smallest part that can be null or left out", async () => {
    const nameplate = { sku_id: 5, asset: "n/1/", label: "", palette: "cobalt" };
    const { model, issues } = await readUser({ ...ada, flags: "64", collectibles: { nameplate } });
    expect(model).toMatchObject({
      flags: null,
      collectibles: { nameplate: { ...nameplate, sku_id: null } },
    });
    expect(issues).toEqual([
      { path: "flags", message: "expected a finite number, received string" },
      { path: "collectibles.nameplate.sku_id", message: "expected a snowflake, received number" },
    ]);
  });

  test("is refused without an id or a username", async () => {
    expect(await thrownBy(() => readUser({ username: null, flags: "64" }))).toMatchObject({
      name: "PayloadError",
      message: "The user is not as documented: " +
        "id: expected a snowflake, received undefined; username: expected a string, received null",
    });
  });
});
