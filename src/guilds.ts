/**
 * What somebody may do in a guild, and the link that gives a bot its missing permissions there. Nothing here touches the network.
 *
 * @example
 * ```ts
 * import { canInstall, missingPermissions } from "@guildpass/sdk/guilds";
 *
 * const guild = { id: "197038439483310086", owner: false, permissions: "32" } as const;
 * canInstall(guild); // true
 * missingPermissions(guild, ["manage_guild", "manage_roles"]); // ["manage_roles"]
 * ```
 *
 * @module
 */

import { checkSnowflake } from "./core/arguments.ts";
import { Bot, type BotOptions } from "./links/bot.ts";
import { flags, namesOf, type PermissionName } from "./permissions/names.ts";
import { type PermissionInput, permissionValue } from "./permissions/permission_input.ts";

/** What is needed of a guild to see what somebody may do in it: an entry of `getUserGuilds()` has it. */
export interface GuildPermissions {
  /** Whether the person owns the guild. */
  readonly owner?: boolean | null | undefined;
  /** The person's permissions in the guild, as a decimal string. */
  readonly permissions?: `${bigint}` | null | undefined;
}

/**
 * Whether the person may add an application to the guild: its owner, an administrator, or who may manage the server.
 *
 * @param guild An entry of `User.getUserGuilds()`.
 * @throws {TypeError} When the guild's permissions are not a number.
 * @see {@link https://docs.discord.com/developers/topics/oauth2#bot-authorization-flow | Bot authorization in the platform's documentation}
 */
export function canInstall(guild: GuildPermissions): boolean {
  return missingPermissions(guild, "manage_guild").length === 0;
}

/**
 * The guilds to which the person may add an application, in the order they came in.
 *
 * @param guilds The answer of `User.getUserGuilds()`.
 * @throws {TypeError} When a guild's permissions are not a number.
 */
export function installable<Guild extends GuildPermissions>(guilds: Iterable<Guild>): Guild[] {
  return [...guilds].filter(canInstall);
}

/**
 * The names of the wanted permissions that are missing, lowest bit first. An administrator and the owner of a guild have all.
 *
 * @param held A guild with somebody's permissions in it, or permissions by themselves.
 * @param wanted The permissions to look for.
 * @throws {TypeError} When an argument is not what {@link PermissionInput} allows.
 */
export function missingPermissions(
  held: GuildPermissions | PermissionInput,
  wanted: PermissionInput,
): PermissionName[] {
  return namesOf(missingBits(held, wanted));
}

/**
 * The link that gives a bot its missing permissions in a guild it is in already, or `null` when none are missing. The link
 * asks for those that the bot has too, since the platform replaces its permissions by the ones in the link.
 *
 * @param clientId The bot's client id.
 * @param guild The guild, with the permissions that the bot has in it: an entry of `getUserGuilds()` of a `User` with the bot's
 * token. With the token of a person the entry has the person's permissions.
 * @param wanted The permissions that the bot needs.
 * @throws {TypeError} When an argument is wrong, with its name and what was received.
 *
 * @example
 * ```ts
 * import { reinviteUrl } from "@guildpass/sdk/guilds";
 *
 * const guild = { id: "197038439483310086", permissions: "1024" } as const;
 * await reinviteUrl("1024000000000000000", guild, ["view_channel", "send_messages"]);
 * // "https://discord.com/oauth2/authorize?client_id=1024000000000000000&scope=bot&permissions=3072&guild_id=197038439483310086&disable_guild_select=true"
 * await reinviteUrl("1024000000000000000", guild, "view_channel"); // null
 * ```
 */
export async function reinviteUrl(
  clientId: string,
  guild: { readonly id: string; readonly permissions?: `${bigint}` | null | undefined },
  wanted: PermissionInput,
  options: BotOptions = {},
): Promise<string | null> {
  const held = permissionValue(guild.permissions ?? 0n);
  const missing = missingBits(held, wanted);
  const bot = new Bot(clientId, held | missing, options);
  const link = await bot.url({ guildId: guild.id, disableGuildSelect: true });
  return missing ? link : null;
}

/**
 * Reads the creation time out of an id: of a guild, a user, a role, or anything else that has a snowflake.
 *
 * @example
 * ```ts
 * import { createdAt } from "@guildpass/sdk/guilds";
 *
 * createdAt("80351110224678912").getUTCFullYear(); // 2015
 * ```
 *
 * @throws {TypeError} When `id` is not a snowflake.
 * @see {@link https://docs.discord.com/developers/reference#snowflakes | Snowflakes in the platform's documentation}
 */
export function createdAt(id: string): Date {
  checkSnowflake("id", id);
  const millisecondsSince2015 = Number(BigInt(id) >> 22n);
  return new Date(1_420_070_400_000 + millisecondsSince2015);
}

function missingBits(held: GuildPermissions | PermissionInput, wanted: PermissionInput): bigint {
  const wantedBits = permissionValue(wanted);
  if (isGuild(held)) {
    if (held.owner) return 0n;
    return missingBits(held.permissions ?? 0n, wantedBits);
  }
  const heldBits = permissionValue(held);
  return heldBits & flags.administrator ? 0n : wantedBits & ~heldBits;
}

/** A dictionary of permissions has no entry `permissions`, as that is not the name of one. */
function isGuild(held: GuildPermissions | PermissionInput): held is GuildPermissions {
  return typeof held === "object" && held !== null && ("permissions" in held || "owner" in held);
}
