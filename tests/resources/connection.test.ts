import { describe, expect, test } from "vitest";
import { thrownBy } from "../support/responders.ts";
import { readConnections, unfrozenPartsOf } from "../support/models.ts";

const github = { id: "1815", type: "github" };

const connectionFields = {
  name: "ada-lovelace",
  verified: true,
  revoked: false,
  integrations: [{
    id: "33590653072239123",
    name: "ada-lovelace",
    type: "twitch",
    enabled: true,
    account: { id: "x", name: "ada-lovelace" },
    guild: { id: "7", name: "Looms", icon: null },
  }],
  friend_sync: false,
  show_activity: true,
  two_way_link: false,
  visibility: 1,
};

describe("a connection", () => {
  test("has all its properties", async () => {
    const { model, issues } = await readConnections([{ ...github, ...connectionFields }]);
    expect(model).toEqual([{ ...github, ...connectionFields }]);
    expect(issues).toEqual([]);
    expect(model.flatMap(unfrozenPartsOf)).toEqual([]);
  });

  test("has null for fields that the platform left out", async () => {
    const nothing = Object.fromEntries(Object.keys(connectionFields).map((name) => [name, null]));
    const { model, issues } = await readConnections([github, { ...github, name: null }]);
    expect(model).toEqual([{ ...github, ...nothing }, { ...github, ...nothing }]);
    expect(issues).toEqual([]);
  });

  test("may have a type that is not known yet", async () => {
    const tomorrow = { id: "https://ada.example/@ada", type: "brand-new" };
    expect((await readConnections([tomorrow])).model).toMatchObject([tomorrow]);
  });

  test("is left out without an id or a type", async () => {
    const list = [{ type: "github" }, { id: "1" }, { ...github, id: 1815 }, null, github];
    const { model, issues } = await readConnections(list);
    expect(model).toMatchObject([github]);
    expect(issues.map(({ path }) => path)).toEqual(["0.id", "1.type", "2.id", "3"]);
  });
});

describe("the list of connections", () => {
  test("is empty if the platform sends null, and belongs to the caller", async () => {
    const { model, issues } = await readConnections("null");
    expect(model).toEqual([]);
    expect(issues).toEqual([]);
    expect(Object.isFrozen(model)).toBe(false);
  });

  test("is refused if the response is not a list", async () => {
    expect(await thrownBy(() => readConnections({ 0: github }))).toMatchObject({
      name: "PayloadError",
      issues: [{ path: "", message: "expected an array, received object" }],
    });
  });
});
