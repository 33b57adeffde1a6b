import { PermissionFlagsBits } from "discord-api-types/v10";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { permissionCode } from "../../examples/invite_builder/permission_code.ts";
import { Permissions } from "../../src/permissions/permissions.ts";
import { openEditor } from "../support/editor.ts";

const everything = new Permissions().all();
const withUnnamedBits = new Permissions(["view_channel", (1n << 47n) | (1n << 90n)]);

/** The permission sets of a page: any bits, named and unnamed. */
const values = fc.bigInt({ min: 0n, max: (1n << 96n) - 1n });

/** A class that takes permissions like `PermissionsBitField` of discord.js. */
class PermissionsBitField {
  readonly value: bigint;
  constructor(bits: readonly bigint[] = []) {
    this.value = bits.reduce((sum, bit) => sum | bit, 0n);
  }
}

/** Runs code without its import, and returns the value of its permissions. */
function valueIn(code: string, imported: Readonly<Record<string, unknown>>): bigint {
  const body = code.replace(/^import .*\n/, "");
  return new Function(...Object.keys(imported), `${body}\nreturn permissions.value;`)(
    ...Object.values(imported),
  );
}

describe("permissionCode()", () => {
  test("writes a decimal and a hexadecimal number", () => {
    const permissions = new Permissions(["view_channel", "use_application_commands"]);
    expect(permissionCode(permissions, "decimal")).toBe("2147484672");
    expect(permissionCode(permissions, "hexadecimal")).toBe("0x80000400");
    expect(permissionCode(new Permissions(), "decimal")).toBe("0");
    expect(permissionCode(new Permissions(), "hexadecimal")).toBe("0x0");
  });

  test("writes code for this library and for discord.js", () => {
    const permissions = new Permissions(["view_channel", "send_tts_messages", 1n << 47n]);
    expect(permissionCode(permissions, "guildpass")).toBe(
      `import { Permissions } from "@guildpass/sdk/permissions";

const permissions = new Permissions([
  "view_channel",
  "send_tts_messages",
  0x800000000000n,
]);`,
    );
    expect(permissionCode(permissions, "discord.js")).toBe(
      `import { PermissionFlagsBits, PermissionsBitField } from "discord.js";

const permissions = new PermissionsBitField([
  PermissionFlagsBits.ViewChannel,
  PermissionFlagsBits.SendTTSMessages,
  0x800000000000n,
]);`,
    );
  });

  test("writes neither import nor argument for an empty set", () => {
    expect(permissionCode(new Permissions(), "guildpass")).toMatch(/= new Permissions\(\);$/);
    const code = permissionCode(new Permissions(), "discord.js");
    expect(code).toMatch(/^import { PermissionsBitField } [^]*= new PermissionsBitField\(\);$/);
  });

  test("writes numbers of the same permissions", () => {
    fc.assert(fc.property(values, (value) => {
      const permissions = new Permissions(value);
      expect(BigInt(permissionCode(permissions, "decimal"))).toBe(value);
      expect(BigInt(permissionCode(permissions, "hexadecimal"))).toBe(value);
    }));
  });

  test("writes code for this library with the same permissions", () => {
    fc.assert(fc.property(values, (value) => {
      const code = permissionCode(new Permissions(value), "guildpass");
      expect(valueIn(code, { Permissions })).toBe(value);
    }));
  });

  test("writes code for discord.js with the same permissions, by its own names", () => {
    fc.assert(fc.property(values, (value) => {
      const code = permissionCode(new Permissions(value), "discord.js");
      const names = [...code.matchAll(/PermissionFlagsBits\.(\w+)/g)].map(([, name]) => name);
      expect(Object.keys(PermissionFlagsBits)).toEqual(expect.arrayContaining(names));
      expect(valueIn(code, { PermissionFlagsBits, PermissionsBitField })).toBe(value);
    }));
    const all = permissionCode(everything, "discord.js");
    expect(valueIn(all, { PermissionFlagsBits, PermissionsBitField })).toBe(everything.value);
  });

  test.each([
    ["no permissions", new Permissions()],
    ["every permission", everything],
    ["bits without a name", withUnnamedBits],
  ])("writes valid code for this library for %s", (_, permissions) => {
    const code = permissionCode(permissions, "guildpass")
      .replace("@guildpass/sdk/permissions", "../src/permissions/permissions.ts");
    expect(openEditor(`${code}\npermissions satisfies Permissions;`).errors).toEqual([]);
  });
});
