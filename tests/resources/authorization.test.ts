import { describe, expect, test } from "vitest";
import { thrownBy } from "../support/responders.ts";
import { exampleApplication, exampleAuthorization } from "../support/documented.ts";
import { readAuthorization } from "../support/models.ts";
import type { ApplicationObj } from "../../mod.ts";

const ada = { id: "1000000000000000001", username: "ada" };

describe("an authorization", () => {
  test("has null for fields that the platform left out, such as the user without identify", async () => {
    const { user: _, ...withoutUser } = exampleAuthorization;
    expect((await readAuthorization(withoutUser)).model).toMatchObject({ user: null });
    const { model, issues } = await readAuthorization({ application: { id: "1" } });
    expect(model).toMatchObject({ scopes: null, expires: null, user: null });
    expect(issues).toEqual([]);
  });

  test("is refused without the id of the application", async () => {
    const wrong = [undefined, null, {}, { id: 1 }, { name: "Lantern" }, "1"];
    for (const application of wrong) {
      const payload = { ...exampleAuthorization, application };
      expect(await thrownBy(() => readAuthorization(payload)))
        .toMatchObject({ name: "PayloadError" });
    }
  });

  test("has the URLs of the avatars of the user and of the application's bot", async () => {
    const bot = { id: "1", username: "lantern", avatar: "b1" };
    const payload = { application: { id: "1", bot }, user: { ...ada, avatar: "u1" } };
    const { model } = await readAuthorization(payload);
    expect(model.application.bot?.avatar_url).toBe("https://cdn.discordapp.com/avatars/1/b1.png");
    expect(model.user?.avatar_url)
      .toBe("https://cdn.discordapp.com/avatars/1000000000000000001/u1.png");
  });

  test("is kept without a user that can't be read", async () => {
    const { model, issues } = await readAuthorization({ ...exampleAuthorization, user: { id: 1 } });
    expect(model).toMatchObject({ ...exampleAuthorization, user: null });
    expect(issues.map(({ path }) => path)).toEqual(["user.id", "user.username"]);
  });
});

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
