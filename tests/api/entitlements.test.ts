import { describe, expect, test } from "vitest";
import { type EntitlementsOptions, User } from "../../mod.ts";
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
    [{ skuIds: "8" as never }, "TypeError: skuIds must be a list of ids, received 1 characters"],
    [{ skuIds: ["8", "x"] }, "TypeError: skuIds[1] must be digits, received 1 characters"],
    [
      { skuIds: Array(101).fill("8") },
      "RangeError: skuIds must have at most 100 ids, received 101",
    ],
    [
      { excludeConsumed: "yes" as never },
      "TypeError: excludeConsumed must be true or false, received 3 characters",
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
      hint: expect.stringContaining("was issued to the application applicationId"),
    });
    const bot = new User(sampleApplication.botToken, { ...fake, tokenType: "Bot" });
    expect(await thrownBy(() => bot.getEntitlements(applicationId)))
      .toMatchObject({ httpStatus: 401 });
  });
});
