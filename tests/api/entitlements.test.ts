import { describe, expect, test } from "vitest";
import { type ApplicationEntitlementsOptions, type EntitlementsOptions, User } from "../../mod.ts";
import { createFakePlatform, sampleApplication } from "../../src/testing/mod.ts";
import { thrownBy } from "../support/responders.ts";

const ada = "1000000000000000001";
const applicationId = sampleApplication.id;

function logIn() {
  const entitlements = [
    { id: "1", sku_id: "8", user_id: ada, consumed: false },
    { id: "2", sku_id: "9", user_id: ada, consumed: true },
    { id: "3", sku_id: "9", user_id: "1000000000000000002" },
  ];
  const fake = createFakePlatform({ applications: [{ ...sampleApplication, entitlements }] });
  const { access_token } = fake.issueToken({ scopes: ["identify"] });
  return { fake, user: new User(access_token, fake) };
}

describe("User.getEntitlements()", () => {
  test("reads what the person owns", async () => {
    const { fake, user } = logIn();
    expect(await user.getEntitlements(applicationId)).toEqual([{
      id: "1",
      sku_id: "8",
      application_id: applicationId,
      user_id: ada,
      guild_id: null,
      type: 8,
      deleted: false,
      starts_at: null,
      ends_at: null,
      consumed: false,
      fulfillment_status: null,
      fulfilled_at: null,
      gifter_user_id: null,
      parent_id: null,
    }]);
    expect(fake.requests).toMatchObject([{
      method: "GET",
      path: `/api/v10/users/@me/applications/${applicationId}/entitlements`,
      query: {},
    }]);
  });

  test("reads items of some ids, and consumed ones", async () => {
    const { fake, user } = logIn();
    const idsOf = async (options: EntitlementsOptions) =>
      (await user.getEntitlements(applicationId, options)).map(({ id }) => id);
    expect(await idsOf({ excludeConsumed: false })).toEqual(["1", "2"]);
    expect(await idsOf({ excludeConsumed: true, skuIds: ["8", "9"] })).toEqual(["1"]);
    expect(await idsOf({ skuIds: ["9"], excludeConsumed: null })).toEqual([]);
    expect(fake.requests.map(({ query }) => query)).toEqual([
      { exclude_consumed: "false" },
      { exclude_consumed: "true", sku_ids: "8,9" },
      { sku_ids: "9" },
    ]);
  });

  test("returns nothing for no items, without a request", async () => {
    const { fake, user } = logIn();
    expect(await user.getEntitlements(applicationId, { skuIds: [] })).toEqual([]);
    expect(fake.requests).toEqual([]);
  });

  test.each<[EntitlementsOptions, string]>([
    [
      { skuIds: "8" as never },
      "TypeError: skuIds must be a list of ids, received a string of length 1",
    ],
    [
      { skuIds: ["8", "x"] },
      "TypeError: skuIds[1] must be digits in a string, received a string of length 1",
    ],
    [
      { skuIds: Array(101).fill("8") },
      "RangeError: skuIds must have at most 100 ids, received 101",
    ],
    [
      { excludeConsumed: "yes" as never },
      "TypeError: excludeConsumed must be true or false, received a string of length 3",
    ],
    [{ skuID: [] } as never, "TypeError: options.skuID is unknown: did you mean skuIds?"],
  ])("throws about %j", async (options, message) => {
    const { fake, user } = logIn();
    expect(String(await thrownBy(() => user.getEntitlements(applicationId, options)))).toBe(
      message,
    );
    expect(fake.requests).toEqual([]);
  });

  test("has a hint if the token is that of another application or of a bot", async () => {
    const { fake, user } = logIn();
    expect(await thrownBy(() => user.getEntitlements("1"))).toMatchObject({
      httpStatus: 403,
      hint: expect.stringContaining("was issued to applicationId"),
    });
    const bot = new User(sampleApplication.botToken, { ...fake, tokenType: "Bot" });
    expect(await thrownBy(() => bot.getEntitlements(applicationId)))
      .toMatchObject({ httpStatus: 401 });
  });
});

describe("User.getApplicationEntitlements()", () => {
  const grace = "1000000000000000002";
  const guild = "1200000000000000001";

  function createBot() {
    const entitlements = [
      { id: "1", sku_id: "8", user_id: ada },
      { id: "2", sku_id: "8", user_id: ada, ends_at: "2020-01-01T00:00:00+00:00" },
      { id: "3", sku_id: "9", user_id: grace },
      { id: "4", sku_id: "8", user_id: grace, deleted: true },
      { id: "5", sku_id: "9", guild_id: guild },
    ];
    const fake = createFakePlatform({ applications: [{ ...sampleApplication, entitlements }] });
    return { fake, bot: new User(sampleApplication.botToken, { ...fake, tokenType: "Bot" }) };
  }

  test.each<[ApplicationEntitlementsOptions, string[], Record<string, string>]>([
    [{}, ["1", "2", "3", "5"], {}],
    [{ userId: ada }, ["1", "2"], { user_id: ada }],
    [{ userId: ada, excludeEnded: true }, ["1"], { user_id: ada, exclude_ended: "true" }],
    [{ guildId: guild, excludeEnded: false }, ["5"], { guild_id: guild }],
    [{ skuIds: ["9", "10"] }, ["3", "5"], { sku_ids: "9,10" }],
    [{ after: "1", before: "5", limit: 1 }, ["2"], { after: "1", before: "5", limit: "1" }],
    [{ userId: null, skuIds: null, limit: null }, ["1", "2", "3", "5"], {}],
  ])("reads the entitlements of the application for %j", async (options, ids, query) => {
    const { fake, bot } = createBot();
    const found = await bot.getApplicationEntitlements(applicationId, options);
    expect(found.map(({ id }) => id)).toEqual(ids);
    const path = `/api/v10/applications/${applicationId}/entitlements`;
    expect(fake.requests).toMatchObject([{ method: "GET", path, query }]);
    expect(Object.keys(fake.requests[0]?.query ?? {}).sort()).toEqual(Object.keys(query).sort());
  });

  test("returns nothing for no items, without a request", async () => {
    const { fake, bot } = createBot();
    expect(await bot.getApplicationEntitlements(applicationId, { skuIds: [] })).toEqual([]);
    expect(fake.requests).toEqual([]);
  });

  test.each<[ApplicationEntitlementsOptions, string]>([
    [
      { userId: "ada" },
      "TypeError: userId must be digits in a string, received a string of length 3",
    ],
    [
      { guildId: 7 as never },
      "TypeError: guildId must be digits in a string, received number: quote it",
    ],
    [
      { skuIds: ["x"] },
      "TypeError: skuIds[0] must be digits in a string, received a string of length 1",
    ],
    [
      { before: "x" },
      "TypeError: before must be digits in a string, received a string of length 1",
    ],
    [{ limit: 101 }, "RangeError: limit must be a whole number from 1 to 100, received 101"],
    [
      { excludeEnded: 1 as never },
      "TypeError: excludeEnded must be true or false, received number",
    ],
    [{ userID: ada } as never, "TypeError: options.userID is unknown: did you mean userId?"],
  ])("throws about %j", async (options, message) => {
    const { fake, bot } = createBot();
    expect(String(await thrownBy(() => bot.getApplicationEntitlements(applicationId, options))))
      .toBe(message);
    expect(fake.requests).toEqual([]);
  });
});
