import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GuildpassError, PayloadError } from "../../mod.ts";
import { guildSchema } from "../../src/resources/guild.ts";
import { readPayload } from "../../src/resources/reading.ts";
import { userSchema } from "../../src/resources/user.ts";
import { fieldsOf } from "../support/schemas.ts";
import { thrownBy } from "../support/responders.ts";
import {
  readGuild,
  readGuilds,
  readRecords,
  readToken,
  readUser,
  unfrozenPartsOf,
} from "../support/models.ts";

const ada = { id: "1000000000000000001", username: "ada" };
const engine = { id: "1200000000000000001", name: "The Analytical Engine" };

/** Every kind of model, made of a payload or its text, and the least there is to one. */
const models: [string, (payload: unknown) => Promise<object | undefined>, { id: string }][] = [
  ["user", async (payload) => (await readUser(payload)).model, ada],
  ["guild", async (payload) => (await readGuild(payload)).model, engine],
  ["guild of the list", async (payload) => {
    const text = typeof payload === "string" ? payload : JSON.stringify(payload);
    return (await readGuilds(`[${text}]`)).model[0];
  }, engine],
];

describe.each(models)("any %s", (_kind, toModel, payload) => {
  const known = new Set([
    ...[userSchema, guildSchema].flatMap((create) => fieldsOf(create(""))).map(({ name }) => name),
    ...["avatar_url", "icon_url", "perms", "__proto__", "constructor", "prototype"],
  ]);
  const unknownFields = fc.dictionary(
    fc.string().filter((name) => !known.has(name)),
    // Which JSON can carry: no -0, and no own `__proto__` that an object literal of the test would swallow.
    fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value))),
  );

  test("keeps unknown fields as they are", async () => {
    await fc.assert(
      fc.asyncProperty(unknownFields, async (more) => {
        expect(await toModel({ ...payload, ...more })).toEqual({
          ...await toModel(payload),
          ...more,
        });
      }),
      { numRuns: 50 },
    );
  });

  test("is frozen at any depth, and survives a copy and JSON", async () => {
    await fc.assert(
      fc.asyncProperty(unknownFields, async (more) => {
        const model = await toModel({ ...payload, ...more });
        expect(unfrozenPartsOf(model)).toEqual([]);
        expect(structuredClone(model)).toEqual(model);
        expect(JSON.parse(JSON.stringify(model))).toEqual(model);
      }),
      { numRuns: 50 },
    );
  });

  test("is a frozen plain object", async () => {
    const model = await toModel(payload) as { id: string };
    expect(Object.getPrototypeOf(model)).toBe(Object.prototype);
    expect(() => (model.id = "2")).toThrow(TypeError);
    expect(model.id).toBe(payload.id);
  });

  test("is safe from the names of an object's internals", async () => {
    const poison = '{"polluted":true}';
    const text = JSON.stringify(payload).replace(
      "{",
      `{"__proto__":${poison},"constructor":{"prototype":${poison}},"prototype":${poison},` +
        `"hasOwnProperty":null,"toString":1,"new":{"__proto__":${poison}},`,
    );
    const model = await toModel(text);
    const fieldOf = (of: unknown, name: string): unknown => Reflect.get(Object(of), name);
    expect(model).toMatchObject({ ...payload, hasOwnProperty: null, toString: 1 });
    expect(Object.getPrototypeOf(model)).toBe(Object.prototype);
    expect(fieldOf(model, "constructor")).toBe(Object);
    expect(fieldOf(model, "polluted")).toBeUndefined();
    expect(fieldOf({}, "polluted")).toBeUndefined();
    expect(Object.isFrozen(fieldOf(model, "new"))).toBe(true);
  });

  test.each([
    ["deep", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
    ["deep in objects", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`],
    ["long", JSON.stringify(Array(300_000).fill("x"))],
    ["long with objects", JSON.stringify(Array(150_000).fill({ a: "x" }))],
  ])("may hold a value that is very %s", async (_how, more) => {
    const text = JSON.stringify(payload).replace("{", `{"more":${more},`);
    // Where the runtime's own JSON.parse gives up so deep down, it is a PayloadError.
    const outcome = await toModel(text).catch((error: unknown) => error);
    if (outcome instanceof GuildpassError) expect(outcome).toMatchObject({ name: "PayloadError" });
    else expect(unfrozenPartsOf(outcome)).toEqual([]);
  });
});

describe("a documented response", () => {
  const cdnUrl = "https://cdn.test";
  const refuseReport = () => {
    throw new Error("Nothing was to be repaired");
  };

  test("becomes a model that is frozen with all its parts", () => {
    const role = { id: "1", tags: { premium_subscriber: null }, more: {} };
    const emoji = { id: "2", roles: ["1"], user: { ...ada } };
    const payload = { ...engine, roles: [role], emojis: [emoji], features: ["A"], more: [{}] };
    const model = readPayload(guildSchema, payload, refuseReport, cdnUrl);
    expect(model.roles?.[0]?.tags?.premium_subscriber).toBe(true);
    expect(model.emojis?.[0]?.user?.username).toBe("ada");
    expect(unfrozenPartsOf(model)).toEqual([]);
  });

  test("has the image URLs of its platform, also after the response of another platform", () => {
    const read = (cdnUrl: string) =>
      readPayload(userSchema, { ...ada, avatar: "hash" }, refuseReport, cdnUrl).avatar_url;
    expect(read("https://one.test")).toMatch(/^https:\/\/one\.test\//);
    expect(read("https://two.test")).toMatch(/^https:\/\/two\.test\//);
    expect(read("https://one.test")).toMatch(/^https:\/\/one\.test\//);
  });

  test("is copied only as a list, which callers may change", async () => {
    const { model: guilds } = await readGuilds([{ ...engine }]);
    expect(Object.isFrozen(guilds)).toBe(false);
    expect(unfrozenPartsOf(guilds)).toEqual([guilds]);
    const { model: records } = await readRecords([{ key: "punched" }]);
    expect(unfrozenPartsOf(records)).toEqual([records]);
  });

  test("loses the names of an object's internals in its parts, too", () => {
    const text = JSON.stringify({ ...engine, roles: [{ id: "1" }] })
      .replace('{"id":"1"', '{"__proto__":{"a":1},"constructor":{},"prototype":{},"id":"1"');
    const role = readPayload(guildSchema, JSON.parse(text), refuseReport, cdnUrl).roles?.[0] ?? {};
    expect(Object.getPrototypeOf(role)).toBe(Object.prototype);
    for (const name of ["__proto__", "constructor", "prototype"]) {
      expect(Object.keys(role)).not.toContain(name);
    }
    expect(Object.keys(role)).toContain("permissions");
  });

  test("leaves what its objects inherit as it is", () => {
    const inherited = {};
    Object.defineProperty(Object.prototype, "inherited", {
      value: inherited,
      enumerable: true,
      configurable: true,
    });
    try {
      readPayload(guildSchema, JSON.parse(JSON.stringify(engine)), refuseReport, cdnUrl);
    } finally {
      Reflect.deleteProperty(Object.prototype, "inherited");
    }
    expect(Object.isFrozen(inherited)).toBe(false);
  });
});

describe("a response of another type", () => {
  test.each([[null], [[]], [{}], ["text"], [1], [true]])("is refused: %j", async (payload) => {
    const text = JSON.stringify(payload);
    const isRefused = (what: string) => ({
      name: "PayloadError",
      message: expect.stringMatching(`^${what} is not as documented: .*expected`),
    });
    expect(await thrownBy(() => readUser(text))).toMatchObject(isRefused("The user"));
    expect(await thrownBy(() => readGuild(text))).toMatchObject(isRefused("The guild"));
    expect(await thrownBy(() => readToken(text))).toMatchObject(isRefused("The token response"));
  });

  test("is refused with frozen issues", async () => {
    const error = await thrownBy(() => readUser({}));
    expect(error).toBeInstanceOf(PayloadError);
    expect(unfrozenPartsOf((error as PayloadError).issues)).toEqual([]);
  });
});

describe("a response with many wrong places", () => {
  const wrongList = Array(100_000).fill(1);

  test("is reported with its first hundred places", async () => {
    const { model, issues } = await readGuild({ ...engine, features: Array(10_000).fill(1) });
    expect(model.features).toEqual([]);
    expect(issues).toHaveLength(100);
    expect(issues[99]?.path).toBe("features.99");
    expect(issues.filter((issue) => !Object.isFrozen(issue))).toEqual([]);
  });

  test.each<[string, () => Promise<{ issues: readonly { path: string }[] }>, string]>([
    ["a list", () => readGuilds(wrongList), "0"],
    ["a field", () => readGuild({ ...engine, features: wrongList }), "features.0"],
    ["a field of a field", () =>
      readToken({
        access_token: "t0ken",
        token_type: "Bearer",
        guild: { ...engine, emojis: wrongList },
      }), "guild.emojis.0"],
    [
      "many lists",
      () => readGuilds(Array(200).fill({ ...engine, features: Array(100).fill(1) })),
      "0.features.0",
    ],
  ])("is read if %s is very long", async (_what, call, path) => {
    const { issues } = await call();
    expect(issues).toHaveLength(100);
    expect(issues[0]).toMatchObject({ path });
  });

  test("keeps the right entries of a list, in their order", async () => {
    const features = Array.from({ length: 10_000 }, (_, index) => index % 2 ? `F${index}` : index);
    const { model } = await readGuild({ ...engine, features });
    expect(model.features).toEqual(features.filter((feature) => typeof feature === "string"));
  });

  test("is reported with documented names and positions only", async () => {
    const names = /^(?:[a-z_]+|\d+)(?:\.(?:[a-z_]+|\d+))*$/;
    const secret = "s3cret-s3cret-s3cret-s3cret-s3cret";
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (first, second) => {
        const { issues } = await readGuild({
          ...engine,
          [secret]: first,
          icon: { [secret]: secret },
          roles: [{ id: secret, [secret]: first }, first, { id: "1", tags: second }],
          emojis: second,
          permissions: secret,
        });
        for (const { path } of issues) expect(path).toMatch(names);
        expect(JSON.stringify(issues)).not.toContain(secret);
      }),
      { numRuns: 50 },
    );
  });

  test("is read with any characters in its strings", async () => {
    const half = "\ud83c";
    const { model } = await readUser(`{"id":"1","username":"\\ud83c","email":"\\u0000"}`);
    expect(model).toMatchObject({ username: half, email: "\0" });
  });
});
