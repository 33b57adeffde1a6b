/**
 * Builds a world from the options of a fake platform.
 *
 * @module
 */

import type { FakePlatformOptions } from "../options.ts";
import { type Application, buildApplication } from "./application.ts";
import { ForgetfulMap } from "./forgetful_map.ts";
import { buildGuild, type FakeGuild } from "./guild.ts";
import { cdnHost, parseOrigin } from "./origin.ts";
import { sampleApplication, sampleGuilds, sampleUsers } from "./samples.ts";
import { scopeDescriptions } from "./scopes.ts";
import { buildUser } from "./user.ts";
import type { AccessToken, AuthorizationCode, DeviceLogin, Grant, World } from "./world.ts";

const hourMs = 3_600_000;

/**
 * Builds the world.
 *
 * @param options Options that `checkOptions` has checked.
 * @throws {TypeError} If options contradict each other.
 */
export function buildWorld(options: FakePlatformOptions, now: () => number): World {
  const users = indexById(
    "users",
    (options.users ?? sampleUsers).map(buildUser),
    (user) => user.payload,
  );
  const applications = indexById(
    "applications",
    (options.applications ?? [sampleApplication]).map((application, at) =>
      buildApplication(application, `applications[${at}]`, users)
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
    configuredGuilds(options, applications).map((guild, at) =>
      buildGuild(guild, `guilds[${at}]`, users, applications)
    ),
    (guild) => guild.payload,
  );
  const origin = parseOrigin(options.origin ?? "https://platform.test");
  const hasExpired = ({ expiresAt }: { readonly expiresAt: number }) => expiresAt <= now();
  return {
    origin,
    // With the origin of the real platform, the fake platform also serves the real host of the image CDN.
    cdnUrl: origin === "https://discord.com" ? `https://${cdnHost}` : `${origin}/cdn`,
    now,
    codeLifetimeSeconds: options.codeLifetime ?? 100,
    tokenLifetimeSeconds: options.tokenLifetime ?? 604_800,
    knownScopes: new Set([...Object.keys(scopeDescriptions), ...options.extraScopes ?? []]),
    applications,
    users,
    guilds,
    codes: new ForgetfulMap<AuthorizationCode>(hasExpired),
    // Kept after the end, so that a late device gets `expired_token`.
    deviceLogins: new ForgetfulMap<DeviceLogin>(({ expiresAt }) => expiresAt + hourMs <= now()),
    accessTokens: new ForgetfulMap<AccessToken>((token) =>
      token.grant.revoked || hasExpired(token)
    ),
    refreshTokens: new ForgetfulMap<Grant>(({ revoked }) => revoked),
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
  // The sample bot is a member of the sample guild only if its application is registered.
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

/**
 * Checks that no value occurs twice.
 *
 * @throws {TypeError} If two values are equal.
 */
function requireUnique(name: string, values: readonly string[]): void {
  const second = values.findIndex((value, at) => values.indexOf(value) !== at);
  const duplicate = values[second];
  if (duplicate === undefined) return;
  // The message does not show the value, which may be a bot token.
  const first = values.indexOf(duplicate);
  throw new TypeError(`${name} must be unique: entries ${first} and ${second} are the same`);
}
