/**
 * From what a caller configures to a whole, consistent world: checks everything, fills in the rest.
 *
 * @module
 */

import {
  allPermissions,
  cdnHost,
  everyonePermissions,
  installScopes,
  scopeDescriptions,
} from "./permissions.ts";
import { complete, show } from "./schema.ts";
import { connectionFields } from "./payloads/connection.ts";
import type { GuildPayload } from "./payloads/guild.ts";
import { everyoneRole, guildFields, roleFields } from "./payloads/guild.ts";
import { memberFields } from "./payloads/member.ts";
import { userFields } from "./payloads/user.ts";
import { sampleApplication, sampleGuilds, sampleUsers } from "./samples.ts";
import type {
  FakeApplication,
  FakeGuild,
  FakeMember,
  FakePlatformOptions,
  FakeUser,
} from "../fake_platform.ts";
import type { Application, Guild, Member, User, World } from "./world.ts";
import { addBot } from "./world.ts";

/** The owner of a guild that none of its members owns: not a user of this platform. */
const strangerId = "80351110224678912";

/**
 * Builds the world.
 *
 * @param options Each of its fields is already known to be of the right kind.
 * @throws {TypeError} When fields contradict each other.
 */
export function buildWorld(options: FakePlatformOptions, now: () => number): World {
  const users = index(
    "users",
    (options.users ?? sampleUsers).map(buildUser),
    (user) => user.payload,
  );
  const applications = index(
    "applications",
    (options.applications ?? [sampleApplication]).map((given, at) =>
      buildApplication(given, at, users)
    ),
    (application) => application,
  );
  requireUnique("usernames", [...users.values()].map((user) => user.payload.username));
  requireUnique(
    "bot tokens",
    [...applications.values()].flatMap(({ botToken }) => botToken === null ? [] : [botToken]),
  );
  const guilds = index(
    "guilds",
    givenGuilds(options, applications).map((given, at) =>
      buildGuild(given, at, users, applications)
    ),
    (guild) => guild.payload,
  );
  const origin = readOrigin(options.origin ?? "https://platform.test");
  return {
    origin,
    // Whoever plays the real platform also answers for its image CDN.
    cdnUrl: origin === "https://discord.com" ? `https://${cdnHost}` : `${origin}/cdn`,
    now,
    codeLifetime: options.codeLifetime ?? 100,
    tokenLifetime: options.tokenLifetime ?? 604_800,
    knownScopes: new Set([...Object.keys(scopeDescriptions), ...options.extraScopes ?? []]),
    applications,
    users,
    guilds,
    codes: new Map(),
    deviceLogins: new Map(),
    accessTokens: new Map(),
    refreshTokens: new Map(),
    consents: new Map(),
    roleConnections: new Map(),
    roleConnectionRecords: new Map(),
    issuedIds: 0,
    signingKey: null,
    eventKeys: new Map(),
  };
}

function givenGuilds(
  options: FakePlatformOptions,
  applications: ReadonlyMap<string, Application>,
): readonly FakeGuild[] {
  if (options.guilds !== undefined) return options.guilds;
  if (options.users !== undefined) return [];
  // The sample guilds still serve other applications than the sample one, only without its bot.
  return sampleGuilds.map(({ bots = {}, ...guild }) => ({
    ...guild,
    bots: Object.fromEntries(Object.entries(bots).filter(([id]) => applications.has(id))),
  }));
}

function buildApplication(
  given: FakeApplication,
  at: number,
  users: ReadonlyMap<string, User>,
): Application {
  const owner = given.ownerId === undefined
    ? users.values().next().value
    : users.get(given.ownerId);
  if (owner === undefined) {
    throw new TypeError(
      `applications[${at}].ownerId must be the id of a user: found ${show(given.ownerId)}`,
    );
  }
  return {
    id: given.id,
    name: given.name ?? "Fake application",
    secret: given.secret,
    redirectUris: [...given.redirectUris ?? []],
    botToken: given.botToken ?? null,
    owner,
    icon: given.icon ?? null,
    description: given.description ?? "",
    installParams: {
      scopes: [
        ...given.installParams?.scopes ??
          (given.botToken === undefined ? ["applications.commands"] : installScopes),
      ],
      permissions: given.installParams?.permissions ?? "0",
    },
    webhookEvents: given.webhookEvents ?? null,
  };
}

function buildUser(given: FakeUser): User {
  const { connections = [], extra = {}, ...fields } = structuredClone(given);
  const { email = `${given.username}@example.com` } = fields;
  return {
    payload: complete(userFields(), { ...fields, email }),
    connections: connections.map((connection) => complete(connectionFields(), connection)),
    extra,
  };
}

function buildGuild(
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
  const payload = complete(guildFields(), {
    ...fields,
    owner_id: readOwner(where, given),
    roles: roles?.map((role) => complete(roleFields(), role)) ?? [everyoneRole(given.id)],
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
      throw new TypeError(`${where}.members must name users of the platform: found ${show(id)}`);
    }
    guild.members.set(id, buildMember(member, user, payload));
  }
  for (const [id, permissions] of Object.entries(bots)) {
    const application = applications.get(id);
    if (application === undefined) {
      throw new TypeError(
        `${where}.bots must name applications of the platform: found ${show(id)}`,
      );
    }
    addBot(guild, application, permissions);
  }
  return guild;
}

function readOwner(where: string, given: FakeGuild): string {
  const owners = Object.entries(given.members ?? {}).filter(([, member]) => member.owner === true);
  const [first] = owners;
  if (owners.length > 1) {
    throw new TypeError(
      `${where}.members must not have more than one owner: found ${owners.length}`,
    );
  }
  if (first === undefined) return given.owner_id ?? strangerId;
  if (given.owner_id !== undefined && given.owner_id !== first[0]) {
    throw new TypeError(
      `${where}.owner_id must be the member with owner: true: found ${show(given.owner_id)}`,
    );
  }
  return first[0];
}

/** A user's membership, with the usual values where none are given. */
export function buildMember(given: FakeMember, user: User, guild: GuildPayload): Member {
  const {
    owner = guild.owner_id === user.payload.id,
    permissions = owner ? allPermissions : everyonePermissions,
    ...fields
  } = given;
  return { permissions, owner, user, payload: complete(memberFields(), fields) };
}

/**
 * Scheme, host and port, as `URL.origin` has them.
 *
 * @throws {TypeError} When there is more to it, or when it is not an HTTP server's.
 */
export function readOrigin(origin: string): string {
  const url = URL.canParse(origin) ? new URL(origin) : null;
  const isBare = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (isBare) return url.origin;
  throw new TypeError(
    `origin must be scheme, host and port of an HTTP server and no more: found ${show(origin)}`,
  );
}

function index<T>(
  name: string,
  items: readonly T[],
  identify: (item: T) => { readonly id: string },
): ReadonlyMap<string, T> {
  requireUnique(`${name} ids`, items.map((item) => identify(item).id));
  return new Map(items.map((item) => [identify(item).id, item]));
}

function requireUnique(name: string, values: readonly string[]): void {
  const twice = values.find((value, at) => values.indexOf(value) !== at);
  if (twice === undefined) return;
  // Not the value itself: among them are bot tokens, and messages end up in logs.
  throw new TypeError(
    `${name} must be unique: entries ${values.indexOf(twice)} and ${
      values.lastIndexOf(twice)
    } are the same`,
  );
}
