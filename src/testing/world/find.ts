/**
 * Finds users, applications and guilds for options.
 *
 * @module
 */

import type { Application } from "./application.ts";
import type { Guild } from "./guild.ts";
import type { User } from "./user.ts";
import type { World } from "./world.ts";

/**
 * Finds a user by id or username. Without `as`, returns the first user.
 *
 * @throws {TypeError} If the user is unknown.
 */
export function findUser(world: World, as: string | undefined): User {
  const users = [...world.users.values()];
  const user = as === undefined
    ? users[0]
    : users.find(({ payload }) => payload.id === as || payload.username === as);
  if (user !== undefined) return user;
  throw new TypeError(
    `as must be the id or the username of a user of the platform: found ${JSON.stringify(as)}`,
  );
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
  if (application !== undefined) return application;
  throw new TypeError(
    `clientId must be the id of an application of the platform: found ${JSON.stringify(clientId)}`,
  );
}

/**
 * Finds a guild by id.
 *
 * @throws {TypeError} If the guild is unknown.
 */
export function findGuild(world: World, guildId: string): Guild {
  const guild = world.guilds.get(guildId);
  if (guild !== undefined) return guild;
  throw new TypeError(
    `guildId must be the id of a guild of the platform: found ${JSON.stringify(guildId)}`,
  );
}
