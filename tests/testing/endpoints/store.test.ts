import { describe, expect, test } from "vitest";
import type { FakeEntitlement, FakePlatform, FakeSubscription } from "../../../src/testing/mod.ts";
import {
  APP,
  bearerToken,
  get,
  type Json,
  PUBLIC_APP,
  readJson,
  smallPlatform,
  USER_AGENT,
} from "../small_platform.ts";

const entitlements: FakeEntitlement[] = [
  { id: "12", sku_id: "8", user_id: "1", ends_at: "1970-01-02T00:00:00Z" },
  { id: "11", sku_id: "9", user_id: "1", type: 1, consumed: false },
  { id: "13", sku_id: "9", user_id: "2", type: 1, consumed: true },
  { id: "14", sku_id: "8", guild_id: "70", type: 4 },
  { id: "15", sku_id: "8", user_id: "1", deleted: true },
];
const subscriptions: FakeSubscription[] = [
  { id: "22", user_id: "1", sku_ids: ["8"] },
  { id: "21", user_id: "2", sku_ids: ["8", "9"], status: 2 },
];

function store(): FakePlatform {
  return smallPlatform({
    applications: [{ ...APP, botToken: "bot-token", entitlements, subscriptions }, PUBLIC_APP],
    now: () => Date.parse("1970-01-03T00:00:00Z"),
  });
}

const path = "/applications/100/entitlements";

async function idsOf(fake: FakePlatform, url: string, authorization = "Bot bot-token") {
  const list: Json[] = await (await get(fake, url, authorization)).json();
  return list.map(({ id }) => id);
}

function send(fake: FakePlatform, method: string, url: string): Promise<Response> {
  const headers = { ...USER_AGENT, authorization: "Bot bot-token" };
  return fake.fetch(fake.platform.apiUrl + url, { method, headers });
}

describe("The entitlements of an application", () => {
  test("are listed by id, with filters", async () => {
    const fake = store();
    expect(await readJson(get(fake, `${path}/12`, "Bot bot-token"))).toEqual({
      id: "12",
      sku_id: "8",
      application_id: "100",
      user_id: "1",
      type: 8,
      deleted: false,
      starts_at: null,
      ends_at: "1970-01-02T00:00:00Z",
    });
    expect(await idsOf(fake, path)).toEqual(["11", "12", "13", "14"]);
    for (
      const [query, ids] of [
        ["user_id=1", ["11", "12"]],
        ["guild_id=70", ["14"]],
        ["sku_ids=9", ["11", "13"]],
        ["sku_ids=7,8", ["12", "14"]],
        ["sku_ids=7&sku_ids=8", ["12", "14"]],
        ["exclude_ended=true", ["11", "13", "14"]],
        ["exclude_deleted=false", ["11", "12", "13", "14", "15"]],
        ["exclude_deleted=true", ["11", "12", "13", "14"]],
        ["limit=2", ["11", "12"]],
        ["after=12", ["13", "14"]],
        ["before=12", ["11"]],
      ] as const
    ) expect(await idsOf(fake, `${path}?${query}`)).toEqual(ids);
    expect((await get(fake, `${path}?limit=101`, "Bot bot-token")).status).toBe(400);
  });

  test("need the bot, or the scope, of the application", async () => {
    const fake = store();
    expect(await idsOf(fake, path, bearerToken(fake, ["applications.entitlements"])))
      .toHaveLength(4);
    expect((await get(fake, path, bearerToken(fake, ["identify"]))).status).toBe(401);
    expect((await get(fake, path.replace("100", "200"), "Bot bot-token")).status).toBe(403);
    const missing = await get(fake, `${path}/99`, "Bot bot-token");
    expect([missing.status, await readJson(missing)])
      .toEqual([404, { message: "Unknown Entitlement", code: 10029 }]);
  });

  test("are consumed if they can be, and deleted if they are tests", async () => {
    const fake = store();
    expect((await send(fake, "POST", `${path}/11/consume`)).status).toBe(204);
    expect(await readJson(get(fake, `${path}/11`, "Bot bot-token"))).toMatchObject({
      consumed: true,
    });
    expect(await readJson(send(fake, "POST", `${path}/12/consume`))).toMatchObject({ code: 40018 });
    expect((await send(fake, "DELETE", `${path}/14`)).status).toBe(204);
    expect(await readJson(send(fake, "DELETE", `${path}/12`))).toMatchObject({ code: 40019 });
    expect(await idsOf(fake, path)).toEqual(["11", "12", "13"]);
    expect(await idsOf(store(), path)).toHaveLength(4);
  });

  test("of a person are read with any token of the person", async () => {
    const fake = store();
    const own = "/users/@me/applications/100/entitlements";
    const [ada, bob] = [bearerToken(fake, ["openid"]), bearerToken(fake, ["identify"], "bob")];
    expect(await idsOf(fake, own, ada)).toEqual(["12", "11", "15"]);
    expect(await idsOf(fake, `${own}?sku_ids=9`, ada)).toEqual(["11"]);
    expect(await idsOf(fake, own, bob)).toEqual([]);
    expect(await idsOf(fake, `${own}?exclude_consumed=false`, bob)).toEqual(["13"]);
    expect(await idsOf(fake, `${own}?exclude_consumed=true`, bob)).toEqual([]);
    expect((await get(fake, own.replace("100", "200"), ada)).status).toBe(403);
    expect((await get(fake, own, "Bot bot-token")).status).toBe(401);
  });
});

describe("The subscriptions to an item", () => {
  test("are those of the person, or of one person for a bot", async () => {
    const fake = store();
    const [ada, bob] = [bearerToken(fake, ["identify"]), bearerToken(fake, ["identify"], "bob")];
    expect(await (await get(fake, "/skus/8/subscriptions", ada)).json()).toEqual([{
      id: "22",
      user_id: "1",
      sku_ids: ["8"],
      entitlement_ids: [],
      renewal_sku_ids: null,
      current_period_start: "2026-01-01T00:00:00.000000+00:00",
      current_period_end: "2026-02-01T00:00:00.000000+00:00",
      status: 0,
      canceled_at: null,
    }]);
    expect(await idsOf(fake, "/skus/9/subscriptions", ada)).toEqual([]);
    expect(await idsOf(fake, "/skus/9/subscriptions", bob)).toEqual(["21"]);
    expect(await idsOf(fake, "/skus/8/subscriptions?user_id=2")).toEqual(["21"]);
    const unnamed = await get(fake, "/skus/8/subscriptions", "Bot bot-token");
    expect([unnamed.status, await readJson(unnamed)])
      .toMatchObject([400, { errors: { user_id: {} } }]);
    expect(await readJson(get(fake, "/skus/8/subscriptions/21", "Bot bot-token")))
      .toMatchObject({ status: 2 });
    expect((await get(fake, "/skus/8/subscriptions/21", ada)).status).toBe(404);
  });
});
