import { describe, expect, test } from "vitest";
import { exampleEntitlement } from "../support/documented.ts";
import { readEntitlements, unfrozenPartsOf } from "../support/models.ts";
import { thrownBy } from "../support/responders.ts";

/** The fields that the platform's example does not have. */
const undelivered = {
  fulfillment_status: null,
  fulfilled_at: null,
  gifter_user_id: null,
  parent_id: null,
};

describe("an entitlement", () => {
  test("has all its properties, frozen, and those that the platform adds", async () => {
    const { model, issues } = await readEntitlements([exampleEntitlement]);
    expect(model).toEqual([{ ...exampleEntitlement, ...undelivered }]);
    expect(issues).toEqual([]);
    expect(model.flatMap(unfrozenPartsOf)).toEqual([]);
  });

  test("has null for fields that the platform left out", async () => {
    const { model, issues } = await readEntitlements([{ id: "7", sku_id: "8" }]);
    expect(model).toEqual([{
      id: "7",
      sku_id: "8",
      application_id: null,
      user_id: null,
      guild_id: null,
      type: null,
      deleted: null,
      starts_at: null,
      ends_at: null,
      consumed: null,
      ...undelivered,
    }]);
    expect(issues).toEqual([]);
  });

  test("is left out without the id of its item", async () => {
    const { model, issues } = await readEntitlements([{ id: "7", sku_id: 8 }, exampleEntitlement]);
    expect(model).toEqual([{ ...exampleEntitlement, ...undelivered }]);
    expect(issues.map(({ path }) => path)).toEqual(["0.sku_id"]);
  });
});

describe("the list of entitlements", () => {
  test("is empty if the platform sends null", async () => {
    expect(await readEntitlements("null")).toEqual({ model: [], issues: [] });
  });

  test("is refused if the response is not a list", async () => {
    expect(await thrownBy(() => readEntitlements({}))).toMatchObject({
      name: "PayloadError",
      message: expect.stringContaining(
        "The list of entitlements is not as documented",
      ),
    });
  });
});
