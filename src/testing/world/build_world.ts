/**
 * From what a caller configures to a whole, consistent world: checks everything, fills in the rest.
 *
 * @module
 */

import type { FakePlatformOptions } from "../options.ts";
import type { Application } from "./application.ts";
import { buildApplication } from "./application.ts";
import { buildGuild, type FakeGuild } from "./guild.ts";
import { cdnHost, parseOrigin } from "./origin.ts";
import { sampleApplication, sampleGuilds, sampleUsers } from "./samples.ts";
import { scopeDescriptions } from "./scopes.ts";
import { buildUser } from "./user.ts";
import type { World } from "./world.ts";

/**
 * Builds the world.
 *
 * @param options Each of its fields is already known to be of the right kind.
 * @throws {TypeError} When fields contradict each other.
 */
export function buildWorld(options: FakePlatformOptions, now: () => number): World {
  const users = indexById(
    "users",
    (options.users ?? sampleUsers).map(buildUser),
    (user) => user.payload,
  );
  const applications = indexById(
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
  const guilds = indexById(
    "guilds",
    configuredGuilds(options, applications).map((given, at) =>
      buildGuild(given, at, users, applications)
    ),
    (guild) => guild.payload,
  );
  const origin = parseOrigin(options.origin ?? "https://platform.test");
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
    grantedScopes: new Map(),
    roleConnections: new Map(),
    roleConnectionMetadata: new Map(),
    issuedIds: 0,
    idTokenKey: null,
    eventKeys: new Map(),
  };
}

function configuredGuilds(
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

function indexById<T>(
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
