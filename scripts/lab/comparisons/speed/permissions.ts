/**
 * Measures permission sets: reading names and decimal strings, adding, asking, and listing names.
 *
 * @module
 */

import { calculateBits, calculatePermissions } from "@discordeno/utils";
import { PermissionsBitField } from "discord.js";
import { Permissions } from "../../../../src/permissions/permissions.ts";
import type { Run } from "./compare.ts";

const decimal = "1071698660929";
const ours = new Permissions(decimal);
const theirs = new PermissionsBitField(BigInt(decimal));
const bits = BigInt(decimal);

/** Each operation, by every library that has it. */
export const operations: Record<string, Record<string, Run>> = {
  "from five names": {
    "@guildpass/sdk": () =>
      new Permissions([
        "view_channel",
        "send_messages",
        "embed_links",
        "attach_files",
        "manage_messages",
      ]),
    "discord.js": () =>
      new PermissionsBitField([
        "ViewChannel",
        "SendMessages",
        "EmbedLinks",
        "AttachFiles",
        "ManageMessages",
      ]),
    "@discordeno/utils": () =>
      calculateBits([
        "VIEW_CHANNEL",
        "SEND_MESSAGES",
        "EMBED_LINKS",
        "ATTACH_FILES",
        "MANAGE_MESSAGES",
      ]),
  },
  "from a decimal string": {
    "@guildpass/sdk": () => new Permissions(decimal),
    "discord.js": () => new PermissionsBitField(decimal),
  },
  "add a name": {
    "@guildpass/sdk": () => ours.add("send_messages"),
    "discord.js": () => theirs.add("SendMessages"),
  },
  "has a name": {
    "@guildpass/sdk": () => ours.has("send_messages"),
    // `false`: `administrator` stands for itself alone, as in ours.
    "discord.js": () => theirs.has("SendMessages", false),
  },
  "to a list of names": {
    "@guildpass/sdk": () => ours.toArray(),
    "discord.js": () => theirs.toArray(),
    "@discordeno/utils": () => calculatePermissions(bits),
  },
};
