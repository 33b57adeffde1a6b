import { describe, expect, test } from "vitest";
import type { FakePlatform } from "../../../src/testing/mod.ts";
import { APP, bearerToken, get, readJson, smallPlatform, USER_AGENT } from "../small_platform.ts";

describe("The role connection", () => {
  const path = "/users/@me/applications/100/role-connection";

  function put(fake: FakePlatform, authorization: string, text: string): Promise<Response> {
    return fake.fetch(fake.platform.apiUrl + path, {
      method: "PUT",
      headers: { ...USER_AGENT, authorization, "content-type": "application/json" },
      body: text,
    });
  }

  test("is stored for one user until it is deleted", async () => {
    const fake = smallPlatform();
    const token = bearerToken(fake, ["role_connections.write"]);
    const empty = { platform_name: null, platform_username: null, metadata: {} };
    expect(await readJson(get(fake, path, token))).toEqual(empty);
    const connection = { platform_name: "Looms", platform_username: "ada" };
    const response = await put(
      fake,
      token,
      JSON.stringify({ ...connection, metadata: { level: 3, name: "x", staff: true } }),
    );
    const expected = { ...connection, metadata: { level: "3", name: "x", staff: "true" } };
    expect(await readJson(response)).toEqual(expected);
    expect(await readJson(get(fake, path, token))).toEqual(expected);
    expect(await readJson(get(fake, path, bearerToken(fake, ["role_connections.write"], "bob"))))
      .toEqual(
        empty,
      );
    const deleted = await fake.fetch(fake.platform.apiUrl + path, {
      method: "DELETE",
      headers: { ...USER_AGENT, authorization: token },
    });
    expect(deleted.status).toBe(204);
    expect(await readJson(get(fake, path, token))).toEqual(empty);
    for (const nothing of ["", "{}", JSON.stringify({ ...empty, metadata: null })]) {
      expect(await readJson(put(fake, token, nothing))).toEqual(empty);
    }
    const maxLengths = { platform_name: "🧶".repeat(50), platform_username: "y".repeat(100) };
    expect(await readJson(put(fake, token, JSON.stringify(maxLengths)))).toMatchObject(maxLengths);
  });

  test("can be read and changed only with a token of its application", async () => {
    const fake = smallPlatform();
    const token = bearerToken(fake, ["role_connections.write"]);
    const other = await get(fake, path.replace("100", "200"), token);
    expect(other.status).toBe(403);
    expect(await readJson(other)).toEqual({ message: "Missing Access", code: 50001 });
    expect((await get(fake, path.replace("100", "x"), token)).status).toBe(400);
    expect((await get(fake, path, bearerToken(fake, ["identify"]))).status).toBe(401);
  });

  test.each([
    ["{", { message: "The request body contains invalid JSON.", code: 50109 }],
    ["[]", { code: 50109 }],
    ["null", { code: 50109 }],
    ["1", { code: 50109 }],
    [`{"platform_name":1}`, { errors: { platform_name: {} } }],
    [JSON.stringify({ platform_name: "x".repeat(51) }), {
      errors: { platform_name: { _errors: [{ message: "Must be 50 or fewer in length." }] } },
    }],
    [JSON.stringify({ platform_username: "x".repeat(101) }), {
      errors: { platform_username: { _errors: [{ code: "BASE_TYPE_MAX_LENGTH" }] } },
    }],
    [`{"metadata":[]}`, { errors: { metadata: { _errors: [{ code: "DICT_TYPE_CONVERT" }] } } }],
    [`{"metadata":"x"}`, { errors: { metadata: {} } }],
    [`{"metadata":{"b":1,"a":{"toString":1}}}`, {
      message: "Invalid Form Body",
      code: 50035,
      errors: { metadata: { a: { _errors: [{ code: "STRING_TYPE_CONVERT" }] } } },
    }],
    [`{"metadata":{"a":[]}}`, { errors: { metadata: { a: {} } } }],
    [JSON.stringify({ metadata: { a: "x".repeat(101) } }), {
      errors: { metadata: { a: { _errors: [{ message: "Must be 100 or fewer in length." }] } } },
    }],
    [`{"metadata":{"a":""}}`, {
      errors: { metadata: { a: { _errors: [{ message: "Must be 1 or more in length." }] } } },
    }],
    [JSON.stringify({ metadata: { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 } }), {
      errors: { metadata: { _errors: [{ message: "Must be 5 or fewer in length." }] } },
    }],
    [`{"metadata":{"a":null}}`, { errors: { metadata: { a: {} } } }],
  ])("is refused with 400 for the body %s", async (text, expected) => {
    const fake = smallPlatform();
    const response = await put(fake, bearerToken(fake, ["role_connections.write"]), text);
    expect(response.status).toBe(400);
    expect(await readJson(response)).toMatchObject(expected);
  });
});

describe("The metadata records of an application", () => {
  const path = "/applications/100/role-connections/metadata";
  const level = { type: 2, key: "level", name: "Level", description: "How far they have come" };

  function put(
    fake: FakePlatform,
    list: unknown,
    { at = path, authorization = "Bot bot-token" } = {},
  ): Promise<Response> {
    return fake.fetch(fake.platform.apiUrl + at, {
      method: "PUT",
      headers: { ...USER_AGENT, authorization, "content-type": "application/json" },
      body: typeof list === "string" ? list : JSON.stringify(list),
    });
  }

  async function records(fake: FakePlatform): Promise<unknown> {
    return await (await get(fake, path, "Bot bot-token")).json();
  }

  test("are empty at first, and then the latest records", async () => {
    const fake = smallPlatform();
    expect(await records(fake)).toEqual([]);
    const translated = {
      ...level,
      key: "since_2024",
      name_localizations: { de: "Stufe" },
      description_localizations: { de: "Wie weit", fr: "Jusqu'où" },
    };
    const response = await put(fake, [level, { ...translated, tomorrow: 1 }]);
    expect([response.status, await response.json()]).toEqual([200, [level, translated]]);
    expect(await records(fake)).toEqual([level, translated]);
    const without = { ...level, name_localizations: null, description_localizations: null };
    expect(await (await put(fake, [without])).json()).toEqual([level]);
    expect(await (await put(fake, "null")).json()).toEqual([]);
    expect(await records(fake)).toEqual([]);
  });

  test("can be changed only by the application's own bot", async () => {
    const fake = smallPlatform();
    const other = await put(fake, [level], { at: path.replace("100", "200") });
    expect([other.status, await readJson(other)])
      .toEqual([403, { message: "Missing Access", code: 50001 }]);
    const scopes = ["identify", "role_connections.write"];
    expect((await put(fake, [level], { authorization: bearerToken(fake, scopes) })).status).toBe(
      401,
    );
    const two = smallPlatform({
      applications: [{ ...APP, botToken: "b1" }, { ...APP, id: "300" }],
    });
    expect((await put(two, [level], { authorization: "Bot b1" })).status).toBe(200);
    expect(await (await get(two, path, "Bot b1")).json()).toEqual([level]);
  });

  const record = { 0: { _errors: [{ code: "DICT_TYPE_CONVERT" }] } };

  test.each<[string, unknown, object]>([
    ["a body that is not JSON", "[", { code: 50109 }],
    ["an empty body", "", { code: 50109 }],
    ["an object", {}, { code: 50109 }],
    ["six records", Array(6).fill(level), {
      errors: { _errors: [{ code: "BASE_TYPE_MAX_LENGTH" }] },
    }],
    ["a record that is a text", ["level"], { errors: record }],
    ["a record that is a list", [[]], { errors: record }],
    ["a record that is null", [null], { errors: record }],
    ["a type that does not exist", [{ ...level, type: 9 }], {
      errors: { 0: { type: { _errors: [{ code: "BASE_TYPE_CHOICES" }] } } },
    }],
    ["a type as text", [level, { ...level, type: "2" }], { errors: { 1: { type: {} } } }],
    ["a key of other characters", [{ ...level, key: "Level" }], {
      errors: { 0: { key: { _errors: [{ code: "STRING_TYPE_REGEX" }] } } },
    }],
    ["a key that is too long", [{ ...level, key: "a".repeat(51) }], { errors: { 0: { key: {} } } }],
    ["no key", [{ ...level, key: undefined }], { errors: { 0: { key: {} } } }],
    ["an empty name", [{ ...level, name: "" }], {
      errors: { 0: { name: { _errors: [{ message: "Must be 1 or more in length." }] } } },
    }],
    ["a long name", [{ ...level, name: "x".repeat(101) }], { errors: { 0: { name: {} } } }],
    ["a long description", [{ ...level, description: "x".repeat(201) }], {
      errors: { 0: { description: { _errors: [{ message: "Must be 200 or fewer in length." }] } } },
    }],
    [
      "a translation that is too long",
      [{ ...level, name_localizations: { de: "x".repeat(101) } }],
      {
        errors: { 0: { name_localizations: { de: {} } } },
      },
    ],
    ["translations as a list", [{ ...level, description_localizations: [] }], {
      errors: { 0: { description_localizations: { _errors: [{ code: "DICT_TYPE_CONVERT" }] } } },
    }],
  ])("stay as they are if the request has %s", async (_what, list, expected) => {
    const fake = smallPlatform();
    await put(fake, [level]);
    const response = await put(fake, list);
    expect([response.status, await readJson(response)]).toMatchObject([400, expected]);
    expect(await records(fake)).toEqual([level]);
  });
});
