import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { thrownBy } from "../support/responders.ts";
import { readRoleConnection, unfrozenPartsOf } from "../support/models.ts";

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
