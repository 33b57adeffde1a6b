import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  canInstall,
  createdAt,
  missingPermissions,
  permissionsIn,
  reinviteUrl,
} from "../src/guilds.ts";
import { Permissions } from "../src/permissions/permissions.ts";

const CLIENT = "1024000000000000000";
const GUILD = "197038439483310086";

describe("canInstall", () => {
  test.each(
    [
      ["the owner", { owner: true, permissions: "0" }, true],
      ["an administrator", { owner: false, permissions: "8" }, true],
      ["who may manage the server", { owner: false, permissions: "32" }, true],
      ["who may manage roles and channels only", { owner: false, permissions: "268435472" }, false],
      ["a person without known permissions", { owner: null, permissions: null }, false],
      ["a person without sent permissions", {}, false],
    ] as const,
  )("gives the right result for %s", (_who, guild, expected) => {
    expect(canInstall(guild)).toBe(expected);
  });

  test("filters a list of guilds", () => {
    const guilds = [
      { id: "3", owner: true, permissions: "0" },
      { id: "1", owner: false, permissions: "1024" },
      { id: "2", owner: false, permissions: "2147483647" },
    ] as const;
    expect(guilds.filter(canInstall)).toEqual([guilds[0], guilds[2]]);
  });
});

test.each([undefined, null])("canInstall(%s) throws a TypeError about the guild", (guild) => {
  const expected = `guild must be a guild like { owner, permissions }, received ${guild}`;
  expect(() => canInstall(guild as never)).toThrow(new TypeError(expected));
});

describe("missingPermissions", () => {
  test("throws for a third argument, which JavaScript would ignore", () => {
    const wanted = ["manage_guild", "ban_members"];
    expect(() => Reflect.apply(missingPermissions, null, ["manage_guild", ...wanted]))
      .toThrow(new TypeError('wanted must be a list like ["speak"]'));
  });

  test("names the missing permissions, lowest bit first", () => {
    expect(
      missingPermissions({ permissions: "1024" }, ["send_messages", "view_channel", "ban_members"]),
    )
      .toEqual(["ban_members", "send_messages"]);
  });

  test("is empty for an administrator and the owner", () => {
    const all = new Permissions().all();
    expect(missingPermissions({ permissions: "8" }, all)).toEqual([]);
    expect(missingPermissions({ owner: true, permissions: "0" }, all)).toEqual([]);
    expect(missingPermissions("administrator", all)).toEqual([]);
    expect(missingPermissions(new Permissions("administrator"), all)).toEqual([]);
  });

  test("accepts permissions in every form", () => {
    const wanted = ["view_channel", "send_messages"] as const;
    for (
      const held of [
        1024,
        "1024",
        1024n,
        ["view_channel"],
        { view_channel: true },
        new Permissions(1024),
      ]
    ) {
      expect(missingPermissions(held as "1024", wanted)).toEqual(["send_messages"]);
    }
  });

  test("and the held permissions together are the wanted ones", () => {
    const bits = fc.bigInt({ min: 0n, max: 2n ** 47n - 1n });
    fc.assert(fc.property(bits, bits, (held, wanted) => {
      fc.pre(!new Permissions(held).has("administrator"));
      const missing = new Permissions(missingPermissions(held, wanted));
      expect(missing.value & held).toBe(0n);
      expect(new Permissions(held).add(missing).has(wanted)).toBe(true);
    }));
  });

  test("refuses wrong permissions", () => {
    expect(() => missingPermissions({ permissions: "x" as "1" }, "speak")).toThrow(TypeError);
    expect(() => missingPermissions("0", "no_such" as "speak")).toThrow(TypeError);
    expect(() => missingPermissions(null as unknown as "0", "speak")).toThrow(TypeError);
  });
});

describe("reinviteUrl", () => {
  const guild = { id: GUILD, permissions: "1024" } as const;

  test("asks for the held and the missing permissions, in that guild only", async () => {
    const url = new URL(String(await reinviteUrl(CLIENT, guild, "send_messages")));
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: CLIENT,
      scope: "bot",
      permissions: "3072",
      guild_id: GUILD,
      disable_guild_select: "true",
    });
  });

  test("is null if nothing is missing", async () => {
    expect(await reinviteUrl(CLIENT, guild, "view_channel")).toBeNull();
    expect(await reinviteUrl(CLIENT, { id: GUILD, permissions: "8" }, "ban_members")).toBeNull();
  });

  test("accepts the options of a bot link", async () => {
    const scope = ["applications.commands"] as const;
    const url = await reinviteUrl(CLIENT, { id: GUILD }, "speak", { scope });
    expect(url).toContain("scope=bot%20applications.commands&permissions=2097152&");
  });

  test("refuses a wrong guild id, even if nothing is missing", async () => {
    await expect(reinviteUrl(CLIENT, { id: "x", permissions: "8" }, "speak")).rejects.toThrow(
      /guildId/,
    );
  });
});

describe("createdAt()", () => {
  test("reads the time out of the id in the platform's documentation", () => {
    expect(createdAt("175928847299117063").toISOString()).toBe("2016-04-30T11:18:25.796Z");
  });

  test("grows with the id", () => {
    const id = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    fc.assert(fc.property(id, id, (one, other) => {
      const [earlier, later] = one < other ? [one, other] : [other, one];
      expect(createdAt(String(earlier)).getTime())
        .toBeLessThanOrEqual(createdAt(String(later)).getTime());
    }));
  });

  test("refuses a wrong id by its name", () => {
    expect(() => createdAt("../../guilds")).toThrow(TypeError);
    expect(() => createdAt("../../guilds")).toThrow(/^id must be/);
  });
});

describe("permissionsIn", () => {
  const guild = { id: "7", owner_id: "1" };
  const roles = [
    { id: "7", permissions: "66560" }, // view_channel and read_message_history
    { id: "71", permissions: "268435456" }, // manage_roles
    { id: "72", permissions: "8" }, // administrator
    { id: "73", permissions: "140737488355330" }, // bit 47, which has no name, and kick_members
  ] as const;
  const member = { user: { id: "2" }, roles: ["71"] };
  const later = new Date(Date.now() + 60_000).toISOString();
  const earlier = new Date(Date.now() - 60_000).toISOString();
  const all = new Permissions().all().value;

  test("combines @everyone and the member's roles", () => {
    expect(permissionsIn({ ...member, roles: [] }, roles, guild)).toBe(66560n);
    expect(permissionsIn(member, roles, guild)).toBe(66560n | 268435456n);
    expect(permissionsIn({ ...member, roles: ["73", "99"] }, roles, guild))
      .toBe(66560n | 140737488355330n);
  });

  test.each([
    ["the owner", { ...member, user: { id: "1" } }],
    ["an administrator", { ...member, roles: ["72"] }],
    ["the owner with a timeout", {
      ...member,
      user: { id: "1" },
      communication_disabled_until: later,
    }],
    ["an administrator with a timeout", {
      ...member,
      roles: ["72"],
      communication_disabled_until: later,
    }],
  ])("gives %s all permissions", (_who, member) => {
    const found = permissionsIn(member, roles, guild);
    expect(found & all).toBe(all);
    expect(missingPermissions(found, ["manage_guild", "bypass_slowmode"])).toEqual([]);
  });

  test.each([
    [later, 66560n],
    ["soon", 66560n],
    [earlier, 66560n | 268435456n],
    [null, 66560n | 268435456n],
  ])("leaves a member with a timeout until %s what the platform leaves them", (until, expected) => {
    expect(permissionsIn({ ...member, communication_disabled_until: until }, roles, guild))
      .toBe(expected);
    const hidden = [{ id: "7", permissions: "1024" }, ...roles.slice(1)] as const;
    const found = permissionsIn({ ...member, communication_disabled_until: later }, hidden, guild);
    expect(found).toBe(1024n);
  });

  test("grants nothing for a part that is not known", () => {
    expect(permissionsIn({ user: null, roles: null }, roles, { id: "7", owner_id: null }))
      .toBe(66560n);
    expect(permissionsIn({}, roles, { id: "7" })).toBe(66560n);
    expect(permissionsIn(member, [{ id: "7", permissions: null }, { id: "71" }], guild)).toBe(0n);
  });

  test("grants nothing for an owner without an id", () => {
    const user = { username: "bob" } as never;
    expect(permissionsIn({ user }, roles, { id: "7" })).toBe(66560n);
    const nobody = { user: { id: null as never }, roles: [] };
    expect(permissionsIn(nobody, roles, { id: "7", owner_id: null })).toBe(66560n);
  });

  test("refuses roles of a member that are not a list", () => {
    expect(() => permissionsIn({ roles: "71" as never }, roles, guild)).toThrow(
      new TypeError(
        "member.roles must be the list of the member's role ids, received a string of length 2",
      ),
    );
  });

  test.each([[null], [[]], [roles.slice(1)]])("needs @everyone among the roles", (incomplete) => {
    expect(() => permissionsIn(member, incomplete, guild))
      .toThrow(new TypeError("roles must include @everyone, the role with the guild's id"));
  });

  const permissions = fc.bigInt({ min: 0n, max: (1n << 60n) - 1n }).map((bits) => bits & ~8n);
  const guildRoles = fc.array(permissions, { minLength: 1, maxLength: 6 }).map((values) =>
    values.map((value, at) => ({ id: `${7 + at}`, permissions: `${value}` as const }))
  );

  test("does not depend on the order or the repetition of roles", () => {
    fc.assert(fc.property(guildRoles, fc.array(fc.nat(6)), (roles, held) => {
      const ids = held.map((at) => `${7 + at}`);
      const found = permissionsIn({ roles: ids }, roles, { id: "7" });
      expect(permissionsIn({ roles: [...ids, ...ids].reverse() }, roles.toReversed(), { id: "7" }))
        .toBe(found);
    }));
  });

  test("a further role never takes a permission away, a timeout never adds one, and owners have all", () => {
    fc.assert(fc.property(guildRoles, fc.array(fc.nat(6)), fc.nat(6), (roles, held, more) => {
      const ids = held.map((at) => `${7 + at}`);
      const found = permissionsIn({ roles: ids }, roles, { id: "7" });
      const wider = permissionsIn({ roles: [...ids, `${7 + more}`] }, roles, { id: "7" });
      expect(found & ~wider).toBe(0n);
      const timedOut = { roles: ids, communication_disabled_until: later };
      const left = permissionsIn(timedOut, roles, { id: "7" });
      expect(left).toBe(found & 66560n);
      const owner = { roles: ids, user: { id: "1" } };
      const owned = permissionsIn(owner, roles, { id: "7", owner_id: "1" });
      expect(owned & (found | all)).toBe(found | all);
    }));
  });
});
