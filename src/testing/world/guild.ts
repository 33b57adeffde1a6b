/**
 * The guilds of the fake platform.
 *
 * @module
 */

import type { Application } from "./application.ts";
import { buildMember, type FakeMember, fakeMemberFields, type Member } from "./member.ts";
import { guildFields, type GuildPayload } from "./payloads/guild.ts";
import { botRole, everyoneRole, roleFields, type RolePayload } from "./payloads/role.ts";
import {
  anyValue,
  applyDefaults,
  type Fields,
  formatValue,
  listOf,
  objectOf,
  optional,
  permissions,
  recordOf,
} from "./schema.ts";
import type { User } from "./user.ts";

/** A guild of the fake platform. Only `id` and `name` must be given. */
export interface FakeGuild extends Partial<Omit<GuildPayload, "roles">> {
  /** The guild's id, a snowflake. */
  readonly id: string;
  /** The guild's name. */
  readonly name: string;
  /**
   * The roles, `@everyone` among them, whose id is that of the guild.
   * @default `@everyone` alone
   */
  readonly roles?: readonly FakeRole[];
  /** The members by user id. */
  readonly members?: Readonly<Record<string, FakeMember>>;
  /**
   * The bots that are in the guild: permissions as a decimal string, by application id. More join when
   * somebody consents to the `bot` scope.
   */
  readonly bots?: Readonly<Record<string, string>>;
  /** Fields laid over the answers as they are, for fields nobody has typed yet or with wrong types. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** A role of a guild. Only `id` and `name` must be given. */
export interface FakeRole extends Partial<RolePayload> {
  /** The role's id, a snowflake. */
  readonly id: string;
  /** The role's name. */
  readonly name: string;
}

export interface Guild {
  /** Without the counts. Replaced by a new object when a bot's role is added or removed. */
  payload: GuildPayload;
  /** As configured; `null` means to count. */
  readonly memberCount: number | null;
  /** As configured; `null` means that everybody is there. */
  readonly presenceCount: number | null;
  readonly members: Map<string, Member>;
  /** Permissions by application id. */
  readonly bots: Map<string, string>;
  readonly extra: Readonly<Record<string, unknown>>;
}

/** The owner of a guild that none of its members owns: not a user of this platform. */
export const outsideOwnerId = "80351110224678912";
export function buildGuild(
  given: FakeGuild,
  at: number,
  users: ReadonlyMap<string, User>,
  applications: ReadonlyMap<string, Application>,
): Guild {
  const where = `guilds[${at}]`;
  const {
    members = {},
    bots = {},
    extra = {},
    roles,
    approximate_member_count: memberCount = null,
    approximate_presence_count: presenceCount = null,
    ...fields
  } = structuredClone(given);
  const payload = applyDefaults(guildFields(), {
    ...fields,
    owner_id: findOwnerId(where, given),
    roles: roles?.map((role) => applyDefaults(roleFields(), role)) ?? [everyoneRole(given.id)],
  });
  const guild: Guild = {
    payload,
    memberCount,
    presenceCount,
    members: new Map(),
    bots: new Map(),
    extra,
  };
  for (const [id, member] of Object.entries(members)) {
    const user = users.get(id);
    if (user === undefined) {
      throw new TypeError(
        `${where}.members must name users of the platform: found ${formatValue(id)}`,
      );
    }
    guild.members.set(id, buildMember(member, user, payload));
  }
  for (const [id, permissions] of Object.entries(bots)) {
    const application = applications.get(id);
    if (application === undefined) {
      throw new TypeError(
        `${where}.bots must name applications of the platform: found ${formatValue(id)}`,
      );
    }
    addBot(guild, application, permissions);
  }
  return guild;
}

export function findOwnerId(where: string, given: FakeGuild): string {
  const owners = Object.entries(given.members ?? {}).filter(([, member]) => member.owner === true);
  const [first] = owners;
  if (owners.length > 1) {
    throw new TypeError(
      `${where}.members must not have more than one owner: found ${owners.length}`,
    );
  }
  if (first === undefined) return given.owner_id ?? outsideOwnerId;
  if (given.owner_id !== undefined && given.owner_id !== first[0]) {
    throw new TypeError(
      `${where}.owner_id must be the member with owner: true: found ${formatValue(given.owner_id)}`,
    );
  }
  return first[0];
}

/** The guild as its members and bots may see it. */
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

/** Permissions as a version of the API writes them: before version 8 as a number that has no bit above the 31st. */
export function permissionFields(permissions: string, apiVersion: number): Record<string, unknown> {
  if (apiVersion >= 8) return { permissions };
  return {
    permissions: Number(BigInt(permissions) & 0x7fffffffn),
    permissions_new: permissions,
  };
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

/** Takes an application's bot out of a guild, with its role. */
export function removeBot(guild: Guild, application: Application): void {
  guild.bots.delete(application.id);
  guild.payload = { ...guild.payload, roles: rolesWithoutBot(guild, application) };
}

export function rolesWithoutBot(guild: Guild, { id }: Application): GuildPayload["roles"] {
  return guild.payload.roles.filter((role) => role.tags?.bot_id !== id);
}

export function fakeGuildFields(): Fields<FakeGuild> {
  return {
    ...guildFields(),
    roles: optional(listOf(objectOf<FakeRole>(roleFields()))),
    members: optional(recordOf(objectOf(fakeMemberFields()))),
    bots: optional(recordOf(permissions)),
    extra: optional(recordOf(anyValue)),
  };
}

/** Puts an application's bot into a guild, with the managed role the platform gives it. */
export function addBot(guild: Guild, application: Application, permissions: string): void {
  guild.bots.set(application.id, permissions);
  const others = rolesWithoutBot(guild, application);
  guild.payload = { ...guild.payload, roles: [...others, botRole(application, permissions)] };
}
