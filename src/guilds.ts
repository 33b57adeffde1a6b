/**
 * The permissions of a user or a bot in a guild, and the creation time of an id. This module never uses the network.
 *
 * @module
 */

import { checkSnowflake, throwBadObject } from "./core/arguments.ts";
import { Bot, type BotOptions } from "./links/bot.ts";
import { flags, namesOf, type PermissionName } from "./permissions/names.ts";
import { type PermissionInput, permissionValue } from "./permissions/permission_input.ts";

/** A user's ownership and permissions in a guild, as in an entry of `getUserGuilds()`. */
export interface GuildPermissions {
  /** True if the user owns the guild. */
  readonly owner?: boolean | null | undefined;
  /** The user's permissions in the guild, as a decimal string. */
  readonly permissions?: `${bigint}` | null | undefined;
}

/**
 * Returns true if the user may add an application to the guild: as its owner, as an administrator, or with `manage_guild`.
 *
 * @example
 * ```ts
 * import { canInstall } from "@guildpass/sdk/guilds";
 *
 * canInstall({ owner: false, permissions: "32" }); // true
 * ```
 *
 * @param guild An entry of `User.getUserGuilds()`. `guilds.filter(canInstall)` returns the guilds to offer.
 * @throws {TypeError} If the guild is missing, or its permissions are not a number.
 * @see {@link https://docs.discord.com/developers/topics/oauth2#bot-authorization-flow | Discord: Bot authorization}
 */
export function canInstall(guild: GuildPermissions): boolean {
  assertGuild(guild, "{ owner, permissions }");
  return missingPermissions(guild, "manage_guild").length === 0;
}

/**
 * Returns the permissions that a user or a bot lacks in a guild, lowest bit first. The owner and administrators lack none. To compare bits
 * only, use `has` or `missing` of `Permissions`.
 *
 * @example
 * ```ts
 * import { missingPermissions } from "@guildpass/sdk/guilds";
 *
 * const guild = { owner: false, permissions: "32" } as const;
 * missingPermissions(guild, ["manage_guild", "manage_roles"]);
 * // ["manage_roles"]
 * ```
 *
 * @param held A guild with the permissions of a user or a bot, or the permissions alone.
 * @param wanted The required permissions.
 * @throws {TypeError} If an argument is not a {@link PermissionInput}, or there is a third argument.
 */
export function missingPermissions(
  held: GuildPermissions | PermissionInput,
  wanted: PermissionInput,
): PermissionName[] {
  // JavaScript would ignore a third argument, and its permission would not be required.
  if (2 in arguments) throw new TypeError('wanted must be a list like ["speak"]');
  return namesOf(missingBits(held, wanted));
}

/** A member of a guild, as in the response of `getGuildMemberById()`. */
export interface MemberRoles {
  /** The member's user. Without it, the owner of the guild is not recognized. */
  readonly user?: { readonly id: string } | null | undefined;
  /** The ids of the member's roles, without `@everyone`. */
  readonly roles?: readonly string[] | null | undefined;
  /** The time when the member's timeout ends, in ISO 8601. */
  readonly communication_disabled_until?: string | null | undefined;
}

/** A role of a guild. */
export interface RolePermissions {
  /** The id of the role. `@everyone` has the id of the guild. */
  readonly id: string;
  /** The permissions of the role, as a decimal string. */
  readonly permissions?: `${bigint}` | null | undefined;
}

/**
 * Returns the permissions of a member in a guild, as Discord computes them: those of `@everyone` and of all roles of the member.
 * The owner and administrators have all permissions. Other members keep only
 * `view_channel` and `read_message_history` during a timeout.
 *
 * Missing data grants nothing. Channel overwrites are not included.
 *
 * @param member The member: the response of `getGuildMemberById()`, or of `getGuildMember()`.
 * @param roles The roles of the guild, with `@everyone`: `roles` of the response of `getGuild()`.
 * @param guild The guild: the response of `getGuild()`.
 * @returns The value, for {@link missingPermissions} or `new Permissions(…)`. Bits without a name are kept.
 * @throws {TypeError} If an argument is missing, `roles` does not have `@everyone`, or the permissions of a role are not a number.
 * @see {@link https://docs.discord.com/developers/topics/permissions#permission-overwrites | Discord: Permission overwrites}
 *
 * @example
 * ```ts
 * import {
 *   missingPermissions,
 *   permissionsIn,
 * } from "@guildpass/sdk/guilds";
 *
 * const guild = { id: "7", owner_id: "1" };
 * const roles = [
 *   { id: "7", permissions: "1024" },
 *   { id: "71", permissions: "268435456" },
 * ] as const;
 * const member = { user: { id: "2" }, roles: ["71"] };
 * permissionsIn(member, roles, guild); // 268436480n
 * missingPermissions(permissionsIn(member, roles, guild), [
 *   "manage_roles",
 *   "kick_members",
 * ]); // ["kick_members"]
 * ```
 */
export function permissionsIn(
  member: MemberRoles,
  roles: readonly RolePermissions[] | null,
  guild: { readonly id: string; readonly owner_id?: string | null | undefined },
): bigint {
  if (member == null) throwBadObject("member", "a member like { user, roles }", member);
  assertGuild(guild, "{ id, owner_id }");
  if (roles != null && !Array.isArray(roles)) throwBadObject("roles", "the list of roles", roles);
  const ids = member.roles ?? [];
  if (!Array.isArray(ids)) throwBadObject("member.roles", "the list of the member's role ids", ids);
  if (!roles?.some((role) => role?.id === guild.id)) {
    throw new TypeError("roles must include @everyone, the role with the guild's id");
  }
  const held = roles
    .filter(({ id }) => id === guild.id || ids.includes(id))
    .reduce((all, { permissions }) => all | permissionValue(permissions ?? 0n), 0n);
  const { administrator, view_channel, read_message_history } = flags();
  const isOwner = guild.owner_id != null && member.user?.id === guild.owner_id;
  if (isOwner || held & administrator) return held | permissionValue(Object.values(flags()));
  const until = member.communication_disabled_until;
  const isTimedOut = until != null && !(Date.parse(until) <= Date.now());
  return isTimedOut ? held & (view_channel | read_message_history) : held;
}

/**
 * Builds an invitation link that requests the missing permissions of a bot in a guild, or returns `null` if none are missing. The
 * link includes the bot's current permissions, since Discord replaces them.
 *
 * @param clientId The bot's client id.
 * @param guild The guild with the bot's permissions: an entry of `getUserGuilds()` on a `User` with the bot's token. With a
 * user's token, the permissions would be the user's.
 * @param wanted The permissions that the bot needs.
 * @param options Additional scopes and the platform of the link.
 * @throws {TypeError} If an argument is wrong.
 *
 * @example
 * ```ts
 * import { reinviteUrl } from "@guildpass/sdk/guilds";
 *
 * const guild = {
 *   id: "197038439483310086",
 *   permissions: "1024",
 * } as const;
 * await reinviteUrl("1024000000000000000", guild, [
 *   "view_channel",
 *   "send_messages",
 * ]);
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
  assertGuild(guild, "{ id, permissions }");
  const held = permissionValue(guild.permissions ?? 0n);
  const missing = missingBits(held, wanted);
  const bot = new Bot(clientId, held | missing, options);
  const link = await bot.url({ guildId: guild.id, disableGuildSelect: true });
  return missing ? link : null;
}

/**
 * Returns the creation time of a guild, a user, a role, or anything else with a snowflake id.
 *
 * @example
 * ```ts
 * import { createdAt } from "@guildpass/sdk/guilds";
 *
 * createdAt("80351110224678912").getUTCFullYear(); // 2015
 * ```
 *
 * @param id The id, a snowflake.
 * @throws {TypeError} If `id` is not a snowflake.
 * @see {@link https://docs.discord.com/developers/reference#snowflakes | Discord: Snowflakes}
 */
export function createdAt(id: string): Date {
  checkSnowflake("id", id);
  const millisecondsSince2015 = Number(BigInt(id) >> 22n);
  return new Date(1_420_070_400_000 + millisecondsSince2015);
}

function assertGuild(guild: unknown, example: string): void {
  if (guild == null) throwBadObject("guild", `a guild like ${example}`, guild);
}

function missingBits(held: GuildPermissions | PermissionInput, wanted: PermissionInput): bigint {
  const wantedBits = permissionValue(wanted);
  if (isGuild(held)) {
    if (held.owner) return 0n;
    return missingBits(held.permissions ?? 0n, wantedBits);
  }
  const heldBits = permissionValue(held);
  return heldBits & flags().administrator ? 0n : wantedBits & ~heldBits;
}

/** Returns true for a guild. A dictionary of permissions never has an entry `permissions` or `owner`. */
function isGuild(held: GuildPermissions | PermissionInput): held is GuildPermissions {
  return typeof held === "object" && held !== null && ("permissions" in held || "owner" in held);
}
