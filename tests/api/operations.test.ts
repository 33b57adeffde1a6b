import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { User } from "../../mod.ts";
import { type OperationName, operations, requestOf } from "../../src/api/operations.ts";

const source = readFileSync(new URL("../../src/api/user.ts", import.meta.url), "utf8");

/** The text above a method of `User`. */
function documentationOf(method: string): string {
  const [before = ""] = source.split(new RegExp(`^  (?:async )?${method}\\(`, "m"));
  return before.slice(before.lastIndexOf("/**")).replace(/\s+\*?\s*/g, " ");
}

describe("the operations", () => {
  test("are the methods of User", () => {
    const methods = Object.getOwnPropertyNames(User.prototype).filter((name) =>
      !["constructor", "request"].includes(name)
    );
    expect(Object.keys(operations).sort()).toEqual(methods.sort());
  });

  test.each(Object.entries(operations))(
    "%s() has its scope in the documentation",
    (name, operation) => {
      if (operation.scope !== null) {
        expect(documentationOf(name)).toContain(`Needs the \`${operation.scope}\` scope`);
      } else if ("forBots" in operation || "unauthorizedHint" in operation) {
        expect(documentationOf(name)).toContain("Needs the token of");
      } else {
        expect(documentationOf(name)).toContain("Needs no scope");
      }
    },
  );
});

describe("requestOf()", () => {
  test("puts the arguments into the path", () => {
    expect(requestOf("addGuildMember", { userId: "8", guildId: "7" }))
      .toMatchObject({ operation: "addGuildMember()", method: "PUT", path: "/guilds/7/members/8" });
  });

  test("says which requests the caller shapes: those with ids or a body", () => {
    const ids = { id: "1", guildId: "1", userId: "1", roleId: "1", applicationId: "1" };
    const names = Object.keys(operations) as OperationName[];
    const free = names.filter((name) => requestOf(name, ids).isShapedByCaller !== true);
    expect(free).toContain("getCurrentUser");
    const fixed = names.filter((name) => !operations[name].path.includes("{"));
    expect(free).toEqual(fixed.filter((name) => name !== "getUserGuilds"));
  });

  test("throws a TypeError about an argument that is not an id, with its name", () => {
    expect(() => requestOf("getGuildMember", { guildId: "@me" })).toThrow(TypeError);
    expect(() => requestOf("getGuildMember", { guildId: "@me" })).toThrow(/^guildId must be/);
  });
});
