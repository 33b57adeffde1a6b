import { describe, expect, test } from "vitest";
import type { ApplicationObj } from "../../mod.ts";
import { exampleApplication } from "../support/documented.ts";
import { readAuthorization } from "../support/models.ts";

async function modelOf(application: object): Promise<ApplicationObj> {
  return (await readAuthorization({ application })).model.application;
}

describe("an application", () => {
  test("has null for fields that the platform left out", async () => {
    const { id, ...rest } = await modelOf({ id: "1" });
    expect(id).toBe("1");
    expect(Object.values(rest)).toEqual(Array(22).fill(null));
  });

  test("has an entry for each readable kind of installation", async () => {
    const { integration_types_config } = exampleApplication;
    const { model, issues } = await readAuthorization({
      application: {
        id: "1",
        integration_types_config: { ...integration_types_config, 2: "everywhere", 3: {} },
      },
    });
    expect(model.application.integration_types_config).toEqual({
      ...integration_types_config,
      3: { oauth2_install_params: null },
    });
    // By the position, since the name is text of the platform's.
    expect(issues).toEqual([{
      path: "application.integration_types_config.2",
      message: "expected an object, received string",
    }]);
  });

  test("keeps undocumented fields", async () => {
    expect(await modelOf({ id: "1", summary: "", hook: true }))
      .toMatchObject({ summary: "", hook: true });
  });
});
