import { describe, expect, test } from "vitest";
import { readCommandPermissions, unfrozenPartsOf } from "../support/models.ts";
import { thrownBy } from "../support/responders.ts";

const everyone = { id: "3", type: 1, permission: false };
const payload = { id: "1", application_id: "2", guild_id: "3", permissions: [everyone] };

describe("the permissions of a command", () => {
  test("have all their properties, frozen", async () => {
    const { model, issues } = await readCommandPermissions(payload);
    expect(model).toEqual(payload);
    expect(issues).toEqual([]);
    expect(unfrozenPartsOf(model)).toEqual([]);
  });

  test("leave undocumented fields out, so that their entries can be written back", async () => {
    const { model } = await readCommandPermissions({
      ...payload,
      version: "1",
      permissions: [{ ...everyone, version: "1" }],
    });
    expect(model).toEqual(payload);
  });

  test("leave out an entry that can't be read", async () => {
    const { model, issues } = await readCommandPermissions({
      ...payload,
      permissions: [{ ...everyone, permission: "no" }, everyone],
    });
    expect(model.permissions).toEqual([everyone]);
    expect(issues.map(({ path }) => path)).toEqual(["permissions.0.permission"]);
  });

  test("are refused without a list", async () => {
    expect(await thrownBy(() => readCommandPermissions({ id: "1" }))).toMatchObject({
      name: "PayloadError",
      issues: [{ path: "permissions", message: "expected an array, received undefined" }],
    });
  });
});
