/**
 * The order of a person's guilds.
 *
 * @module
 */

import { canInstall, type GuildPermissions } from "../../src/guilds.ts";

/** A guild in a list. */
export interface NamedGuild extends GuildPermissions {
  readonly name: string;
}

/** The guilds of a person in the order of a list. */
export interface GuildGroups<Guild> {
  /** The guilds to which the person may add a bot. They come first. */
  readonly managed: readonly Guild[];
  readonly others: readonly Guild[];
}

/** Groups guilds by the person's permissions, and sorts each group by name. The platform sorts by id, which tells people nothing. */
export function groupGuilds<Guild extends NamedGuild>(
  guilds: readonly Guild[],
): GuildGroups<Guild> {
  const { compare } = new Intl.Collator("en", { numeric: true });
  const sorted = guilds.toSorted((one, other) => compare(one.name, other.name));
  return {
    managed: sorted.filter(canInstall),
    others: sorted.filter((guild) => !canInstall(guild)),
  };
}
