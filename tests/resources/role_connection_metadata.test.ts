import { describe, expect, test } from "vitest";
import { thrownBy } from "../support/responders.ts";
import { readRecords, unfrozenPartsOf } from "../support/models.ts";

const record = {
  key: "level",
  type: 2,
  name: "Level",
  name_localizations: { de: "Stufe" },
  description: "How far they have come",
  description_localizations: { de: "Wie weit sie sind" },
};

describe("a record of role connections", () => {
  test("has all its properties, frozen", async () => {
    const { model, issues } = await readRecords([record]);
    expect(model).toEqual([record]);
    expect(issues).toEqual([]);
    expect(model.flatMap(unfrozenPartsOf)).toEqual([]);
  });

  test("leaves undocumented fields out, so that it can be written back", async () => {
    expect((await readRecords([{ ...record, version: 1 }])).model).toEqual([record]);
  });

  test("has null for fields that the platform left out", async () => {
    const nothing = Object.fromEntries(Object.keys(record).map((name) => [name, null]));
    const { model, issues } = await readRecords([{ key: "level" }]);
    expect(model).toEqual([{ ...nothing, key: "level" }]);
    expect(issues).toEqual([]);
  });

  test("is left out without a key", async () => {
    const { model, issues } = await readRecords([{ ...record, key: 1 }, record]);
    expect(model).toEqual([record]);
    expect(issues.map(({ path }) => path)).toEqual(["0.key"]);
  });
});

describe("the list of records", () => {
  test("is empty if the platform sends null", async () => {
    expect(await readRecords("null")).toEqual({ model: [], issues: [] });
  });

  test("is refused if the response is not a list", async () => {
    expect(await thrownBy(() => readRecords({ 0: record }))).toMatchObject({
      name: "PayloadError",
      message: expect.stringContaining("The list of records is not what the platform documents"),
    });
  });
});
