/**
 * Finds users, applications and guilds for options.
 *
 * @module
 */

import type { Application } from "./application.ts";
import type { Guild } from "./guild.ts";
import { throwUnknown, throwUnless } from "./schema.ts";
import type { User } from "./user.ts";
import type { World } from "./world.ts";

/**
 * Finds a user by id or username. Without `as`, returns the first user.
 *
 * @throws {TypeError} If the user is unknown.
 */
export function findUser(world: World, as: string | undefined): User {
  const user = as === undefined ? world.users.values().next().value : userNamed(world, as);
  throwUnless(user !== undefined, "the id or the username of a user of the platform", as, "as");
  return user;
}

/**
 * Finds a user by id or username.
 *
 * @throws {TypeError} If the user is unknown. The message has the path.
 */
export function requireUser(world: World, name: string, path: string): User {
  return userNamed(world, name) ?? throwUnknown(name, path, "the ids or usernames of users");
}

function userNamed({ users }: World, name: string): User | undefined {
  return users.get(name) ?? [...users.values()].find(({ payload }) => payload.username === name);
}

/**
 * Finds an application by id. Without an id, returns the first application.
 *
 * @throws {TypeError} If the application is unknown.
 */
export function findApplication(world: World, clientId: string | undefined): Application {
  const application = clientId === undefined
    ? world.applications.values().next().value
    : world.applications.get(clientId);
  const expected = "the id of an application of the platform";
  throwUnless(application !== undefined, expected, clientId, "clientId");
  return application;
}

/**
 * Finds a guild by id.
 *
 * @throws {TypeError} If the guild is unknown.
 */
export function findGuild(world: World, guildId: string): Guild {
  const guild = world.guilds.get(guildId);
  throwUnless(guild !== undefined, "the id of a guild of the platform", guildId, "guildId");
  return guild;
}
