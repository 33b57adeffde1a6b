/**
 * Changes the users, guilds, members and purchases of a world during a test.
 *
 * @module
 */

import type { Application } from "./application.ts";
import { requireUser } from "./find.ts";
import { buildGuild, type FakeGuild, fakeGuildFields, type Guild } from "./guild.ts";
import { type FakeMember, fakeMemberFields, type Member } from "./member.ts";
import * as f from "./schema.ts";
import {
  applyDefaults,
  type Check,
  type FakeFields,
  type Field,
  type Fields,
  formatValue,
  requireEntry,
} from "./schema.ts";
import { entitlementFields, type EntitlementPayload } from "./payloads/entitlement.ts";
import { subscriptionFields, type SubscriptionPayload } from "./payloads/subscription.ts";
import { buildUser, type FakeUser, fakeUserFields, type User } from "./user.ts";
import type { World } from "./world.ts";

/** The changes of {@link FakePlatform.update}. Absent fields stay as they are. */
export interface FakeUpdate {
  /** The changed fields of users, by id or username. */
  readonly users?: Readonly<Record<string, FakeUserUpdate>> | undefined;
  /** The changed fields of guilds, by id. */
  readonly guilds?: Readonly<Record<string, FakeGuildUpdate>> | undefined;
  /** The changed purchases in the stores of applications, by the id of the application. */
  readonly applications?: Readonly<Record<string, FakeApplicationUpdate>> | undefined;
}

/** The changed purchases in an application's store. */
export interface FakeApplicationUpdate {
  /**
   * The changed fields of entitlements, by id. A new id adds a purchase, which needs the field `sku_id`. `null` removes an entitlement.
   */
  readonly entitlements?:
    | Readonly<Record<string, FakeFields<Omit<EntitlementPayload, "id">> | null>>
    | undefined;
  /**
   * The changed fields of subscriptions, by id. A new one needs the fields `user_id` and `sku_ids`, and `null` removes a
   * subscription.
   */
  readonly subscriptions?:
    | Readonly<Record<string, FakeFields<Omit<SubscriptionPayload, "id">> | null>>
    | undefined;
}

/** The changed fields of a user. Lists and objects are replaced as a whole. */
export interface FakeUserUpdate extends FakeFields<Omit<FakeUser, "id">> {}

/** The changed fields of a guild. Lists are replaced as a whole, such as `roles` and `features`. */
export interface FakeGuildUpdate extends FakeFields<Omit<FakeGuild, "id" | "members" | "bots">> {
  /**
   * The changed fields of members, by id or username. A user who is not a member joins, and `null` removes a member. `owner:
   * true` makes the member the only owner.
   */
  readonly members?: Readonly<Record<string, FakeMember | null>> | undefined;
  /**
   * The permissions of bots, as decimal strings by application id. A bot that is not in the guild joins, and `null` removes a
   * bot.
   */
  readonly bots?: Readonly<Record<string, string | null>> | undefined;
}

/**
 * Changes a world. If the function throws, the world stays unchanged.
 *
 * @throws {TypeError} If a name is unknown, a value has the wrong type, or values contradict each other. The message has the
 * path.
 */
export function updateWorld(world: World, update: FakeUpdate): void {
  f.objectOf(updateFields())(update, "");
  const users = Object.entries(update.users ?? {}).map(([name, fields]) =>
    changedUser(requireUser(world, name, "users"), fields)
  );
  const changed = new Map(users);
  for (const [name, { username }] of Object.entries(update.users ?? {})) {
    if (username !== undefined) requireFreeUsername(world, changed, name);
  }
  const guilds = Object.entries(update.guilds ?? {}).map(([id, fields]) =>
    changedGuild(world, id, fields)
  );
  const applications = Object.entries(update.applications ?? {}).map(([id, change]) =>
    changedApplication(world, id, change)
  );
  // Members, grants and sessions refer to these objects.
  for (const [user, change] of users) Object.assign(user, change);
  for (const [guild, change] of guilds) Object.assign(guild, change);
  for (const [application, change] of applications) Object.assign(application, change);
}

function updateFields(): Fields<FakeUpdate> {
  return {
    users: f.optional(f.recordOf(partOf(fakeUserFields()))),
    guilds: f.optional(f.recordOf(partOf({
      ...fakeGuildFields(),
      members: f.optional(f.recordOf(f.nullable(f.objectOf(fakeMemberFields())))),
      bots: f.optional(f.recordOf(f.nullable(f.permissions))),
    }))),
    applications: f.optional(f.recordOf(f.objectOf<FakeApplicationUpdate>({
      entitlements: f.optional(f.recordOf(f.nullable(partOf(entitlementFields())))),
      subscriptions: f.optional(f.recordOf(f.nullable(partOf(subscriptionFields())))),
    }))),
  };
}

/** Returns the check of an object with any of the fields except `id`. */
function partOf(fields: Readonly<Record<string, Field<unknown>>>): Check {
  const others = Object.entries(fields).filter(([name]) => name !== "id");
  return f.objectOf(
    Object.fromEntries(others.map(([name, { check }]) => [name, f.optional<unknown>(check)])),
  );
}

function changedUser(user: User, fields: FakeUserUpdate): [User, User] {
  const { payload, connections, extra } = user;
  return [user, buildUser({ ...payload, connections, extra, ...withoutUndefined(fields) })];
}

/**
 * Checks that a new username is not in use.
 *
 * @throws {TypeError} If two users would have the same username.
 */
function requireFreeUsername(world: World, changed: ReadonlyMap<User, User>, name: string): void {
  const usernameOf = (user: User) => (changed.get(user) ?? user).payload.username;
  const user = requireUser(world, name, "users");
  const others = [...world.users.values()].filter((other) => other !== user);
  if (!others.some((other) => usernameOf(other) === usernameOf(user))) return;
  throw new TypeError(`users[${formatValue(name)}].username is taken by another user`);
}

function changedGuild(world: World, id: string, update: FakeGuildUpdate): [Guild, Guild] {
  const path = `guilds[${formatValue(id)}]`;
  const guild = requireEntry(world.guilds, id, "guilds", "guilds");
  const { members = {}, bots = {}, ...fields } = update;
  const memberChanges = Object.entries(members).map(([name, change]) =>
    [requireUser(world, name, `${path}.members`).payload.id, change] as const
  );
  const [newOwnerId = fields.owner_id] = memberChanges.flatMap(([userId, change]) =>
    change?.owner === true ? [userId] : []
  );
  const options: FakeGuild = {
    ...guildOptions(guild, newOwnerId, bots),
    ...withoutUndefined(fields),
    members: withChanges(
      Object.fromEntries(
        Array.from(guild.members, ([key, member]) => [key, memberOptions(member, newOwnerId)]),
      ),
      memberChanges.map(([key, change]) => [key, change && withoutUndefined(change)]),
    ),
    bots: withChanges(Object.fromEntries(guild.bots), Object.entries(bots)),
  };
  return [guild, buildGuild(options, path, world.users, world.applications)];
}

function changedApplication(
  world: World,
  id: string,
  { entitlements = {}, subscriptions = {} }: FakeApplicationUpdate,
): [Application, Partial<Application>] {
  const path = `applications[${formatValue(id)}]`;
  const application = requireEntry(world.applications, id, "applications", "applications");
  return [application, {
    entitlements: changedPurchases<EntitlementPayload>(
      application.entitlements,
      entitlements,
      entitlementFields(),
      `${path}.entitlements`,
    ),
    subscriptions: changedPurchases<SubscriptionPayload>(
      application.subscriptions,
      subscriptions,
      subscriptionFields(),
      `${path}.subscriptions`,
    ),
  }];
}

/** Returns the entitlements or subscriptions with the changes. */
function changedPurchases<Payload>(
  purchases: ReadonlyMap<string, Payload>,
  changes: Readonly<Record<string, FakeFields<Payload> | null>>,
  fields: Fields<Payload>,
  path: string,
): Map<string, Payload> {
  const changed = new Map(purchases);
  for (const [id, change] of Object.entries(changes)) {
    if (change === null) {
      changed.delete(id);
      continue;
    }
    const purchase = { ...purchases.get(id), ...withoutUndefined(change), id };
    f.objectOf(fields)(purchase, `${path}[${formatValue(id)}]`);
    changed.set(id, applyDefaults<Payload>(fields, purchase));
  }
  return changed;
}

/** Returns the options to rebuild the guild, without its members, its bots, a replaced owner, and the roles of removed bots. */
function guildOptions(
  guild: Guild,
  newOwnerId: string | undefined,
  bots: Readonly<Record<string, string | null>>,
): FakeGuild {
  const { payload: { owner_id, roles, ...payload }, channels, memberCount, presenceCount, extra } =
    guild;
  return {
    ...payload,
    ...(newOwnerId === undefined ? { owner_id } : {}),
    roles: roles.filter(({ tags }) => bots[tags?.bot_id ?? ""] !== null),
    ...(channels === null ? {} : { channels }),
    ...(memberCount === null ? {} : { approximate_member_count: memberCount }),
    ...(presenceCount === null ? {} : { approximate_presence_count: presenceCount }),
    extra,
  };
}

/** Returns the options to rebuild the member. The old and the new owner get the default permissions. */
function memberOptions(
  { permissions, owner, user, payload }: Member,
  newOwnerId: string | undefined,
): FakeMember {
  if (newOwnerId === undefined) return { ...payload, permissions, owner };
  return owner || user.payload.id === newOwnerId ? payload : { ...payload, permissions };
}

/**
 * Returns the entries with the changes: an object changes fields of an entry, `null` removes the entry, any other value replaces
 * the entry.
 */
function withChanges<T extends object | string>(
  entries: Readonly<Record<string, T>>,
  changes: readonly (readonly [key: string, change: T | null])[],
): Record<string, T> {
  const result = new Map(Object.entries(entries));
  for (const [key, change] of changes) {
    const old = result.get(key);
    if (change === null) result.delete(key);
    else result.set(key, typeof change === "object" ? Object.assign({}, old, change) : change);
  }
  return Object.fromEntries(result);
}

/** Returns the fields without those that are `undefined`. */
function withoutUndefined<T extends object>(
  fields: T,
): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as { [Key in keyof T]?: Exclude<T[Key], undefined> };
}
