/**
 * Measures parsing, checking and freezing an answer, against `JSON.parse` alone.
 *
 * @module
 */

import { toGuild, toPartialGuilds } from "../../../src/resources/guild.ts";
import { toUser } from "../../../src/resources/user.ts";
import type { Run } from "./compare.ts";
import { guild, guildList, user } from "./payloads.ts";

const cdnUrl = "https://cdn.discordapp.com";
const ignore = () => {};

/** The contenders for each kind of answer. `JSON.parse` comes first, because ratios are relative to the first one. */
export const models: Record<string, Record<string, Run>> = {
  "one user": contest(JSON.stringify(user), (payload) => toUser(payload, ignore, cdnUrl)),
  "200 guilds": contest(JSON.stringify(guildList(200)), toGuilds),
  "a guild with 250 roles, 500 emojis and 60 stickers": wholeGuild(1),
};

/** The sizes of the guild, to show how time grows with size. */
export const sizes = [1, 4, 16] as const;

/** The contenders for the guild at every size. */
export const growth: Record<string, Run> = Object.fromEntries(
  ["JSON.parse", "@guildpass/sdk"].flatMap((name) =>
    sizes.map((size) => [`${name}, ${size}×`, wholeGuild(size)[name] as Run])
  ),
);

function wholeGuild(size: number): Record<string, Run> {
  return contest(
    JSON.stringify(guild(size)),
    (payload) => toGuild(payload, ignore, cdnUrl),
  );
}

function toGuilds(payload: unknown): unknown {
  return toPartialGuilds(payload, ignore, cdnUrl);
}

function contest(
  text: string,
  toModel: (payload: unknown) => unknown,
): Record<string, Run> {
  return {
    "JSON.parse": () => JSON.parse(text),
    "@guildpass/sdk": () => toModel(JSON.parse(text)),
  };
}
