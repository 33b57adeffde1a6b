/**
 * Writes permissions as a number or as code, to copy into a program.
 *
 * @module
 */

import { type PermissionName, Permissions } from "../../src/permissions/permissions.ts";
import { namedBits } from "./remarks.ts";

/** A form of the permissions. The select field of the page has one option for each. */
export type CodeForm = "decimal" | "hexadecimal" | "guildpass" | "discord.js";

/** Writes permissions in a form. */
export function permissionCode(permissions: Permissions, form: CodeForm): string {
  return writers[form](permissions);
}

const writers: Readonly<Record<CodeForm, (permissions: Permissions) => string>> = {
  decimal: String,
  hexadecimal: ({ value }) => hexadecimal(value),
  guildpass: (permissions) =>
    `import { Permissions } from "@guildpass/sdk/permissions";

const permissions = new Permissions(${listCode(permissions, (name) => `"${name}"`)});`,
  "discord.js": (permissions) =>
    permissions.equals(0n)
      ? `import { PermissionsBitField } from "discord.js";

const permissions = new PermissionsBitField();`
      : `import { PermissionFlagsBits, PermissionsBitField } from "discord.js";

const permissions = new PermissionsBitField(${
        listCode(permissions, (name) => `PermissionFlagsBits.${discordJsName(name)}`)
      });`,
};

/** Writes the names as a list, and after them the bits that have no name as one number. Returns no text for no permissions. */
function listCode(permissions: Permissions, write: (name: PermissionName) => string): string {
  const unnamed = permissions.value & ~namedBits(permissions);
  const entries = [
    ...permissions.toArray().map(write),
    ...(unnamed === 0n ? [] : [`${hexadecimal(unnamed)}n`]),
  ];
  return entries.length === 0 ? "" : `[\n${entries.map((entry) => `  ${entry},\n`).join("")}]`;
}

function hexadecimal(value: bigint): string {
  return `0x${value.toString(16)}`;
}

/** Returns the name of a permission as discord.js and discord-api-types have it. */
function discordJsName(name: PermissionName): string {
  return otherNames[name] ??
    name.split("_").map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

const otherNames: Readonly<Partial<Record<PermissionName, string>>> = {
  send_tts_messages: "SendTTSMessages",
  use_vad: "UseVAD",
  use_external_sticker: "UseExternalStickers",
};
