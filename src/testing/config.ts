/**
 * From what a caller configures to a whole, consistent world: checks everything, fills in the rest.
 *
 * @module
 */

import {
  ALL_PERMISSIONS,
  CDN_HOST,
  EVERYONE_PERMISSIONS,
  INSTALL_SCOPES,
  isPermissions,
  isSnowflake,
  SCOPES,
} from "./facts.ts";
import type { GuildPayload, MemberPayload, RolePayload, UserPayload } from "./payloads.ts";
import { sampleApplication, sampleGuilds, sampleUsers } from "./samples.ts";
import type {
  FakeApplication,
  FakeGuild,
  FakeMember,
  FakePlatformOptions,
  FakeUser,
} from "./types.ts";
import type { Application, Guild, Member, User, World } from "./world.ts";
import { addBot } from "./world.ts";

/** What a guild's owner is when nobody among its members is: somebody outside of this world. */
const STRANGER = "80351110224678912";

/** When members joined who were not told when. */
const JOINED_AT = "2024-01-01T00:00:00.000000+00:00";

/**
 * Builds the world.
 *
 * @throws {TypeError} When the options contradict themselves or each other.
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
    cdnUrl: origin === "https://discord.com" ? `https://${CDN_HOST}` : `${origin}/cdn`,
    now,
    codeLifetime: readLifetime("codeLifetime", options.codeLifetime ?? 100),
    tokenLifetime: readLifetime("tokenLifetime", options.tokenLifetime ?? 604_800),
    knownScopes: new Set([...Object.keys(SCOPES), ...options.extraScopes ?? []]),
    applications,
    users,
    guilds,
    codes: new Map(),
    deviceLogins: new Map(),
    accessTokens: new Map(),
    refreshTokens: new Map(),
    consents: new Map(),
    roleConnections: new Map(),
    issuedIds: 0,
    signingKey: null,
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
  const where = `applications[${at}]`;
  requireSnowflake(`${where}.id`, given.id);
  if (given.secret !== null && (typeof given.secret !== "string" || given.secret === "")) {
    throw new TypeError(`${where}.secret must be a string with characters in it, or null`);
  }
  const redirectUris = given.redirectUris ?? [];
  for (const uri of redirectUris) {
    if (!URL.canParse(uri) || uri.includes("#")) {
      throw new TypeError(
        `${where}.redirectUris must be absolute URLs without a fragment: found ${show(uri)}`,
      );
    }
  }
  const owner = given.ownerId === undefined
    ? users.values().next().value
    : users.get(given.ownerId);
  if (owner === undefined) {
    throw new TypeError(`${where}.ownerId must be the id of a user: found ${show(given.ownerId)}`);
  }
  return {
    id: given.id,
    name: given.name ?? "Fake application",
    secret: given.secret,
    redirectUris: [...redirectUris],
    botToken: given.botToken ?? null,
    owner,
    icon: given.icon ?? null,
    description: given.description ?? "",
    installParams: {
      scopes: given.installParams?.scopes ??
        (given.botToken === undefined ? ["applications.commands"] : INSTALL_SCOPES),
      permissions: given.installParams?.permissions ?? "0",
    },
  };
}

function buildUser(given: FakeUser, at: number): User {
  const where = `users[${at}]`;
  requireSnowflake(`${where}.id`, given.id);
  if (typeof given.username !== "string" || given.username === "") {
    throw new TypeError(`${where}.username must be a string with characters in it`);
  }
  const { connections = [], extra = {}, ...fields } = structuredClone(given);
  const payload: UserPayload = {
    id: given.id,
    username: given.username,
    avatar: null,
    discriminator: "0",
    public_flags: 0,
    flags: 0,
    banner: null,
    accent_color: null,
    global_name: null,
    avatar_decoration_data: null,
    collectibles: null,
    primary_guild: null,
    mfa_enabled: false,
    locale: "en-US",
    premium_type: 0,
    email: `${given.username}@example.com`,
    verified: true,
    ...withoutUndefined(fields),
  };
  return {
    payload,
    connections: connections.map((connection) => ({
      id: connection.id,
      name: connection.name,
      type: connection.type,
      revoked: false,
      verified: false,
      friend_sync: false,
      show_activity: true,
      two_way_link: false,
      visibility: 0,
      ...withoutUndefined(connection),
    })),
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
  requireSnowflake(`${where}.id`, given.id);
  if (typeof given.name !== "string" || given.name === "") {
    throw new TypeError(`${where}.name must be a string with characters in it`);
  }
  const {
    members = {},
    bots = {},
    extra = {},
    approximate_member_count: memberCount = null,
    approximate_presence_count: presenceCount = null,
    ...fields
  } = structuredClone(given);
  const payload: GuildPayload = {
    id: given.id,
    name: given.name,
    icon: null,
    description: null,
    splash: null,
    discovery_splash: null,
    home_header: null,
    features: [],
    banner: null,
    owner_id: readOwner(where, given),
    application_id: null,
    region: "deprecated",
    afk_channel_id: null,
    afk_timeout: 300,
    system_channel_id: null,
    system_channel_flags: 0,
    widget_enabled: false,
    widget_channel_id: null,
    verification_level: 0,
    roles: [everyoneRole(given.id)],
    default_message_notifications: 0,
    mfa_level: 0,
    explicit_content_filter: 0,
    max_presences: null,
    max_members: 500_000,
    max_stage_video_channel_users: 50,
    max_video_channel_users: 25,
    vanity_url_code: null,
    premium_tier: 0,
    premium_subscription_count: 0,
    preferred_locale: "en-US",
    rules_channel_id: null,
    safety_alerts_channel_id: null,
    public_updates_channel_id: null,
    hub_type: null,
    premium_progress_bar_enabled: false,
    nsfw: false,
    nsfw_level: 0,
    emojis: [],
    stickers: [],
    incidents_data: null,
    ...withoutUndefined(fields),
  };
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
    guild.members.set(id, buildMember(`${where}.members[${show(id)}]`, member, user, payload));
  }
  for (const [id, permissions] of Object.entries(bots)) {
    const application = applications.get(id);
    if (application === undefined) {
      throw new TypeError(
        `${where}.bots must name applications of the platform: found ${show(id)}`,
      );
    }
    requirePermissions(`${where}.bots[${show(id)}]`, permissions);
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
  if (first === undefined) return given.owner_id ?? STRANGER;
  if (given.owner_id !== undefined && given.owner_id !== first[0]) {
    throw new TypeError(
      `${where}.owner_id must be the member with owner: true: found ${show(given.owner_id)}`,
    );
  }
  return first[0];
}

/** A user's membership, with what was configured laid over what is usual. */
export function buildMember(
  where: string,
  given: FakeMember,
  user: User,
  guild: GuildPayload,
): Member {
  const isOwner = guild.owner_id === user.payload.id;
  const {
    owner = isOwner,
    permissions = owner ? ALL_PERMISSIONS : EVERYONE_PERMISSIONS,
    ...fields
  } = given;
  requirePermissions(`${where}.permissions`, permissions);
  const payload: Omit<MemberPayload, "user"> = {
    avatar: null,
    banner: null,
    communication_disabled_until: null,
    flags: 0,
    joined_at: JOINED_AT,
    nick: null,
    pending: false,
    premium_since: null,
    roles: [],
    mute: false,
    deaf: false,
    avatar_decoration_data: null,
    collectibles: null,
    ...withoutUndefined(fields),
  };
  return { permissions, owner, user, payload };
}

function everyoneRole(guildId: string): RolePayload {
  return {
    id: guildId,
    name: "@everyone",
    color: 0,
    colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
    hoist: false,
    icon: null,
    unicode_emoji: null,
    position: 0,
    permissions: EVERYONE_PERMISSIONS,
    managed: false,
    mentionable: false,
    flags: 0,
  };
}

/**
 * Scheme, host and port, as `URL.origin` has them.
 *
 * @throws {TypeError} When there is more to it, or when it is not an HTTP server's.
 */
export function readOrigin(origin: string): string {
  const url = URL.canParse(origin) ? new URL(origin) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    throw new TypeError(
      `origin must be scheme, host and port of an HTTP server and no more: found ${show(origin)}`,
    );
  }
  return url.origin;
}

function readLifetime(name: string, seconds: number): number {
  if (!Number.isFinite(seconds) || seconds <= 0) {
    throw new TypeError(`${name} must be a positive number of seconds: found ${show(seconds)}`);
  }
  return seconds;
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

function requireSnowflake(name: string, value: unknown): void {
  if (!isSnowflake(value)) {
    throw new TypeError(`${name} must be a snowflake, a decimal string: found ${show(value)}`);
  }
}

function requirePermissions(name: string, value: unknown): void {
  if (!isPermissions(value)) {
    throw new TypeError(`${name} must be a decimal string: found ${show(value)}`);
  }
}

/** An explicit `undefined` asks for the default, as it does everywhere else. */
function withoutUndefined<T extends object>(given: T): Partial<T> {
  const clean: Partial<T> = { ...given };
  for (const key of Object.keys(clean) as (keyof T)[]) {
    if (clean[key] === undefined) delete clean[key];
  }
  return clean;
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? "undefined";
}
