/**
 * Describes the guilds of the fake platform, and builds them from options.
 *
 * @module
 */

import type { Application } from "./application.ts";
import { buildMember, type FakeMember, fakeMemberFields, type Member } from "./member.ts";
import { channelFields, type ChannelPayload } from "./payloads/channel.ts";
import { guildFields, type GuildPayload } from "./payloads/guild.ts";
import { botRole, everyoneRole, roleFields, type RolePayload } from "./payloads/role.ts";
import * as f from "./schema.ts";
import {
  applyDefaults,
  type FakeFields,
  type Fields,
  requireEntry,
  throwUnless,
} from "./schema.ts";
import type { User } from "./user.ts";

/** A guild of the fake platform. Only `id` and `name` are required. */
export interface FakeGuild extends FakeFields<Omit<GuildPayload, "roles">> {
  /** The guild's id, a snowflake. */
  readonly id: string;
  /** The guild's name. */
  readonly name: string;
  /**
   * The roles, including `@everyone`, whose id is the guild's id.
   * @default `@everyone` alone
   */
  readonly roles?: readonly FakeRole[] | undefined;
  /**
   * The channels. A guild in a response never includes them.
   * @default a text channel for each of `system_channel_id`, `rules_channel_id` and `public_updates_channel_id`
   */
  readonly channels?: readonly FakeChannel[] | undefined;
  /** The members by user id. */
  readonly members?: Readonly<Record<string, FakeMember>> | undefined;
  /**
   * The permissions of the bots in the guild, as decimal strings by application id. Other bots join after a consent to the scope
   * `bot`.
   */
  readonly bots?: Readonly<Record<string, string>> | undefined;
  /** Extra or replaced fields of the response, with any value: for untyped fields, and for wrong values. */
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
}

/** A role of a guild. Only `id` and `name` are required. */
export interface FakeRole extends FakeFields<RolePayload> {
  /** The role's id, a snowflake. */
  readonly id: string;
  /** The role's name. */
  readonly name: string;
}

/** A channel of a guild. Only `id` and `name` are required. */
export interface FakeChannel extends FakeFields<ChannelPayload> {
  /** The channel's id, a snowflake. */
  readonly id: string;
  /** The channel's name. */
  readonly name: string;
}

/** A guild of the world. {@link updateWorld} replaces the fields of this object. */
export interface Guild {
  /** The fields without the counts. A change of a bot's role replaces this object. */
  payload: GuildPayload;
  /** The configured member count; `null` to count the members. */
  readonly memberCount: number | null;
  /** The configured presence count; `null` if all members are online. */
  readonly presenceCount: number | null;
  /** The configured channels; `null` for the channels in the fields of the guild. */
  readonly channels: readonly ChannelPayload[] | null;
  readonly members: Map<string, Member>;
  /** The permissions of bots, by application id. */
  readonly bots: Map<string, string>;
  readonly extra: Readonly<Record<string, unknown>>;
}

export function fakeGuildFields(): Fields<FakeGuild> {
  return {
    ...guildFields(),
    roles: f.optional(f.listOf(f.objectOf<FakeRole>(roleFields()))),
    channels: f.optional(f.listOf(f.objectOf<FakeChannel>(channelFields()))),
    members: f.optional(f.recordOf(f.objectOf(fakeMemberFields()))),
    bots: f.optional(f.recordOf(f.permissions)),
    extra: f.optional(f.recordOf(f.anyValue)),
  };
}

/**
 * Builds a guild with its members and bots.
 *
 * @param path The path of the options, for error messages.
 * @throws {TypeError} If the options name an unknown user or application, or more than one owner.
 */
export function buildGuild(
  options: FakeGuild,
  path: string,
  users: ReadonlyMap<string, User>,
  applications: ReadonlyMap<string, Application>,
): Guild {
  const {
    members = {},
    bots = {},
    extra = {},
    channels,
    roles,
    approximate_member_count: memberCount = null,
    approximate_presence_count: presenceCount = null,
    ...fields
  } = structuredClone(options);
  const payload = applyDefaults(guildFields(), {
    ...fields,
    owner_id: findOwnerId(options, path),
    roles: roles?.map((role) => applyDefaults(roleFields(), role)) ?? [everyoneRole(options.id)],
  });
  const guild: Guild = {
    payload,
    memberCount,
    presenceCount,
    channels: channels?.map((channel) => applyDefaults(channelFields(), channel)) ?? null,
    members: new Map(),
    bots: new Map(),
    extra,
  };
  for (const [id, member] of Object.entries(members)) {
    const user = requireEntry(users, id, `${path}.members`, "users");
    guild.members.set(id, buildMember(member, user, payload));
  }
  for (const [id, permissions] of Object.entries(bots)) {
    const application = requireEntry(applications, id, `${path}.bots`, "applications");
    addBot(guild, application, permissions);
  }
  return guild;
}

function findOwnerId({ members = {}, owner_id: ownerId }: FakeGuild, path: string): string {
  const owners = Object.entries(members).flatMap(([id, { owner }]) => owner === true ? [id] : []);
  const [owner] = owners;
  if (owners.length > 1) {
    throw new TypeError(
      `${path}.members must not have more than one owner, received ${owners.length}`,
    );
  }
  if (owner === undefined) return ownerId ?? outsideOwnerId;
  const isSame = ownerId === undefined || ownerId === owner;
  throwUnless(isSame, "the member with owner: true", ownerId, `${path}.owner_id`);
  return owner;
}

/** The id of the owner if none of the users owns the guild. */
const outsideOwnerId = "80351110224678912";

/** Returns the guild object of the API. */
export function guildObject(
  guild: Guild,
  apiVersion: number,
  withCounts: boolean,
): Record<string, unknown> {
  return {
    ...guild.payload,
    roles: guild.payload.roles.map((role) => ({
      ...role,
      ...permissionFields(role.permissions, apiVersion),
    })),
    ...(withCounts ? approximateCounts(guild) : {}),
    ...guild.extra,
  };
}

/** Returns the channel objects of the API. */
export function channelObjects({ payload, channels }: Guild): Record<string, unknown>[] {
  const defaults: (readonly [id: string | null, name: string])[] = [
    [payload.system_channel_id, "general"],
    [payload.rules_channel_id, "rules"],
    [payload.public_updates_channel_id, "moderators"],
  ];
  const found = channels ??
    defaults.flatMap(([id, name]) =>
      id === null ? [] : [applyDefaults(channelFields(), { id, name })]
    );
  return found.map((channel) => ({
    ...channel,
    guild_id: payload.id,
    permission_overwrites: [],
    flags: 0,
  }));
}

/** Returns the permission fields for an API version. Before version 8, `permissions` is a number of 31 bits. */
export function permissionFields(permissions: string, apiVersion: number): Record<string, unknown> {
  if (apiVersion >= 8) return { permissions };
  return { permissions: Number(BigInt(permissions) & 0x7fff_ffffn), permissions_new: permissions };
}

export function approximateCounts(
  guild: Guild,
): { approximate_member_count: number; approximate_presence_count: number } {
  const members = guild.memberCount ?? guild.members.size + guild.bots.size;
  return {
    approximate_member_count: members,
    approximate_presence_count: guild.presenceCount ?? members,
  };
}

/** Adds an application's bot and its managed role to a guild. */
export function addBot(guild: Guild, application: Application, permissions: string): void {
  guild.bots.set(application.id, permissions);
  const others = rolesWithoutBot(guild, application);
  const old = guild.payload.roles.find((role) => !others.includes(role));
  guild.payload = { ...guild.payload, roles: [...others, botRole(application, permissions, old)] };
}

/** Removes an application's bot and its managed role from a guild. */
export function removeBot(guild: Guild, application: Application): void {
  guild.bots.delete(application.id);
  guild.payload = { ...guild.payload, roles: rolesWithoutBot(guild, application) };
}

function rolesWithoutBot(guild: Guild, { id }: Application): readonly RolePayload[] {
  return guild.payload.roles.filter((role) => role.tags?.bot_id !== id);
}
