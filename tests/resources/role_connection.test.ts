import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { thrownBy } from "../support/responders.ts";
import { readRecords, readRoleConnection, unfrozenPartsOf } from "../support/models.ts";

describe("a role connection", () => {
  test("has all its properties, frozen", async () => {
    const connection = {
      platform_name: "Looms",
      platform_username: "ada",
      metadata: { cards_punched: "1843", verified: "1" },
    };
    const { model, issues } = await readRoleConnection(connection);
    expect(model).toEqual(connection);
    expect(issues).toEqual([]);
    expect(unfrozenPartsOf(model)).toEqual([]);
  });

  test("leaves undocumented fields out, so that it can be written back", async () => {
    const connection = { platform_name: "Looms", platform_username: null, metadata: {} };
    const { model, issues } = await readRoleConnection({ ...connection, application_metadata: [] });
    expect(model).toEqual(connection);
    expect(issues).toEqual([]);
  });

  test("has null for fields that the platform left out", async () => {
    const nothing = { platform_name: null, platform_username: null, metadata: null };
    for (const payload of [{}, nothing]) {
      expect(await readRoleConnection(payload)).toEqual({ model: nothing, issues: [] });
    }
  });

  test("keeps every text value under any key", async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.string()), async (metadata) => {
        const { model, issues } = await readRoleConnection({ metadata });
        expect(Object.entries(model.metadata ?? {})).toEqual(Object.entries(metadata));
        expect(issues).toEqual([]);
      }),
      { examples: [[JSON.parse('{"__proto__":"1","constructor":"2","toString":"3"}')]] },
    );
  });

  test("converts a number to text, and leaves out any other value", async () => {
    const metadata = { level: 3, verified: true, since: null, name: "ada", list: ["x"] };
    const { model, issues } = await readRoleConnection({ metadata });
    expect(model.metadata).toEqual({ level: "3", name: "ada" });
    expect(issues).toEqual([
      { path: "metadata.0", message: "expected a value as text, received number" },
      { path: "metadata.1", message: "expected a value as text, received boolean" },
      { path: "metadata.2", message: "expected a value as text, received null" },
      { path: "metadata.4", message: "expected a value as text, received an array" },
    ]);
  });

  test("is refused if it is not an object", async () => {
    for (const payload of ["null", "[]", '"x"', "1"]) {
      expect(await thrownBy(() => readRoleConnection(payload))).toMatchObject({
        name: "PayloadError",
        issues: [{ path: "" }],
      });
    }
  });
});

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
      message: expect.stringContaining("The list of records is not as documented"),
    });
  });
});
