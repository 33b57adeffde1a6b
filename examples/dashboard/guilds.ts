/** The guilds of a person, and the bot in them. @module */

import { ApiError, canInstall, type PartialGuildObj, type ReadOptions, User } from "@guildpass/sdk";
import type { Session } from "./login.ts";

/** A guild of a person. */
export interface ListedGuild extends PartialGuildObj {
  /** True if the person may change the settings of the guild, and invite the bot. */
  readonly isManaged: boolean;
  readonly hasBot: boolean;
}

/** Keeps a value as the newest of at most 1,000. */
export function keepNewest<Value>(kept: Map<string, Value>, key: string, value: Value): void {
  kept.delete(key);
  kept.set(key, value);
  const [oldest = ""] = kept.keys();
  if (kept.size > 1000) kept.delete(oldest);
}

/** Reads the guilds of a person, those to manage first. With `fresh`, their rights do not come from memory. */
export async function listGuilds(
  { api }: Session,
  bot: User,
  options?: ReadOptions,
): Promise<ListedGuild[]> {
  const [guilds, joined] = await Promise.all([api.getUserGuilds(options), idsOfGuilds(bot)]);
  const { compare } = new Intl.Collator("en", { numeric: true });
  return guilds
    .map((guild) => ({ ...guild, isManaged: canInstall(guild), hasBot: joined.has(guild.id) }))
    .sort((a, b) => Number(b.isManaged) - Number(a.isManaged) || compare(a.name, b.name));
}

/** Reads the guilds in which the bot is. All visitors share its limit, so no reload of a page may ask Discord with `fresh`. */
export async function idsOfGuilds(bot: User, options?: ReadOptions): Promise<ReadonlySet<string>> {
  try {
    return new Set((await Array.fromAsync(bot.eachUserGuild(options))).map(({ id }) => id));
  } catch (cause) {
    if (!(cause instanceof ApiError && cause.httpStatus === 401)) throw cause;
    throw new Error("Discord refuses DISCORD_BOT_TOKEN", { cause }); // no login of a visitor helps
  }
}
