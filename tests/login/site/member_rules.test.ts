import { describe, expect, test } from "vitest";
import { checkMembers } from "../../../src/login/site/member_rules.ts";

const guildId = "1300000000000000001";
const scope = ["identify", "guilds.members.read"] as const;
const check = (given: unknown, scopes: readonly string[] = scope) =>
  checkMembers(given as never, "members", { scope: scopes as never });

describe("The option members", () => {
  test("is a guild or a list of up to four, with defaults", () => {
    const rule = { guildId, roles: null, checkedForMs: 300_000 };
    expect(check({ guildId })).toEqual([rule]);
    expect(check({ guildId, roles: null, checkedFor: null })).toEqual([rule]);
    expect(check([{ guildId, roles: ["7"], checkedFor: 60 }, { guildId: "8", checkedFor: 3600 }]))
      .toEqual([
        { guildId, roles: ["7"], checkedForMs: 60_000 },
        { guildId: "8", roles: null, checkedForMs: 3_600_000 },
      ]);
  });

  test.each([
    ["nothing", [], "a guild, or a list of 1 to 4 guilds"],
    ["five guilds", Array(5).fill({ guildId }), "a guild, or a list of 1 to 4 guilds"],
    ["an id alone", guildId, "members must be an object"],
    ["a null in a list", [null], "members must be an object"],
    ["a misspelled name", { guildID: guildId }, "did you mean guildId?"],
    ["a name as the guild", { guildId: "Looms" }, "members.guildId"],
    ["a number as the guild", { guildId: 7 }, "members.guildId"],
    ["a role without a list", { guildId, roles: "7" }, "members.roles must be a list of role ids"],
    [
      "a list without roles, which would admit everyone",
      { guildId, roles: [] },
      "members.roles must be a list of role ids",
    ],
    ["a name as a role", { guildId, roles: ["crew"] }, "members.roles"],
    [
      "59 seconds",
      { guildId, checkedFor: 59 },
      "members.checkedFor must be 60 to 3,600 seconds, received 59",
    ],
    [
      "an hour and a second",
      { guildId, checkedFor: 3601 },
      "members.checkedFor must be 60 to 3,600 seconds",
    ],
    ["no number", { guildId, checkedFor: "300" }, "members.checkedFor must be 60 to 3,600 seconds"],
  ])("refuses %s", (_, given, message) => {
    expect(() => check(given)).toThrow(TypeError);
    expect(() => check(given)).toThrow(message);
  });

  test("needs the scope that reads the membership", () => {
    expect(() => check({ guildId }, ["identify", "guilds"]))
      .toThrow('members needs "guilds.members.read" in the option scope');
  });
});
