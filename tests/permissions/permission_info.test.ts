import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { PermissionFlagsBits } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { permissionInfo } from "../../src/permissions/permission_info.ts";
import { type PermissionName, Permissions } from "../../src/permissions/permissions.ts";

const names = Object.keys(permissionInfo) as PermissionName[];

describe("permissionInfo", () => {
  test("has a row for each permission and no other", () => {
    expect([...names].sort()).toEqual(Object.keys(Permissions.flags).sort());
  });

  test("has a unique label and one sentence for each permission", () => {
    for (const name of names) {
      expect(permissionInfo[name].label, name).toMatch(/^[A-Z][a-z]+(?:[ -][a-z]+)*$/);
      expect(permissionInfo[name].description, name).toMatch(/^[A-Z][^\n]{10,110}\.$/);
    }
    const labels = names.map((name) => permissionInfo[name].label);
    const descriptions = names.map((name) => permissionInfo[name].description);
    expect(new Set(labels).size).toBe(names.length);
    expect(new Set(descriptions).size).toBe(names.length);
  });

  test("shows the groups one after the other", () => {
    const groups = names.map((name) => permissionInfo[name].group);
    expect(groups.filter((group, i) => group !== groups[i - 1]))
      .toEqual(["general", "membership", "text", "voice", "stage", "advanced"]);
  });

  test("has each permission of a preset in the group with its name", () => {
    expect(strayFrom("general")).toEqual([]);
    expect(strayFrom("membership")).toEqual([]);
    // The preset lets writers time out members, which people look for among the members.
    expect(strayFrom("text")).toEqual(["moderate_members"]);
    expect(strayFrom("voice")).toEqual([]);
    expect(strayFrom("stage")).toEqual([]);
    expect(strayFrom("advanced")).toEqual([]);
  });

  test("marks the elevated preset and two more documented permissions as elevated", () => {
    const elevated = names.filter((name) => permissionInfo[name].elevated);
    expect(new Permissions(elevated).missing(Permissions.presets.elevated)).toEqual([]);
    expect(new Permissions(elevated).remove(Permissions.presets.elevated).toArray())
      .toEqual(["manage_webhooks", "view_creator_monetization_analytics"]);
  });

  test("names the channels that discord-api-types documents", () => {
    const documented = documentedChannels();
    for (const name of names) {
      const channels = permissionInfo[name].channels.map(capitalized).join(", ");
      expect({ name, channels }).toEqual({ name, channels: documented.get(flagOf(name)) });
    }
  });

  test("can't be changed, at any depth", () => {
    expect(Object.isFrozen(permissionInfo)).toBe(true);
    for (const name of names) {
      expect(Object.isFrozen(permissionInfo[name]), name).toBe(true);
      expect(Object.isFrozen(permissionInfo[name].channels), name).toBe(true);
    }
  });
});

function strayFrom(group: "general" | "membership" | "text" | "voice" | "stage" | "advanced") {
  return new Permissions(Permissions.presets[group]).toArray()
    .filter((name) => permissionInfo[name].group !== group);
}

/** The name that discord-api-types gives to a permission, found by its bit; the deprecated name comes first there. */
function flagOf(name: PermissionName): string {
  const flags = Object.entries(PermissionFlagsBits);
  return flags.findLast(([, bit]) => bit === Permissions.flags[name])?.[0] ?? "";
}

/** Channel types stand only in the comments of the declarations. */
function documentedChannels(): Map<string, string> {
  const main = createRequire(import.meta.url).resolve("discord-api-types/v10");
  const declarations = readFileSync(main.replace(/v10\.js$/, "payloads/common.d.ts"), "utf8");
  const members = declarations.matchAll(
    /\/\*\*((?:(?!\*\/)[^])*)\*\/\s*readonly (\w+): bigint;/g,
  );
  return new Map(
    [...members].map(([, comment = "", flag = ""]) => [
      flag,
      /Applies to channel types: (.+)/.exec(comment)?.[1] ?? "",
    ]),
  );
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
